import { isOperatorName } from '#contract/caller.ts'
import type { InboxItem } from '#contract/inbox.ts'
import { endText, phaseTitle } from '#domains/phases/words.ts'
import { type Facts, item, MOST, RECENT_MS } from './item.ts'

/** The phase that an agent ended last in each project. A person who ends one needs no notice. */
export async function endedPhases({ services, lang, projectId, names }: Facts): Promise<InboxItem[]> {
  const ends = await services.steering.lastEnds(Date.parse(services.about.now()) - RECENT_MS, MOST)
  const open = ends.filter(
    ({ caller, projectId: project }) => !isOperatorName(caller) && (projectId === undefined || project === projectId),
  )
  return Promise.all(
    open.map(async end => {
      const { projectId: project, phase, at } = end
      return item({
        ...{ kind: 'phase_ended' as const, about: `${project}:${phase}`, title: phaseTitle(phase, lang), at },
        detail: endText(end, lang),
        project_id: project,
        project_name: await names.project(project),
        command: `toryo phase status --project ${project}`,
      })
    }),
  )
}
