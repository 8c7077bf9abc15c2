// The verbs on runs of crews: facts about a process that another part launches and watches. An end is reported exactly once, and
// slot, ticket and its waiting callers change with it in one transaction.
import type { Lang } from '#contract/errors.ts'
import type { Caller } from '#contract/caller.ts'
import { type CrewRunState, type CrewRunSummary, ResultReported, RunCreated, type RunResult } from '#contract/crews.ts'
import type { CrewId, RunId, TaskId } from '#contract/id-types.ts'
import { IdentityError } from '#contract/identity.ts'
import { runEnd } from '#contract/run-end.ts'
import { RUN_SLOTS, RunEnded, RunError, RunProgressed, RunStarted, RunStopAsked } from '#contract/runs.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { Started } from '#kernel/processes/origin.ts'
import { plannedRecord, type ProcessRecord } from '#kernel/processes/record.ts'
import { freeSlot } from '#kernel/slots.ts'
import { maySee, mayStop, sightOf } from './access.ts'
import { type CrewRunFilter, CrewRunStore, type RunOfCrew } from './crew-run-store.ts'
import { crewRunState, crewRunSummary, resultOf } from './crew-run-views.ts'
import {
  type CrewEnding,
  type CrewRun,
  elapsed,
  type NewCrewRun,
  newRun,
  type Report,
  reportFor,
  type RunFacts,
  settled,
  sums,
} from './model.ts'
import type { Crews } from './crews.ts'
import { callerOf } from './run-tickets.ts'
import type { Pauses } from './pauses.ts'

const MESSAGE_TOLD = 300

export type CrewRunsDeps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  /** Names this hub's folder on this machine. */
  place: string
  /** Called in the transaction of an end, so that the plan moves on with it. */
  crews: Pick<Crews, 'ended'>
  pauses: Pick<Pauses, 'pause' | 'passed'>
}

export type Launching = { run: CrewRun; marker: string; ticket: string }

export class CrewRuns {
  readonly #deps: CrewRunsDeps

  constructor(deps: CrewRunsDeps) {
    this.#deps = deps
  }

  state(run: CrewRun, lang: Lang = 'en'): CrewRunState {
    return crewRunState(run, this.#deps.clock.steady(), lang)
  }

  summary(run: CrewRun): CrewRunSummary {
    return crewRunSummary(run, this.#deps.clock.steady())
  }

  result(run: CrewRun): RunResult | null {
    return run.report === null ? null : resultOf(run, run.report)
  }

  newId(): RunId {
    return this.#deps.ids.next('run')
  }

  async find(id: RunId): Promise<CrewRun | undefined> {
    return this.#store().find(id)
  }

  async get(id: RunId, by: Caller): Promise<CrewRun> {
    const run = await this.find(id)
    if (!run) throw IdentityError.AGENT_NOT_FOUND({ agentId: id })
    maySee(run, by)
    return run
  }

  /** Those that work on this task, or will, and may change files. */
  listWriting(taskId: TaskId): Promise<CrewRun[]> {
    return this.#store().listWriting(taskId)
  }

  /** In the order in which they were asked for. */
  async getMany(ids: readonly RunId[], by: Caller): Promise<CrewRun[]> {
    const found = await this.known(ids)
    return ids.map(id => {
      const run = found.find(candidate => candidate.id === id)
      if (!run) throw IdentityError.AGENT_NOT_FOUND({ agentId: id })
      maySee(run, by)
      return run
    })
  }

  /** Those of the ids that there are, in their order. */
  async known(ids: readonly RunId[]): Promise<CrewRun[]> {
    const found = new Map((await this.#store().findMany(ids)).map(run => [run.id, run]))
    return ids.flatMap(id => found.get(id) ?? [])
  }

  /** Of those of the ids that there are, in their order. */
  async states(ids: readonly RunId[], lang: Lang = 'en'): Promise<CrewRunState[]> {
    return (await this.known(ids)).map(run => this.state(run, lang))
  }

  list(filter: CrewRunFilter, before: string | undefined, limit: number, by: Caller): Promise<CrewRun[]> {
    return this.#store().list({ ...filter, visible: sightOf(by) }, before, limit)
  }

  findMany(ids: readonly RunId[]): Promise<CrewRun[]> {
    return this.#store().findMany(ids)
  }

  /** How the runs of these crews stand. */
  listByCrew(crewIds: readonly CrewId[]): Promise<RunOfCrew[]> {
    return this.#store().listByCrew(crewIds)
  }

  async listSummaries(
    filter: CrewRunFilter,
    before: string | undefined,
    limit: number,
    by: Caller,
  ): Promise<CrewRunSummary[]> {
    return (await this.list(filter, before, limit, by)).map(run => this.summary(run))
  }

  count(filter: CrewRunFilter, by: Caller): Promise<number> {
    return this.#store().count({ ...filter, visible: sightOf(by) })
  }

  ids(crewId: CrewId): Promise<RunId[]> {
    return this.#store().ids(crewId)
  }

  countOpen(crewId: CrewId): Promise<number> {
    return this.#store().countOpen(crewId)
  }

  listPlan(crewId: CrewId, plan: number): Promise<CrewRun[]> {
    return this.#store().listPlan(crewId, plan)
  }

  listDue(): Promise<CrewRun[]> {
    return this.#store().listDue(this.#deps.place)
  }

  listOpen(): Promise<CrewRun[]> {
    return this.#store().listOpen(this.#deps.place)
  }

  /** Those of all hubs that have a process, or are about to, and whom it speaks for. */
  async listStarted(): Promise<Started<Caller>[]> {
    const runs = await this.#store().listStarted()
    return runs.flatMap(run => (run.process ? [{ record: run.process, what: callerOf(run) }] : []))
  }

  create(fresh: readonly NewCrewRun[], by: Caller): Promise<CrewRun[]> {
    return this.#deps.db.tx(async tx => {
      const { clock, place, events } = this.#deps
      const now = clock.now()
      const runs = fresh.map(given => newRun(given, place, now))
      await new CrewRunStore(tx).insert(runs, clock.steady())
      for (const run of runs) await events.publish(tx, RunCreated, this.state(run), by, project(run))
      return runs
    })
  }

  /** Its stage has come. */
  makeDue(ids: readonly RunId[]): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const now = this.#deps.clock.now()
      for (const id of ids) await new CrewRunStore(tx).save(id, { dueAt: now })
    })
  }

  /**
   * The plan is stored before anything is launched: should we die in between, the mark alone finds what was started, and a run
   * that has a plan is never launched again. Undefined when it is not due any more.
   */
  launching(id: RunId): Promise<Launching | undefined> {
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const run = await store.find(id)
      if (!run || run.endedAt !== null || run.dueAt === null || run.process !== null) return undefined
      const marker = this.#deps.ids.secret('mark')
      const ticket = this.#deps.ids.secret('rtk')
      const process = plannedRecord(marker)
      await store.save(id, { process, ticketDigest: digest(ticket) })
      return { run: { ...run, process }, marker, ticket }
    })
  }

  /** How it stands now: it may have ended meanwhile, or was asked to. */
  launched(id: RunId, process: ProcessRecord, by: Caller): Promise<CrewRun> {
    return this.#whileOpen(id, async (run, store, tx) => {
      const { clock } = this.#deps
      const began = { startedAt: clock.now(), beganAt: clock.steady() }
      await store.save(id, { process, ...began })
      const { role, engine, stage } = run
      const fact = { ...named(run), agentId: null, role, engine, stage }
      await this.#deps.events.publish(tx, RunStarted, fact, by, project(run))
      return { ...run, process, ...began }
    })
  }

  progressed(id: RunId, facts: RunFacts, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const run = await store.find(id)
      if (!run || run.endedAt !== null) return
      await store.save(id, { facts })
      const message = facts.lastMessage?.slice(0, MESSAGE_TOLD) ?? null
      const files = facts.created.length + facts.edited.length + facts.deleted.length
      const fact = { ...named(run), files, message, ...sums(facts) }
      await this.#deps.events.publish(tx, RunProgressed, fact, by, project(run))
    })
  }

  /** Said again, it changes nothing. After the end it completes the result, and the end stays what it was. */
  report(id: RunId, said: Omit<Report, 'source' | 'at'>, by: Caller, live?: RunFacts): Promise<CrewRun> {
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const run = await this.get(id, by)
      const { clock } = this.#deps
      const now = clock.now()
      const report: Report = { ...said, source: 'report', at: now, afterMs: elapsed(run, clock.steady()) }
      if (run.report && sameReport(run.report, report)) return run
      const reportedAt = run.endedAt === null ? (run.reportedAt ?? now) : run.reportedAt
      const facts = run.endedAt === null && live ? live : run.facts
      await store.save(id, { report, reportedAt, facts })
      const reported = { ...run, report, reportedAt, facts }
      await this.#deps.events.publish(tx, ResultReported, resultOf(reported, report), by, project(run))
      return reported
    })
  }

  /** For the caller that started it. */
  stop(id: RunId, by: Caller): Promise<CrewRun> {
    return this.#deps.db.tx(async () => {
      mayStop(await this.get(id, by), by)
      return this.askStop(id, 'stopped', by)
    })
  }

  /** One that was never launched ends at once; the process of another is stopped by the hub that has it. */
  askStop(id: RunId, reason: string, by: Caller): Promise<CrewRun> {
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const run = await store.find(id)
      if (!run) throw RunError.RUN_NOT_FOUND({ runId: id })
      maySee(run, by)
      if (run.endedAt !== null) return run
      if (run.process === null) return this.end(id, { outcome: 'cancelled', reason, exitCode: null }, by)
      if (run.stopAsked !== null) return run
      await store.save(id, { stopAsked: reason })
      await this.#deps.events.publish(tx, RunStopAsked, { ...named(run), reason }, by, project(run))
      return { ...run, stopAsked: reason }
    })
  }

  /** An ended run keeps its first end. */
  end(id: RunId, given: CrewEnding, by: Caller): Promise<CrewRun> {
    return this.#whileOpen(id, async (run, store, tx) => {
      const { clock } = this.#deps
      const now = clock.now()
      const durationMs = elapsed(run, clock.steady())
      const facts = given.facts ?? run.facts
      const ending = settled(run, { ...given, facts })
      const report = run.report ?? reportFor(ending, now, durationMs)
      const changes = {
        endedAt: now,
        durationMs,
        outcome: ending.outcome,
        endReason: ending.reason,
        end: run.report?.source === 'report' ? runEnd('reported') : (ending.end ?? null),
        exitCode: ending.exitCode,
        facts,
        report,
        ticketDigest: null,
        ticketConnection: null,
      }
      await store.save(id, changes)
      await freeSlot(tx, RUN_SLOTS, id, run.projectId)
      const fact = { ...named(run), outcome: ending.outcome, reason: ending.reason, ...sums(facts) }
      await this.#deps.events.publish(tx, RunEnded, fact, by, project(run))
      const ended = { ...run, ...changes }
      await this.#deps.crews.ended(ended, by)
      // Others that would start with this engine would only fail as well, however this one came to its end.
      const { quota, troubled } = facts
      if (quota && troubled) await this.#deps.pauses.pause(run.engine, quota.resetsAt, quota.message, by)
      else if (ending.outcome === 'completed') await this.#deps.pauses.passed(run.engine)
      return ended
    })
  }

  /** A run that has ended is given as it is. */
  #whileOpen(id: RunId, change: (run: CrewRun, store: CrewRunStore, tx: Tx) => Promise<CrewRun>): Promise<CrewRun> {
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const run = await store.find(id)
      if (!run) throw RunError.RUN_NOT_FOUND({ runId: id })
      return run.endedAt === null ? change(run, store, tx) : run
    })
  }

  /** Many that were never launched, without each of them moving its plan on. */
  endQueued(ids: readonly RunId[], ending: Omit<CrewEnding, 'exitCode'>, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new CrewRunStore(tx)
      const now = this.#deps.clock.now()
      const { outcome, reason } = ending
      const report = reportFor({ ...ending, exitCode: null }, now, 0)
      for (const run of await store.findMany(ids)) {
        await store.save(run.id, { endedAt: now, outcome, endReason: reason, report })
        const fact = { ...named(run), outcome, reason }
        await this.#deps.events.publish(tx, RunEnded, fact, by, project(run))
      }
    })
  }

  #store(): CrewRunStore {
    return new CrewRunStore(this.#deps.db)
  }
}

function named(run: CrewRun) {
  return { runId: run.id, taskId: null, crewId: run.crewId }
}

function project(run: CrewRun): string | undefined {
  return run.projectId ?? undefined
}

/** Whenever it was said. */
function sameReport(a: Report, b: Report): boolean {
  const said = (report: Report) => JSON.stringify({ ...report, at: undefined, afterMs: undefined })
  return said(a) === said(b)
}
