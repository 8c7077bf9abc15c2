// Who works, by who started it: pure, from what `work.list` answers.
import { addSums, sumOfOne } from '#contract/usage-text.ts'
import { numberFormat } from '../../parts/formats.ts'
import type { WorkCrew, WorkView } from './work.ts'

export type Row =
  | { kind: 'crew'; key: string; depth: number; crew: WorkCrew; runs: readonly WorkView[] }
  | { kind: 'work'; key: string; depth: number; work: WorkView }

export type Section = { starter: string; rows: Row[] }

export const isOpen = ({ ended_at }: Pick<WorkView, 'ended_at'>) => ended_at === null

/** All that lives as trees. Of a crew that lives, what has ended is shown as well: it is part of the picture. */
export function sectionsOf(all: readonly WorkView[], crews: readonly WorkCrew[]): Section[] {
  const living = new Set(all.filter(isOpen).map(({ crew_id }) => crew_id))
  const shown = all.filter(work => isOpen(work) || (work.crew_id !== null && living.has(work.crew_id)))
  const crewById = new Map<string, WorkCrew>(crews.map(crew => [crew.crew_id, crew]))
  const below = new Map<string, WorkView[]>()
  const roots = new Map<string, WorkView[]>()
  for (const work of shown) {
    const parent = parentOf(work, shown)
    const [list, key] = parent === undefined ? [roots, starterOf(work.started_by)] : [below, parent.id]
    list.set(key, [...(list.get(key) ?? []), work])
  }
  const rows = (works: readonly WorkView[], depth: number): Row[] => {
    const ordered = [...works].sort(inOrder)
    const seen = new Set<string>()
    return ordered.flatMap((work): Row[] => {
      if (work.crew_id === null) return one(work, depth)
      if (seen.has(work.crew_id)) return []
      seen.add(work.crew_id)
      const runs = ordered.filter(({ crew_id }) => crew_id === work.crew_id)
      const crew = crewById.get(work.crew_id)
      if (!crew) return runs.flatMap(run => one(run, depth))
      const head: Row = { kind: 'crew', key: crew.crew_id, depth, crew, runs }
      return [head, ...runs.flatMap(run => one(run, depth + 1))]
    })
  }
  const one = (work: WorkView, depth: number): Row[] => [
    { kind: 'work', key: work.id, depth, work },
    ...rows(below.get(work.id) ?? [], depth + 1),
  ]
  return [...roots]
    .map(([starter, works]) => ({ starter, rows: rows(works, 0) }))
    .sort((a, b) => rank(a.starter) - rank(b.starter) || (a.starter < b.starter ? -1 : 1))
}

/** Ended, and not shown with what lives; the newest end first. */
export function latelyOf(all: readonly WorkView[]): WorkView[] {
  const living = new Set(all.filter(isOpen).map(({ crew_id }) => crew_id))
  return all
    .filter(work => !isOpen(work) && !(work.crew_id !== null && living.has(work.crew_id)))
    .sort((a, b) => ((a.ended_at ?? '') < (b.ended_at ?? '') ? 1 : -1))
}

export function ofProject<T extends { project_id: string | null }>(all: readonly T[], project: string | null): T[] {
  return all.filter(one => project === null || one.project_id === project)
}

/** `run:run_1` → kind and name. An operator may have a name: it is the person, whichever it is. */
export function starterOf(name: string): string {
  return name.startsWith('operator') ? 'operator' : name
}

export function partsOf(starter: string): { kind: string; name: string } {
  const at = starter.indexOf(':')
  return at < 0 ? { kind: starter, name: '' } : { kind: starter.slice(0, at), name: starter.slice(at + 1) }
}

function parentOf(work: WorkView, all: readonly WorkView[]): WorkView | undefined {
  const { kind, name } = partsOf(work.started_by)
  if (kind === 'run' || kind === 'tab') return all.find(({ id }) => id === name && id !== work.id)
  return kind === 'agent' ? all.find(other => other.agent_id === name && other.id !== work.id) : undefined
}

function inOrder(a: WorkView, b: WorkView): number {
  const [stageA, stageB] = [a.stage ?? 0, b.stage ?? 0]
  if (a.crew_id !== null && a.crew_id === b.crew_id && stageA !== stageB) return stageA - stageB
  return a.created_at < b.created_at ? -1 : 1
}

/** What the person started first, then what Runners did, then the rest. */
function rank(starter: string): number {
  if (starter === 'operator') return 0
  return starter.startsWith('runner:') ? 1 : 2
}

/** `6 m 12 s`, in the units that people read. */
export function durationText(ms: number, lang: string): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts: [number, 'hour' | 'minute' | 'second'][] = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ]
  const first = parts.findIndex(([value]) => value > 0)
  const shown = first < 0 ? parts.slice(2) : parts.slice(first, first + 2)
  const unitDisplay = lang === 'ja' ? 'short' : 'narrow'
  return shown.map(([value, unit]) => numberFormat(lang, { style: 'unit', unit, unitDisplay }).format(value)).join(' ')
}

/** From the start of the first to the end of the last, and what all took together. */
export function sumOf(runs: readonly Pick<WorkView, 'started_at' | 'ended_at' | 'cost_usd'>[]) {
  const starts = runs.flatMap(({ started_at }) => started_at ?? [])
  const ends = runs.flatMap(({ ended_at }) => ended_at ?? [])
  return {
    started: starts.sort()[0] ?? null,
    ended: runs.every(run => run.ended_at !== null) ? (ends.sort().at(-1) ?? null) : null,
    open: runs.filter(isOpen).length,
    cost: addSums(runs.map(({ cost_usd }) => sumOfOne(cost_usd))),
  }
}
