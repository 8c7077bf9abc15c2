import type { InboxItem } from '#contract/inbox.ts'
import { waitingStarts } from '../waiting-starts.ts'
import { type Facts, item } from './item.ts'

/** Work whose agent no Runner can start: its engine or its folder is missing wherever one runs. */
export async function unstartable({ services, lang, projectId, names }: Facts): Promise<InboxItem[]> {
  const waiting = await waitingStarts(services)
  const open = waiting.filter(
    ({ projectId: project, runners }) =>
      (projectId === undefined || project === projectId) &&
      // Without any Runner nothing starts at all, which `toryo status` and the page say; one that has just come has not looked yet.
      runners.length > 0 &&
      runners.every(({ lacks }) => !lacks.includes('unseen')),
  )
  return Promise.all(
    open.map(async ({ agentId, agentName, projectId: project, engine, problem }) =>
      item({
        ...{ kind: 'not_startable' as const, about: `${agentId}:${project}`, title: agentName, at: null },
        detail: problem[lang],
        project_id: project,
        project_name: await names.project(project),
        ...{ agent_id: agentId, agent_name: agentName, engine },
        command: 'toryo doctor',
      }),
    ),
  )
}
