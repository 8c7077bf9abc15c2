import type { InboxItem } from '#contract/inbox.ts'
import type { CrewRun } from '#domains/runs/model.ts'
import { reasonOf } from '#domains/runs/task-run-views.ts'
import { HUB } from '../own-caller.ts'
import { type Facts, item, MOST } from './item.ts'

/** A run of a crew that ended badly, and whose role did not succeed in that crew after it. */
export async function failedRuns({ services, lang, projectId, names }: Facts): Promise<InboxItem[]> {
  const { crewRuns } = services
  const lists = await Promise.all(
    (['failed', 'timedOut'] as const).map(status => crewRuns.list({ status }, undefined, MOST, HUB)),
  )
  const failed = lists.flat().filter(run => projectId === undefined || run.projectId === projectId)
  const later = new Map(
    await Promise.all(
      [...new Set(failed.map(({ crewId }) => crewId))].map(
        async crewId => [crewId, await crewRuns.list({ crewId, status: 'completed' }, undefined, MOST, HUB)] as const,
      ),
    ),
  )
  const open = failed.filter(run => !(later.get(run.crewId) ?? []).some(other => made(other, run)))
  return Promise.all(
    open.map(async run =>
      item({
        kind: 'run_failed',
        about: run.id,
        title: run.role,
        at: run.endedAt,
        detail: reasonOf(run, lang) ?? run.report?.errorMessage ?? run.report?.summary ?? run.endReason,
        project_id: run.projectId,
        project_name: await names.project(run.projectId),
        engine: run.engine,
        run_id: run.id,
        crew_id: run.crewId,
        command: `toryo run logs ${run.id}`,
      }),
    ),
  )
}

type Ended = Pick<CrewRun, 'role' | 'startedAt' | 'endedAt'>

/** The other made good what this one failed at: it began after that. One that ran beside it did work of its own. */
export function made(other: Ended, run: Ended): boolean {
  return other.role === run.role && (other.startedAt ?? 0) >= (run.endedAt ?? 0)
}
