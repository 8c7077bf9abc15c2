// One run from its plan to its end: its output is stored as it goes, and whatever happens to its process, its end is reported.
import fs from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from '#contract/caller.ts'
import { HubError } from '#contract/errors.ts'
import type { RunId } from '#contract/id-types.ts'
import { pathIn } from '#contract/ids.ts'
import { whatHappened } from '#contract/run-end-text.ts'
import { runEnd } from '#contract/run-end.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Log } from '#kernel/log.ts'
import { CappedLog } from '#kernel/processes/capped-log.ts'
import { LaunchError } from '#kernel/processes/launch.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { StopOptions } from '#kernel/processes/stop.ts'
import { type Ending, type Supervised, supervise } from '#kernel/processes/supervise.ts'
import { TORYO_RUN_ID } from '#system/environment-names.ts'
import { writeNew } from '#system/files.ts'
import type { CrewRuns, Launching } from './crew-runs.ts'
import type { CrewEnding, CrewRun, RunFacts } from './model.ts'
import type { RunEngines, Prepared, Trust } from './ports.ts'
import { promptFor } from './prompt.ts'

export type RunTimes = {
  /** How long one may go on after its report before it is asked to end. */
  reportGraceMs: number
  /** At least so long between two writes of one run's progress. */
  batchMs: number
  /** How long a process left by our own crash has to end on its own. */
  reclaimGraceMs: number
}
/** Where tests cut a start. */
export type Step = 'planned' | 'prepared' | 'launched' | 'recorded' | 'ended' | 'tidied'

export type RunProcessesDeps = {
  events: EventLog
  log: Log
  /** One transaction. */
  write: <T>(verb: (runs: CrewRuns) => Promise<T>) => Promise<T>
  /** For reading alone: a verb that writes needs a transaction that all it calls take part in. */
  runs: Pick<CrewRuns, 'listDue' | 'listOpen' | 'listPlan'>
  engines: RunEngines
  trust: Pick<Trust, 'check'>
  /** What a run finds in its environment because of where it works. */
  environment: (run: CrewRun) => Promise<Readonly<Record<string, string>>>
  /** Private folders of runs that live; gone with them. */
  folder: string
  logFolder: string
  limits: () => { totalMs: number; silenceMs: number; troubleMs: number }
  by: Caller
  times?: Partial<RunTimes> | undefined
  /** For tests of crashes. */
  reached?: ((step: Step, runId: RunId) => void) | undefined
}

const INTERIM_MESSAGE = 4000
/** A database that is away comes back; until then the end waits here. */
const RETRY_MS = 1000
const STOPPING: StopOptions = { graceMs: 5000 }

/** One run from its plan to its end. */
export class LiveRun {
  /** Launched, or ended because it could not be. Never rejects. */
  readonly started: Promise<void>
  /** Its end is stored and its folder is gone. Never rejects. */
  readonly ended: Promise<void>
  readonly #deps: RunProcessesDeps
  readonly #times: RunTimes
  readonly #launching: Launching
  #prepared: Prepared | undefined
  #process: Supervised | undefined
  #stopReason: string | undefined
  #gaveUp = false
  #grace: NodeJS.Timeout | undefined
  #batch: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined
  #fresh = false

  constructor(launching: Launching, deps: RunProcessesDeps, times: RunTimes) {
    this.#launching = launching
    this.#deps = deps
    this.#times = times
    let begun = () => {}
    this.started = new Promise(resolve => {
      begun = resolve
    })
    this.ended = this.#run(begun)
  }

  get #id(): RunId {
    return this.#launching.run.id
  }

  get record(): ProcessRecord | undefined {
    return this.#process?.record
  }

  get facts(): RunFacts | undefined {
    return this.#prepared && plain(this.#prepared.facts)
  }

  /** It is stopped as soon as there is something to stop. */
  async stop(reason: string): Promise<void> {
    this.#stopReason ??= reason
    void this.#process?.stop(STOPPING)
    await this.ended
  }

  /** It may say goodbye; after that it is asked to end. */
  reported(): void {
    this.#grace ??= setTimeout(() => void this.stop('reported'), this.#times.reportGraceMs)
    this.#grace.unref()
  }

  async #run(begun: () => void): Promise<void> {
    const { write, log, by } = this.#deps
    const ending = await this.#toItsEnd(begun)
    clearTimeout(this.#grace)
    clearTimeout(this.#batch)
    await this.#storing
    await surely(log, this.#id, () => write(runs => runs.end(this.#id, ending, by)))
    begun()
    this.#deps.reached?.('ended', this.#id)
    try {
      await rm(this.#folder, { recursive: true, force: true })
    } catch (error) {
      this.#deps.log.warn({ err: error, run: this.#id }, 'the folder of a run could not be removed')
    }
    this.#deps.reached?.('tidied', this.#id)
  }

  async #toItsEnd(begun: () => void): Promise<CrewEnding> {
    try {
      const running = await this.#launch()
      begun()
      return this.#judge(await running.ended)
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      if (!(error instanceof LaunchError)) this.#deps.log.warn({ err: error, run: this.#id }, 'a run did not start')
      const isUntrusted = error instanceof HubError && error.code === 'TRUST_REQUIRED'
      const reason = this.#stopReason ?? (isUntrusted ? 'trust-required' : 'start-failed')
      const outcome = this.#stopReason === undefined ? 'failed' : 'cancelled'
      const kind = this.#stopReason !== undefined ? 'stopped' : isUntrusted ? 'untrusted' : 'not-started'
      const end = runEnd(kind, { engine: this.#launching.run.engine, said: problem })
      return { outcome, reason, exitCode: null, problem, end }
    }
  }

  async #launch(): Promise<Supervised> {
    const { run, marker, ticket } = this.#launching
    const { engines, trust, logFolder, limits, write, by } = this.#deps
    // The folder may have changed since it was asked for: by the stage before, for one.
    await trust.check(run.directory)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const ticketFile = join(this.#folder, 'ticket')
    writeNew(fs, ticketFile, `${ticket}\n`, { sync: false })
    const before = run.stage ? await this.#deps.runs.listPlan(run.crewId, run.plan) : []
    const prepared = await engines.prepare({
      engine: run.engine,
      model: run.model,
      permission: run.permission,
      prompt: promptFor(run, before),
      directory: run.directory,
      folder: this.#folder,
      ticketFile,
    })
    this.#prepared = prepared
    this.#deps.reached?.('prepared', this.#id)
    await mkdir(logFolder, { recursive: true, mode: 0o700 })
    const log = await CappedLog.create(pathIn(logFolder, `${run.id}.log`))
    prepared.remarkTo(line => log.write(Buffer.from(`${line}\n`)))
    const { totalMs, silenceMs, troubleMs } = limits()
    prepared.bearWith(troubleMs, () => {
      this.#gaveUp = true
      void this.#process?.stop(STOPPING)
    })
    const supervised = await supervise({
      launch: {
        program: prepared.program,
        args: prepared.args,
        cwd: run.directory,
        env: { ...prepared.env, ...(await this.#deps.environment(run)), [TORYO_RUN_ID]: run.id },
        marker,
        stdin: prepared.stdin,
      },
      limits: { totalMs: Math.min(run.timeoutMs ?? Infinity, totalMs), silenceMs },
      log,
      stop: STOPPING,
      onOutput: (bytes, from) => {
        if (prepared.push(bytes, from)) this.#heard()
      },
    })
    this.#process = supervised
    this.#deps.reached?.('launched', this.#id)
    const now = await write(runs => runs.launched(run.id, supervised.record, by)).catch(async error => {
      // Otherwise it would be lost.
      await supervised.stop({ graceMs: 0 })
      throw error
    })
    this.#deps.reached?.('recorded', this.#id)
    // A stop was asked for before there was a process.
    if (now.stopAsked !== null) this.#stopReason ??= now.stopAsked
    if (now.endedAt !== null || this.#stopReason !== undefined) void supervised.stop(STOPPING)
    if (now.reportedAt !== null) this.reported()
    return supervised
  }

  get #folder(): string {
    return pathIn(this.#deps.folder, this.#id)
  }

  /** The first news is stored at once; after that there is a pause between two writes. */
  #heard(): void {
    this.#fresh = true
    if (this.#batch || this.#storing) return
    this.#storing = this.#store().finally(() => {
      this.#storing = undefined
      this.#batch = setTimeout(() => {
        this.#batch = undefined
        if (this.#fresh) this.#heard()
      }, this.#times.batchMs)
      this.#batch.unref()
    })
  }

  async #store(): Promise<void> {
    const facts = this.#prepared?.facts
    if (!facts) return
    this.#fresh = false
    const interim = { ...plain(facts), lastMessage: facts.lastMessage?.slice(0, INTERIM_MESSAGE) }
    await this.#deps
      .write(runs => runs.progressed(this.#id, interim, this.#deps.by))
      .catch(error => {
        this.#fresh = true
        this.#deps.log.warn({ err: error, run: this.#id }, 'what a run tells could not be stored; it is tried again')
      })
  }

  #judge(ending: Ending): CrewEnding {
    this.#prepared?.end()
    const prepared = this.#prepared as Prepared
    const verdict = prepared.judge(ending)
    const facts = plain(prepared.facts)
    const exitCode = ending.code ?? null
    if (ending.cleanup.how === 'survived')
      this.#deps.log.error({ run: this.#id, left: ending.cleanup.survivors }, 'processes of a run could not be ended')
    const isStopped = ending.cause === 'stopped' && !this.#gaveUp
    const by = { ...ending, gaveUp: this.#gaveUp, stopped: isStopped ? ('stopped' as const) : undefined }
    const end = prepared.why(by, this.#limits())
    const problem = whatHappened(end).en
    switch (ending.cause) {
      case 'itself': {
        const isSuccess = verdict.outcome === 'success'
        const said = isSuccess ? {} : { problem: verdict.message ?? problem }
        return { outcome: isSuccess ? 'completed' : 'failed', reason: verdict.reason, exitCode, facts, end, ...said }
      }
      case 'stopped':
        if (this.#gaveUp) return { outcome: 'failed', reason: end.kind, exitCode, facts, end, problem }
        return { outcome: 'cancelled', reason: this.#stopReason ?? 'stopped', exitCode, facts, end, problem }
      case 'time-limit':
      case 'silence':
        return { outcome: 'timedOut', reason: end.kind, exitCode, facts, end, problem }
      default:
        return {
          outcome: 'failed',
          reason: ending.cause,
          exitCode,
          facts,
          end,
          problem: 'Its output could not be read',
        }
    }
  }

  #limits() {
    const { timeoutMs } = this.#launching.run
    const { totalMs, silenceMs } = this.#deps.limits()
    const isOwn = timeoutMs !== null && timeoutMs < totalMs
    return {
      total: {
        minutes: Math.min(timeoutMs ?? totalMs, totalMs) / 60_000,
        setting: isOwn ? 'its timeout' : 'limits.runMinutes',
      },
      silence: { minutes: silenceMs / 60_000, setting: 'limits.silenceMinutes' },
    }
  }
}

/** The end is always recorded: a database that is away is waited for. */
export async function surely(log: Log, run: string, tell: () => Promise<CrewRun>): Promise<CrewRun> {
  for (;;) {
    try {
      return await tell()
    } catch (error) {
      log.error({ err: error, run }, 'the end of a run could not be stored; it is tried again')
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Only what is stored of it. */
function plain(facts: RunFacts): RunFacts {
  const { session, model, mcpConnected, toolCalls, denied, deniedTools, created, edited, deleted, usage } = facts
  const { costUsd, lastMessage, trouble, troubled, quota, lines, badLines } = facts
  return {
    ...{ session, model, mcpConnected, toolCalls, denied, deniedTools, created, edited, deleted, usage },
    ...{ costUsd, lastMessage, trouble, troubled, quota, lines, badLines },
  }
}
