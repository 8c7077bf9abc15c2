import type { InboxItem } from '#contract/inbox.ts'
import { hashOf } from '#domains/trust/model.ts'
import { type Facts, item } from './item.ts'

/** A folder whose agent configuration no person has looked at, and where an agent is to be started. */
export async function untrustedFolders({ services, lang, projectId, names }: Facts): Promise<InboxItem[]> {
  const refused = await services.trusts.refusedStarts(projectId === undefined ? {} : { projectId })
  return Promise.all(
    refused.map(async ({ start, unknown, refusal }) =>
      item({
        kind: 'untrusted',
        about: [start.projectId, start.runner, ...(start.taskId === null ? [] : [start.taskId])].join(':'),
        title: start.directory,
        at: start.at,
        detail: refusal.text[lang],
        project_id: start.projectId,
        project_name: await names.project(start.projectId),
        // A workspace is this hub's, whichever Runner was to start in it.
        runner: start.taskId === null ? (services.trusts.elsewhere(start) ?? null) : null,
        files: [...unknown],
        seen: hashOf(start.seen.files),
        command: services.trusts.commandFor(start),
      }),
    ),
  )
}
