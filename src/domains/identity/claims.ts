// Whether an agent is to be started for its work now, and the claim that lets one Runner do it.
import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { StartClaimed } from '#contract/identity.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { Needs, Unmet } from './abilities.ts'
import { freeLease, type Leases } from './leases.ts'
import { type Agent, type Lease, lostAt, pairKey, START_MS, whyBusy } from './model.ts'
import type { Pair, Projects, Trust } from './ports.ts'
import type { Candidate, StartChecks } from './start-checks.ts'
import type { Starts } from './starts.ts'
import { AgentStore } from './agent-store.ts'
import { SessionStore } from './store.ts'

type Deps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  projects: Projects
  starts: Pick<Starts, 'open' | 'listOpen'>
  checks: StartChecks
  leases: Leases
  trust: Pick<Trust, 'refusal' | 'lookAgain'>
  bases: { look(projectId: ProjectId, agentId: AgentId): Promise<void> }
}

type Due = { agent: Agent; lease: Lease; needs: Needs & { taskId: TaskId | null } }

export type StartAnswer = { start: false; reason: string } | { start: true; ticket: string; agent: Agent }

export class Claims {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Checks and claims in one step, so that two runners never start the same pair twice. */
  claim(agentId: AgentId, projectId: ProjectId, by: Caller): Promise<StartAnswer> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      const found = await store.findLease(agentId, projectId)
      if (found) await this.#deps.leases.settle(tx, found, by)
      const looked = await this.#lookAt(agentId, projectId, by)
      if (typeof looked === 'string') return no(looked)

      const { agent, lease, needs } = looked
      const epoch = lease.epoch + 1
      const ticket = this.#deps.ids.secret('tkt')
      await this.#deps.starts.open(tx, agent, { projectId, taskId: needs.taskId }, epoch, ticket, by)
      await store.saveLease({
        ...lease,
        epoch,
        ticketDigest: digest(ticket),
        ticketConnection: null,
        startBy: this.#deps.clock.steady() + START_MS,
        sessionId: null,
      })
      await this.#deps.events.publish(tx, StartClaimed, { agentId, projectId, epoch }, by, projectId)
      return { start: true, ticket, agent }
    })
  }

  /** The answer of `claim` where it is no and nothing has to be written for it; Runners ask all the time. */
  async whyNot(agentId: AgentId, projectId: ProjectId, by: Caller): Promise<string | undefined> {
    const lease = await new SessionStore(this.#deps.db).findLease(agentId, projectId)
    if (lease && (await this.#deps.leases.lostAt(lease)) !== undefined) return undefined
    const looked = await this.#lookAt(agentId, projectId, by)
    return typeof looked === 'string' ? looked : undefined
  }

  /**
   * The pairs that a Runner should ask `should_start` about now: those that have work and are free, as far as that can be seen for
   * all of them at once. It leaves out no pair of which the answer would be yes.
   */
  async listStartable(by: Caller): Promise<Pair[]> {
    return this.#deps.checks.listPossible(await this.#free(), by)
  }

  /**
   * Those that have work, are free and that no Runner which is there can take, each with what is lacking: by as many queries for a
   * thousand as for one. Whether a workspace is taken or elsewhere is left out: their Runner lacks something in any case.
   */
  async listWaiting(): Promise<(Unmet & { agent: Agent })[]> {
    const free = await this.#free()
    return this.#deps.checks.listUnmet(free)
  }

  async #free(): Promise<Candidate[]> {
    const { db, projects, starts, clock } = this.#deps
    const pairs = await projects.listWithWork()
    if (pairs.length === 0) return []
    const ids = [...new Set(pairs.map(({ agentId }) => agentId))]
    const agents = new Map((await new AgentStore(db).enabledAmong(ids)).map(agent => [agent.id, agent]))
    const open = await starts.listOpen()
    const busy = new Set(open.map(pairKey))
    const held = new Map(open.map(instance => [`${pairKey(instance)} ${instance.epoch}`, instance]))
    const now = clock.steady()
    for (const { lease, session } of await new SessionStore(db).listPairs(ids)) {
      // What fell silent is settled by the claim.
      if (lostAt(lease, session, held.get(`${pairKey(lease)} ${lease.epoch}`), now) !== undefined)
        busy.delete(pairKey(lease))
      else if (whyBusy(lease, session, now)) busy.add(pairKey(lease))
    }
    return pairs.flatMap(pair => {
      const agent = agents.get(pair.agentId)
      return agent && !busy.has(pairKey(pair)) ? [{ ...pair, agent }] : []
    })
  }

  /** Whether the bases here have what this agent's tasks waited for. Slow; not for use inside a transaction. */
  lookAtBases(agentId: AgentId, projectId: ProjectId): Promise<void> {
    return this.#deps.bases.look(projectId, agentId)
  }

  /** What a Runner refused before may be another by now. */
  lookAgain(projectId: ProjectId, by: Caller): Promise<void> {
    return this.#deps.trust.lookAgain(projectId, by)
  }

  /** Why nothing may start in the project's folder on this machine. */
  async whyNotHere(projectId: ProjectId): Promise<string | undefined> {
    const project = await this.#deps.projects.find(projectId)
    const refusal = project?.directory ? await this.#deps.trust.refusal(project.directory) : undefined
    return refusal && 'trust_required'
  }

  /** Why the pair is not to be started now, or what a start needs. Something that is overdue has been settled. */
  async #lookAt(agentId: AgentId, projectId: ProjectId, by: Caller): Promise<string | Due> {
    const due = await this.#due(agentId, projectId)
    if (typeof due === 'string') return due
    const { checks, db } = this.#deps
    return (await checks.whyNot(due.agent, due.needs, by, db)) ?? due
  }

  /** What a start that is due waits for; undefined when it is not due, or a Runner that is there can take it. */
  async waitsFor(agentId: AgentId, projectId: ProjectId): Promise<(Unmet & { agentName: string }) | undefined> {
    const due = await this.#due(agentId, projectId)
    const unmet = typeof due === 'string' ? undefined : await this.#deps.checks.unmet(due.agent, due.needs)
    return unmet && typeof due !== 'string' ? { ...unmet, agentName: due.agent.name } : undefined
  }

  /** What a start of the pair needs, whichever Runner makes it; or why there is nothing to start. */
  async #due(agentId: AgentId, projectId: ProjectId): Promise<string | Due> {
    const { db, projects, clock } = this.#deps
    const agent = await new AgentStore(db).find(agentId)
    if (!agent) return 'unknown_agent'
    if (!agent.enabled) return 'agent_disabled'
    const project = await projects.find(projectId)
    if (!project) return 'unknown_project'
    if (!project.active) return 'project_archived'
    if (project.directory === null) return 'no_directory'
    if (!(await projects.isAssigned(projectId, agentId))) return 'not_assigned'

    const store = new SessionStore(db)
    const lease = (await store.findLease(agentId, projectId)) ?? freeLease(agentId, projectId)
    const session = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
    const busy = whyBusy(lease, session, clock.steady())
    if (busy) return busy
    const work = await projects.startFor(projectId, agentId)
    if (typeof work === 'string') return work
    const workspace = work.taskId !== null
    return {
      agent,
      lease,
      needs: { engine: agent.engine, projectId, directory: project.directory, workspace, ...work },
    }
  }
}

function no(reason: string): StartAnswer {
  return { start: false, reason }
}
