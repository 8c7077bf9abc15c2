// What Runners start: one row and one slot for each engine process, from the claim to its proven end. A pair is not started
// again before that, so that two instances never work in one folder.
import type { Caller } from '#contract/caller.ts'
import type { AgentId, InstanceId, ProjectId, TaskId } from '#contract/id-types.ts'
import { IdentityError, InstanceEnded } from '#contract/identity.ts'
import { type Permission, USUAL_PERMISSION } from '#contract/permission.ts'
import { type EndKind, type RunEnd, runEnd } from '#contract/run-end.ts'
import { RUN_SLOTS } from '#contract/runs.ts'
import { type EndCause, HOLD_MS, type InstanceState, type RunSeen } from '#contract/runner.ts'
import type { Db, Rows, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { Started } from '#kernel/processes/origin.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { freeSlot, partOf, takeSlots } from '#kernel/slots.ts'
import { InstanceStore } from './instance-store.ts'
import { type Agent, type Instance, isLive, isTaken, type Lease, type Loss, START_MS } from './model.ts'
import type { EnginePauses, Projects, StartedRuns } from './ports.ts'
import { runnerOf } from './runners.ts'
import { AgentStore } from './agent-store.ts'
import { SessionStore } from './store.ts'

export type StartsDeps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  limits: () => { runs: number }
  engines: Pick<EnginePauses, 'pause' | 'passed'>
  projects: Pick<Projects, 'find'>
  runs: StartedRuns
  /** Called when an instance whose work is not reported has ended. */
  lost(tx: Tx, lease: Lease, loss: Loss, by: Caller): Promise<void>
}

export type Begun = { instance: Instance; agent: Agent; projectName: string; directory: string }

export type Ended = {
  cause: EndCause
  exitCode: number | null
  signal: string | null
  message: string
  quota: { message: string; resetsAt: number | undefined } | undefined
  /** Runners of earlier versions say only the message. */
  end: RunEnd | undefined
  logPath: string | null
  seen: RunSeen | null
}

export type Settled = {
  /** False when it was known already. */
  known: boolean
  report: 'success' | 'failed' | 'blocked' | undefined
  end: RunEnd
}

/** Until a start is tried again whose workspace could not be made: a person must do something first, most likely. */
const NO_WORKSPACE_MS = 120_000
/** Long enough to count starts, and for people who look. */
const KEPT_MS = 24 * 3600_000

export class Starts {
  readonly #deps: StartsDeps

  constructor(deps: StartsDeps) {
    this.#deps = deps
  }

  /** In the transaction of the claim. `where`: the project, and the task whose workspace it is for. */
  async open(
    tx: Tx,
    agent: Agent,
    where: { projectId: ProjectId; taskId: TaskId | null },
    epoch: number,
    ticket: string,
    by: Caller,
  ): Promise<void> {
    const { clock, ids, limits } = this.#deps
    const now = clock.steady()
    const instance: Instance = {
      id: ids.next('ins'),
      agentId: agent.id,
      ...where,
      epoch,
      engine: agent.engine,
      permission: USUAL_PERMISSION,
      runner: runnerOf(by),
      startedAt: now,
      heldUntil: now + START_MS,
      supervised: false,
      endedAt: null,
      process: null,
    }
    await new InstanceStore(tx).insert(instance, digest(ticket))
    await this.#deps.runs.begun(instance, by)
    await takeSlots(tx, RUN_SLOTS, limits().runs, [slotOf(instance)], now)
    await takeSlots(tx, partOf(RUN_SLOTS, where.projectId), Infinity, [slotOf(instance)], now)
  }

  async findOpen(rows: Rows, lease: Lease): Promise<Instance | undefined> {
    const open = await new InstanceStore(rows).listOpen(lease.agentId, lease.projectId)
    return open.find(instance => instance.epoch === lease.epoch)
  }

  /** Those in the workspace of this task. */
  listOn(taskId: TaskId): Promise<Instance[]> {
    return new InstanceStore(this.#deps.db).listOn(taskId)
  }

  /** What the instance of this epoch was started for; undefined when it was not started. */
  findByEpoch({ agentId, projectId, epoch }: Pick<Instance, 'agentId' | 'projectId' | 'epoch'>) {
    return new InstanceStore(this.#deps.db).findByEpoch(agentId, projectId, epoch)
  }

  /** One of this Runner's that has not ended. */
  async findOwn(id: InstanceId, by: Caller): Promise<Instance | undefined> {
    const instance = await new InstanceStore(this.#deps.db).find(id)
    return instance?.endedAt === null && instance.runner === runnerOf(by) ? instance : undefined
  }

  /** What the instance of this epoch was started with; undefined when there was none, or long ago. */
  async permissionOf(instance: {
    agentId: AgentId
    projectId: ProjectId
    epoch: number
  }): Promise<Permission | undefined> {
    const { agentId, projectId, epoch } = instance
    return (await new InstanceStore(this.#deps.db).findByEpoch(agentId, projectId, epoch))?.permission
  }

  /** The lease of this epoch is given up. A process that a Runner holds keeps its slot until that Runner reports its end. */
  async leave(tx: Tx, lease: Pick<Lease, 'agentId' | 'projectId' | 'epoch'>, by: Caller): Promise<void> {
    const now = this.#deps.clock.steady()
    for (const instance of await new InstanceStore(tx).listOpen(lease.agentId, lease.projectId)) {
      const isHeld = instance.supervised && instance.heldUntil > now
      if (instance.epoch <= lease.epoch && !isHeld) await this.#forget(tx, instance, by)
    }
  }

  /** Its agent came by its passkey. Where none of our Runners watches the process, that is the agent which was started. */
  async replaced(tx: Tx, lease: Pick<Lease, 'agentId' | 'projectId' | 'epoch'>, epoch: number, by: Caller) {
    const instance = (await new InstanceStore(tx).listOpen(lease.agentId, lease.projectId)).find(
      open => open.epoch === lease.epoch,
    )
    if (instance && !instance.supervised) await this.#deps.runs.renamed(instance, epoch)
    await this.leave(tx, lease, by)
  }

  /** Processes whose lease is free and that no Runner reports on. */
  listUnheld(limit: number): Promise<Instance[]> {
    return new InstanceStore(this.#deps.db).listUnheld(this.#deps.clock.steady(), limit)
  }

  /** Closes those of them of which that is still so; answers how many. */
  settle(unheld: readonly Instance[], by: Caller): Promise<number> {
    return this.#deps.db.tx(async tx => {
      const store = new InstanceStore(tx)
      const now = this.#deps.clock.steady()
      let closed = 0
      for (const { id, agentId, projectId } of unheld) {
        const instance = await store.find(id)
        if (!instance || instance.endedAt !== null || instance.heldUntil > now) continue
        const lease = await new SessionStore(tx).findLease(agentId, projectId)
        if (lease?.epoch === instance.epoch && isTaken(lease)) continue
        await this.#forget(tx, instance, by)
        closed++
      }
      return closed
    })
  }

  /** Granted, without a process so far, and by now of an agent that is disabled or a project that is archived. */
  async listUnwanted(limit: number): Promise<Instance[]> {
    const granted = (await this.listOpen()).filter(({ supervised }) => !supervised)
    const unwanted: Instance[] = []
    for (const instance of granted) if (!(await this.#isWanted(instance, this.#deps.db))) unwanted.push(instance)
    return unwanted.slice(0, limit)
  }

  /** The Runner is refused them, so no other process would report their end. Answers how many were still so. */
  takeBack(unwanted: readonly Instance[], by: Caller): Promise<number> {
    return this.#deps.db.tx(async tx => {
      let closed = 0
      for (const { id, agentId, projectId } of unwanted) {
        const instance = await new InstanceStore(tx).find(id)
        if (!instance || instance.endedAt !== null || instance.supervised || (await this.#isWanted(instance, tx)))
          continue
        const end = runEnd('taken-away')
        await this.#deps.runs.forgotten(instance, end, by)
        await this.#close(tx, instance)
        const lease = await new SessionStore(tx).findLease(agentId, projectId)
        if (lease?.epoch === instance.epoch) await this.#deps.lost(tx, lease, { counts: false, end }, by)
        closed++
      }
      return closed
    })
  }

  listOld(limit: number): Promise<InstanceId[]> {
    return new InstanceStore(this.#deps.db).listEndedBefore(this.#deps.clock.steady() - KEPT_MS, limit)
  }

  forget(ids: readonly InstanceId[]): Promise<void> {
    return this.#deps.db.tx(tx => new InstanceStore(tx).forget(ids))
  }

  count(): Promise<number> {
    return new InstanceStore(this.#deps.db).countOpen()
  }

  /** Those that have not ended, the oldest first. */
  async listOpen(
    filter: { projectId?: ProjectId | undefined; agentId?: AgentId | undefined } = {},
  ): Promise<Instance[]> {
    const open = await new InstanceStore(this.#deps.db).listAllOpen()
    return open
      .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
      .filter(({ agentId }) => filter.agentId === undefined || agentId === filter.agentId)
      .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
  }

  /** Those whose process their Runners reported, and the caller that each stands for: the holder of its ticket. */
  async listStarted(): Promise<Started<Caller>[]> {
    const open = await new InstanceStore(this.#deps.db).listStarted()
    return open.flatMap(({ process, agentId, projectId, epoch }) =>
      process ? [{ record: process, what: { kind: 'starter' as const, agentId, projectId, epoch } }] : [],
    )
  }

  /** A Runner is about to start the process, and from now on reports on it. By `process` it is recognised when it connects. */
  begin(
    agentId: AgentId,
    projectId: ProjectId,
    ticket: string,
    process: ProcessRecord | undefined,
    by: Caller,
  ): Promise<Begun> {
    return this.#deps.db.tx(async tx => {
      const lease = await new SessionStore(tx).findLeaseByTicket(digest(ticket))
      const isRight = lease?.agentId === agentId && lease.projectId === projectId
      const instance = lease && isRight ? await this.findOpen(tx, lease) : undefined
      const agent = await new AgentStore(tx).find(agentId)
      const project = await this.#deps.projects.find(projectId)
      if (!instance || !agent || !project || project.directory === null || instance.runner !== runnerOf(by))
        throw IdentityError.TICKET_REFUSED()
      if ((await this.#renew(tx, instance, process)) !== 'starting') throw IdentityError.TICKET_REFUSED()
      return { instance, agent, projectName: project.name, directory: project.directory }
    })
  }

  /** These still run; how each of them stands. */
  hold(
    ids: readonly InstanceId[],
    processes: ReadonlyMap<InstanceId, { record: ProcessRecord; logPath: string | undefined }>,
    by: Caller,
  ): Promise<{ id: InstanceId; state: InstanceState }[]> {
    return this.#deps.db.tx(async tx => {
      const states: { id: InstanceId; state: InstanceState }[] = []
      for (const id of ids) {
        const instance = await this.#own(tx, id, by)
        const { record, logPath } = processes.get(id) ?? {}
        // Once: the first that is said of the process.
        if (instance && logPath !== undefined && (instance.process?.pid ?? 0) === 0)
          await this.#deps.runs.logged(instance, logPath)
        states.push({ id, state: instance ? await this.#renew(tx, instance, record) : 'gone' })
      }
      return states
    })
  }

  /** What its process has output so far. False: it is not this Runner's any more. */
  progressed(id: InstanceId, seen: RunSeen, by: Caller): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const instance = await this.#own(tx, id, by)
      if (instance) await this.#deps.runs.progressed(instance, seen, by)
      return instance !== undefined
    })
  }

  /** Proof of the end: the pair is free and what was open has ended, all at once. */
  ended(id: InstanceId, ended: Ended, by: Caller): Promise<Settled> {
    return this.#deps.db.tx(async tx => {
      const instance = await new InstanceStore(tx).find(id)
      if (instance?.runner !== runnerOf(by)) return { known: false, report: undefined, end: endOf(ended) }
      const { agentId, projectId, epoch, engine } = instance
      const lease = await new SessionStore(tx).findLease(agentId, projectId)
      const isOwn = lease?.epoch === epoch
      const end = whyEnded(endOf(ended), isOwn && lease.startBy !== null && lease.sessionId === null)
      const { cause, exitCode, signal, quota, logPath, seen } = ended
      const report = await this.#deps.runs.ended(instance, { end, exitCode, logPath, seen }, by)
      // It was given up before; now it is known how it went.
      if (instance.endedAt !== null) return { known: false, report, end }
      await this.#close(tx, instance)
      // A Runner does not know of the report, and would say that there was none.
      const message = report === undefined ? ended.message : ''
      const fact = { agentId, projectId, epoch, cause, exitCode, signal, message }
      await this.#deps.events.publish(tx, InstanceEnded, fact, by, projectId)
      if (quota) await this.#deps.engines.pause(engine, quota.resetsAt, quota.message, by)
      else if (report !== undefined) await this.#deps.engines.passed(engine)
      if (!isOwn || !isTaken(lease)) return { known: true, report, end }
      // Neither a Runner that was asked to stop, nor a folder that is not trusted, nor an account that is used up is the agent's fault.
      const counts = cause !== 'stopped' && cause !== 'untrusted' && quota === undefined
      const pauseMs = end.kind === 'no-workspace' ? NO_WORKSPACE_MS : undefined
      await this.#deps.lost(tx, lease, { counts, end, exitCode: exitCode ?? undefined, pauseMs }, by)
      return { known: true, report, end }
    })
  }

  async #renew(tx: Tx, instance: Instance, process: ProcessRecord | undefined): Promise<InstanceState> {
    const now = this.#deps.clock.steady()
    await new InstanceStore(tx).hold(instance.id, now + HOLD_MS, process)
    const store = new SessionStore(tx)
    const lease = await store.findLease(instance.agentId, instance.projectId)
    if (lease?.epoch !== instance.epoch || !(await this.#isWanted(instance, tx))) return 'gone'
    const session = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
    if (isLive(session, now)) return 'running'
    if (lease.startBy === null) return (await this.#deps.runs.wasStopped(instance)) ? 'gone' : 'left'
    // As long as its process is there the start goes on; how long that may take is the Runner's to say.
    if (lease.startBy > now) await store.saveLease({ ...lease, startBy: now + START_MS })
    return 'starting'
  }

  async #isWanted({ agentId, projectId }: Instance, rows: Rows): Promise<boolean> {
    const agent = await new AgentStore(rows).find(agentId)
    const project = await this.#deps.projects.find(projectId)
    return agent?.enabled === true && project?.active === true
  }

  /** Another Runner's instances are none of its business. */
  async #own(tx: Tx, id: InstanceId, by: Caller): Promise<Instance | undefined> {
    const instance = await new InstanceStore(tx).find(id)
    return instance?.endedAt === null && instance.runner === runnerOf(by) ? instance : undefined
  }

  /** Without a word of its Runner. */
  async #forget(tx: Tx, instance: Instance, by: Caller): Promise<void> {
    await this.#deps.runs.forgotten(instance, runEnd(instance.supervised ? 'silent' : 'not-taken-up'), by)
    await this.#close(tx, instance)
  }

  async #close(tx: Tx, instance: Instance): Promise<void> {
    await new InstanceStore(tx).end(instance.id, this.#deps.clock.steady())
    await freeSlot(tx, RUN_SLOTS, slotOf(instance), instance.projectId)
  }
}

function slotOf({ agentId, projectId, epoch }: Instance): string {
  return `lease:${agentId}:${projectId}:${epoch}`
}

const KINDS: Record<EndCause, EndKind> = {
  itself: 'unknown',
  'time-limit': 'time-limit',
  silence: 'silence',
  'no-sign-in': 'no-sign-in',
  'not-started': 'not-started',
  untrusted: 'untrusted',
  'runner-lost': 'runner-lost',
  stopped: 'stopped',
}

function endOf({ end, cause, message }: Ended): RunEnd {
  return end ?? runEnd(KINDS[cause], { said: message })
}

/** A program that ended in order may have done so because it was never let in. */
function whyEnded(end: RunEnd, isSignedOut: boolean): RunEnd {
  return end.kind === 'no-report' && isSignedOut ? { ...end, kind: 'no-sign-in' } : end
}
