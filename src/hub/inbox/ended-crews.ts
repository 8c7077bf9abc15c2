import { isOperatorName } from '#contract/caller.ts'
import type { RunId } from '#contract/id-types.ts'
import type { InboxItem } from '#contract/inbox.ts'
import type { RunOfCrew } from '#domains/runs/crew-run-store.ts'
import { made } from './failed-runs.ts'
import { type Facts, item, RECENT_MS } from './item.ts'

/** Of the newest; what came of older ones is in the list of crews. */
const LOOKED_AT = 50

/**
 * A crew that a person started, and that has ended well. One that an agent started ends for that agent, which waits for it; one that
 * the hub started is a review, and what it says is an item of its own.
 */
export async function endedCrews({ services, projectId, names }: Facts): Promise<InboxItem[]> {
  const { crews, crewRuns, about } = services
  const own = (await crews.list(undefined, LOOKED_AT)).filter(
    ({ createdBy, deletedAt, projectId: project }) =>
      isOperatorName(createdBy) && deletedAt === null && (projectId === undefined || project === projectId),
  )
  const runs = await crewRuns.listByCrew(own.map(({ id }) => id))
  const since = Date.parse(about.now()) - RECENT_MS
  const ended = own.flatMap(crew => {
    const last = lastOf(runs.filter(({ crewId }) => crewId === crew.id))
    return last && last.at > since ? [{ crew, last }] : []
  })
  const reports = new Map((await crewRuns.findMany(ended.map(({ last }) => last.id))).map(run => [run.id, run.report]))
  return Promise.all(
    ended.map(async ({ crew, last }) =>
      item({
        ...{ kind: 'crew_ended' as const, about: crew.id, title: crew.description, at: last.at, crew_id: crew.id },
        detail: reports.get(last.id)?.summary ?? null,
        project_id: crew.projectId,
        project_name: await names.project(crew.projectId),
        command: `toryo crew show ${crew.id}`,
      }),
    ),
  )
}

/** The run that ended last, if all ended well: completed, or made good later. A person who stopped it needs no notice. */
function lastOf(runs: readonly RunOfCrew[]): { id: RunId; at: number } | undefined {
  const good = runs.filter(({ outcome }) => outcome === 'completed')
  const isWell = ({ outcome, isReview, ...run }: RunOfCrew) =>
    !isReview &&
    (outcome === 'completed' || (outcome !== null && outcome !== 'cancelled' && good.some(o => made(o, run))))
  if (good.length === 0 || !runs.every(isWell)) return undefined
  const [last] = good.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))
  return last && { id: last.id, at: last.endedAt ?? 0 }
}
