// Shows how runs go on while one waits: in a terminal as lines that change in place, elsewhere a line for each change.
import type { Lang } from '#contract/errors.ts'
import type { CrewRunRecord } from '#contract/records.ts'
import { visibleLine } from './escape.ts'
import type { Io } from './io.ts'
import { stateText, stateWord } from './states.ts'
import { cut, padEnd } from './width.ts'

const SECOND_MS = 1000
const UP_AND_CLEAR = '\u001b[1A\u001b[2K'

export class CrewProgress {
  readonly #io: Io
  readonly #inPlace: boolean
  readonly #said = new Map<string, string>()
  /** Run → what it did last. */
  #actions: ReadonlyMap<string, string> = new Map()
  #lines = 0
  #runs: readonly CrewRunRecord[] = []
  #shownAt = 0
  #clock: NodeJS.Timeout | undefined

  constructor(io: Io) {
    this.#io = io
    this.#inPlace = io.width !== undefined && io.env['TERM'] !== 'dumb'
  }

  show(runs: readonly CrewRunRecord[]): void {
    this.#runs = runs
    if (!this.#inPlace) return this.#tellChanges(runs)
    this.#shownAt = performance.now()
    this.#clock ??= setInterval(() => this.#draw(), SECOND_MS).unref()
    this.#draw()
  }

  /** What each does now: a call or a sentence of its output. */
  showActions(actions: ReadonlyMap<string, string>): void {
    const before = this.#actions
    this.#actions = actions
    if (this.#inPlace) return this.#draw()
    for (const run of this.#runs) {
      const action = actions.get(run.run_id)
      if (action === undefined || action === before.get(run.run_id) || run.ended_at !== null) continue
      this.#io.stderr.write(`${this.#name(run)}: ${visibleLine(action)}\n`)
    }
  }

  /** Time goes on between two changes. */
  #draw(): void {
    const since = performance.now() - this.#shownAt
    const lines = this.#runs.map(run =>
      this.#line(
        run.started_at === null || run.ended_at !== null ? run : { ...run, elapsed_ms: run.elapsed_ms + since },
      ),
    )
    this.#io.stderr.write(`${UP_AND_CLEAR.repeat(this.#lines)}${lines.map(line => `${line}\n`).join('')}`)
    this.#lines = lines.length
  }

  /** What is printed next replaces it. */
  clear(): void {
    clearInterval(this.#clock)
    if (this.#inPlace) this.#io.stderr.write(UP_AND_CLEAR.repeat(this.#lines))
    this.#lines = 0
  }

  #tellChanges(runs: readonly CrewRunRecord[]): void {
    for (const run of runs) {
      if (this.#said.get(run.run_id) === run.status) continue
      this.#said.set(run.run_id, run.status)
      this.#io.stderr.write(`${this.#name(run)}: ${stateWord(run.status, this.#io)}\n`)
    }
  }

  #name({ role, run_id: agentId }: CrewRunRecord): string {
    return `${visibleLine(role)} (${agentId})`
  }

  #line(run: CrewRunRecord): string {
    const { io } = { io: this.#io }
    const stage = run.stage === null ? '' : `${run.stage + 1} `
    const action = visibleLine(run.result?.summary ?? this.#actions.get(run.run_id) ?? run.last_message ?? '')
    const head = `${stage}${padEnd(visibleLine(run.role), 12)} `
    const word = stateWord(run.status, io)
    const status = padEnd(word, 14)
    const rest = cut(
      ` ${padEnd(duration(run.elapsed_ms, io.lang), 7)} ${action}`,
      Math.max(20, (io.width ?? 80) - head.length - status.length - 1),
    )
    return `${head}${stateText(run.status, io)}${status.slice(word.length)}${io.colors.dim(rest)}`
  }
}

/** `42s`, `3m 05s`, `2h 10m`; `3 分 05 秒`. */
export function duration(ms: number, lang: Lang): string {
  const seconds = Math.round(ms / 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  const [h, m, s] = lang === 'ja' ? [' 時間', ' 分', ' 秒'] : ['h', 'm', 's']
  if (seconds < 60) return `${seconds}${s}`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${m} ${two(seconds % 60)}${s}`
  return `${Math.floor(seconds / 3600)}${h} ${two(Math.floor((seconds % 3600) / 60))}${m}`
}
