// How a crew goes on, over the event log: asked for again when something happened to it, not every so often.
import type { ApiOutput } from '#contract/api.ts'
import type { StoredEvent } from '#contract/events.ts'
import { RunProgressed } from '#contract/runs.ts'
import type { Connection } from './connect.ts'

type Shown = ApiOutput<'crew.show'>

export type CrewNews = {
  changed?(shown: Shown): void
  /** One of its runs did or said something. Several times a second, so the crew itself is not asked for again. */
  progressed?(): void
}

/** Until all its runs have ended, or `signal`; then how it stood last. */
export async function followCrew(
  hub: Connection,
  crewId: string,
  signal: AbortSignal,
  news: CrewNews = {},
): Promise<Shown> {
  let shown = await hub.call('crew.show', { crew_id: crewId })
  news.changed?.(shown)
  const isOver = () => shown.runs.every(run => run.ended_at !== null)
  if (isOver()) return shown
  try {
    for await (const event of hub.events(shown.last_event, signal)) {
      if (event && (event.seq <= shown.last_event || !isAbout(event, crewId))) continue
      if (event?.type === RunProgressed.type) {
        news.progressed?.()
        continue
      }
      shown = await hub.call('crew.show', { crew_id: crewId }, { signal })
      news.changed?.(shown)
      if (isOver()) break
    }
  } catch (problem) {
    if (!signal.aborted) throw problem
  }
  return shown
}

function isAbout({ payload }: StoredEvent, id: string): boolean {
  const { crewId, groupId } = payload as { crewId?: string; groupId?: string }
  return crewId === id || groupId === id
}
