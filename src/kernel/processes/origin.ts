// Where a process comes from: from one that we started, from one that another started with a mark that we do not know, or from
// neither. Knows processes and records, and nothing of what was started for what.
import type { ProcessView } from './peer.ts'
import type { ProcessRecord } from './record.ts'
import { limitFor, type ProcessInfo } from '#system/processes.ts'

/** What was started, and by which record its process is known. */
export type Started<T> = { readonly record: ProcessRecord; readonly what: T }

export type Origin<T> = { readonly kind: 'outside' } | { readonly kind: 'marked' } | ({ kind: 'started' } & Started<T>)

/** Ourselves: our own parent may have been started by a hub, too, and that says nothing about our callers. */
export type Self = { readonly pids: ReadonlySet<number>; readonly marks: ReadonlySet<string> }

/** No chain of starts is longer than this; a loop would be a bug, not a reason to hang. */
const GENERATIONS = 64

/** What a process and those above it show. */
type Signs<T> = { record?: Started<T> | undefined; mark?: Started<T> | undefined; marked: boolean }

export class Origins<T> {
  readonly #view: ProcessView
  readonly #started: readonly Started<T>[]
  readonly #self: Self
  readonly #signs = new Map<number, Signs<T>>()

  constructor(view: ProcessView, started: readonly Started<T>[], boot: string, self: Self) {
    this.#view = view
    this.#started = started.filter(({ record }) => record.boot === boot)
    this.#self = self
  }

  /**
   * A process cannot choose its parents, session or group, but it can start others with any environment. So the record of a process
   * above it counts first, and of several the one that is furthest up: what is below it belongs to it.
   */
  of(pid: number): Origin<T> {
    const { record, mark, marked } = this.#signsOf(pid, 0)
    const found = record ?? mark
    if (found) return { kind: 'started', ...found }
    return { kind: marked ? 'marked' : 'outside' }
  }

  #signsOf(pid: number, depth: number): Signs<T> {
    const known = this.#signs.get(pid)
    if (known) return known
    // Where our own line begins, nothing more is said of the one below.
    const info = pid <= 1 || this.#self.pids.has(pid) || depth > GENERATIONS ? undefined : this.#view.find(pid)
    if (!info) return { marked: false }
    const above = this.#signsOf(info.parent, depth + 1)
    const own = this.#view.markOf(pid)
    const mark = own !== undefined && !this.#self.marks.has(own) ? own : undefined
    const signs: Signs<T> = {
      record: above.record ?? this.#byRecord(info),
      mark: above.mark ?? this.#byLimit(pid) ?? this.#started.find(({ record }) => record.marker === mark),
      marked: above.marked || mark !== undefined,
    }
    this.#signs.set(pid, signs)
    return signs
  }

  /** What cleared its environment and left its session. */
  #byLimit(pid: number): Started<T> | undefined {
    const limit = this.#view.limitOf(pid)
    if (limit === undefined) return undefined
    return this.#started.find(({ record: { marker } }) => !this.#self.marks.has(marker) && limitFor(marker) === limit)
  }

  #byRecord(info: ProcessInfo): Started<T> | undefined {
    return this.#started.find(({ record }) => {
      if (record.pid <= 1 || record.start === '') return false
      if (info.pid === record.pid) return info.start === record.start
      if (info.session !== record.pid && info.group !== record.pid) return false
      // A number is not given away while it names a session or group: only a leader that runs can be another than it was.
      const leader = this.#view.find(record.pid)
      return leader === undefined || leader.start === record.start
    })
  }
}

/** Our own process and those that it comes from, with their marks. `more`: marks of those that have ended since, or let us go. */
export function selfOf(view: ProcessView, pid: number, more: readonly string[]): Self {
  const pids = new Set<number>()
  const marks = new Set(more)
  for (let at = pid; at > 1 && pids.size < GENERATIONS && !pids.has(at); ) {
    pids.add(at)
    const mark = view.markOf(at)
    if (mark !== undefined) marks.add(mark)
    at = view.find(at)?.parent ?? 0
  }
  return { pids, marks }
}
