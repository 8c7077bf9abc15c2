// Waiting for runs to end. The rows are the truth and the events only wake us; a wait is no longer than one call can be held.
import type { Caller } from '#contract/caller.ts'
import { type CrewRunSummary, type RunResult, WAIT_MS } from '#contract/crews.ts'
import type { RunId } from '#contract/id-types.ts'
import { RESULT_BYTES } from '#contract/limits.ts'
import { RunEnded } from '#contract/runs.ts'
import type { EventLog } from '#kernel/events.ts'
import type { CrewRuns } from './crew-runs.ts'
import type { CrewRun } from './model.ts'

export type WaitAnswer = {
  completed: (CrewRunSummary & { result: RunResult | null })[]
  pending: CrewRunSummary[]
  timedOut: boolean
  resume: boolean
  truncated?: boolean
}

type Call = { caller: Caller; signal: AbortSignal; progress(done: number, total?: number, message?: string): void }

/** How long one call is held at most, and how often it says that it is still there. */
export type Patience = { waitMs: number; progressMs: number }
const USUAL: Patience = { waitMs: WAIT_MS, progressMs: 5_000 }
/** An event of another hub may come late; then this finds the end. */
const LOOK_MS = 5_000

export class Waiting {
  readonly #deps: { runs: CrewRuns; events: EventLog }
  readonly #patience: Patience

  constructor(deps: { runs: CrewRuns; events: EventLog; patience?: Patience | undefined }) {
    this.#deps = deps
    this.#patience = deps.patience ?? USUAL
  }

  async forEnd(
    ids: readonly RunId[],
    mode: 'all' | 'any',
    timeoutMs: number | undefined,
    call: Call,
  ): Promise<WaitAnswer> {
    const { waitMs, progressMs } = this.#patience
    const patience = Math.min(timeoutMs ?? Infinity, waitMs)
    const began = performance.now()
    const left = () => began + patience - performance.now()
    let wake = () => {}
    let woken = false
    const onWake = () => {
      woken = true
      wake()
    }
    // Before the first look: what ends in between is not missed.
    const forget = this.#deps.events.subscribe(({ type, payload }) => {
      if (type === RunEnded.type && ids.includes((payload as { runId: RunId }).runId)) onWake()
    })
    call.signal.addEventListener('abort', onWake)
    let toldAt = began
    try {
      for (;;) {
        woken = false
        const runs = await this.#deps.runs.getMany(ids, call.caller)
        if (isOver(runs, mode)) return this.#answer(runs, false, false)
        if (call.signal.aborted || left() <= 0) {
          const timedOut = !call.signal.aborted && timeoutMs !== undefined && timeoutMs <= waitMs
          return this.#answer(runs, timedOut, !timedOut)
        }
        if (performance.now() - toldAt >= progressMs) {
          toldAt = performance.now()
          call.progress(Math.round(toldAt - began), patience, said(runs))
        }
        if (woken) continue
        const pause = Math.min(left(), toldAt + progressMs - performance.now(), LOOK_MS)
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, Math.max(1, Math.ceil(pause)))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
          if (woken || call.signal.aborted) wake()
        })
      }
    } finally {
      forget()
      call.signal.removeEventListener('abort', onWake)
    }
  }

  /** What many runs wrote may be more than one answer holds: then the rest of the results is left out. */
  #answer(runs: readonly CrewRun[], timedOut: boolean, resume: boolean): WaitAnswer {
    const { runs: verbs } = this.#deps
    let bytes = 0
    let truncated = false
    const completed = runs
      .filter(run => run.endedAt !== null)
      .map(run => {
        const result = verbs.result(run)
        bytes += Buffer.byteLength(JSON.stringify(result))
        const fits = bytes * 2 < RESULT_BYTES
        truncated ||= !fits
        return { ...verbs.summary(run), result: fits ? result : null }
      })
    const pending = runs.filter(run => run.endedAt === null).map(run => verbs.summary(run))
    return { completed, pending, timedOut, resume, ...(truncated ? { truncated } : {}) }
  }
}

function isOver(runs: readonly CrewRun[], mode: 'all' | 'any'): boolean {
  return mode === 'all' ? runs.every(run => run.endedAt !== null) : runs.some(run => run.endedAt !== null)
}

function said(runs: readonly CrewRun[]): string {
  const ended = runs.filter(run => run.endedAt !== null).length
  const calls = runs.reduce((sum, run) => sum + run.facts.toolCalls, 0)
  return `${ended} of ${runs.length} have ended; ${calls} tool calls so far`
}
