// Owns the processes of this hub's runs: launches what is due, stores their progress, stops them, and reports each end. Knows
// no engine and no tool; whatever happens to a process, its run ends in the database.
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { StoredEvent } from '#contract/events.ts'
import { ResultReported } from '#contract/crews.ts'
import type { AgentId, RunId } from '#contract/id-types.ts'
import { runEnd } from '#contract/run-end.ts'
import { RunEnded, RunStopAsked } from '#contract/runs.ts'
import { pruneLogs } from '#kernel/processes/prune-logs.ts'
import { reclaim } from '#kernel/processes/reclaim.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { LiveRun, type RunProcessesDeps, type RunTimes, surely } from './live-run.ts'
import type { CrewEnding, RunFacts } from './model.ts'

const USUAL_TIMES: RunTimes = { reportGraceMs: 60_000, batchMs: 500, reclaimGraceMs: 1500 }

export class RunProcesses {
  readonly #deps: RunProcessesDeps
  readonly #times: RunTimes
  readonly #live = new Map<string, LiveRun>()
  #reclaimed: Promise<void> = Promise.resolve()
  #starting: Promise<void> | undefined
  #pruning: Promise<void> = Promise.resolve()
  #again = false
  #stopping = false
  #unsubscribe = () => {}

  constructor(deps: RunProcessesDeps) {
    this.#deps = deps
    this.#times = { ...USUAL_TIMES, ...deps.times }
  }

  /** How many processes this hub has. */
  get size(): number {
    return this.#live.size
  }

  records(): ProcessRecord[] {
    return [...this.#live.values()].flatMap(({ record }) => record ?? [])
  }

  /** What an earlier hub left is ended first; then whatever is due starts. */
  start(): void {
    this.#unsubscribe = this.#deps.events.subscribe(event => this.#heard(event))
    this.#reclaimed = this.#reclaim().catch(error =>
      this.#deps.log.error({ err: error }, 'runs of an earlier hub could not be settled'),
    )
    this.wake()
  }

  /** The progress of a run of this hub, which may not be stored yet. */
  facts(runId: RunId): RunFacts | undefined {
    return this.#live.get(runId)?.facts
  }

  /** Something may be due. */
  wake(): void {
    this.#again = true
    this.#starting ??= this.#startDue().finally(() => {
      this.#starting = undefined
      if (this.#again && !this.#stopping) this.wake()
    })
  }

  /** Ends every run of this hub, and what waits for its stage. */
  async dispose(): Promise<void> {
    this.#stopping = true
    await this.#reclaimed
    await this.#starting
    const { write, by } = this.#deps
    await write(async verbs => {
      const waiting = (await verbs.listOpen()).filter(run => run.process === null)
      // From the last stage on, so that none moves its plan on to the next.
      for (const run of waiting.reverse())
        await verbs.end(run.id, { outcome: 'cancelled', reason: 'hub-stopped', exitCode: null }, by)
    }).catch(error => this.#deps.log.error({ err: error }, 'waiting runs could not be cancelled'))
    await Promise.all([...this.#live.values()].map(run => run.stop('hub-stopped')))
    this.#unsubscribe()
    await this.#pruning
  }

  async #startDue(): Promise<void> {
    await this.#reclaimed
    while (this.#again && !this.#stopping) {
      this.#again = false
      try {
        const due = (await this.#deps.runs.listDue()).filter(run => !this.#live.has(run.id))
        await Promise.all(due.map(run => this.#launch(run.id)))
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'due runs could not be looked up; it is tried again')
      }
    }
  }

  async #launch(id: RunId): Promise<void> {
    const launching = await this.#deps.write(runs => runs.launching(id))
    if (!launching) return
    this.#deps.reached?.('planned', id)
    const live = new LiveRun(launching, this.#deps, this.#times)
    this.#live.set(id, live)
    void live.ended.then(() => {
      this.#live.delete(id)
      this.#pruning = this.#pruning.then(() => this.#pruneLogs())
      this.wake()
    })
    await live.started
  }

  #heard({ type, payload }: StoredEvent): void {
    if (type === RunStopAsked.type) {
      const { runId, reason } = payload as { runId: RunId; reason: string }
      void this.#live.get(runId)?.stop(reason)
    }
    // We were silent, and another hub took us for dead: what it has recorded must become true.
    if (type === RunEnded.type) {
      const { runId, reason } = payload as { runId: RunId; reason: string }
      if (reason === 'hub-lost') void this.#live.get(runId)?.stop(reason)
    }
    if (type === ResultReported.type) this.#live.get((payload as { agentId: AgentId }).agentId)?.reported()
  }

  /** Their output went with the hub that read it, so how they go on could not be followed: they are ended and recorded as lost. */
  async #reclaim(): Promise<void> {
    const { by, log } = this.#deps
    const left = (await this.#deps.runs.listOpen()).filter(run => run.process !== null)
    const stopOptions = { graceMs: this.#times.reclaimGraceMs }
    await Promise.all(
      left.map(async run => {
        const [found] = await reclaim([run.process as ProcessRecord], stopOptions)
        log.warn({ run: run.id, ran: found?.ran, stopped: found?.stopped.how }, 'a run of an earlier hub was ended')
        const ending: CrewEnding = {
          outcome: run.stopAsked === null ? 'failed' : 'cancelled',
          reason: 'hub-restart',
          exitCode: null,
          problem: 'The hub ended while it ran',
          end: runEnd('hub-lost'),
        }
        await surely(log, run.id, () => this.#deps.write(runs => runs.end(run.id, ending, by)))
      }),
    )
    await rm(this.#deps.folder, { recursive: true, force: true })
  }

  #pruneLogs(): Promise<void> {
    return pruneLogs(this.#deps.logFolder, { isOpen: name => this.#live.has(basename(name, '.log')) })
  }
}
