// The verbs on crews: made, given runs or a plan of stages, deleted. Slots are taken for a whole request or not at all.
import { randomBytes } from 'node:crypto'
import { confinedTo } from '#contract/access.ts'
import { type Caller, callerName } from '#contract/caller.ts'
import { CrewError, type CrewMode, GroupCreated, GroupDeleted, PlanEnded, StageStarted } from '#contract/crews.ts'
import { CoreError } from '#contract/errors.ts'
import type { CrewId, ProjectId, RunId } from '#contract/id-types.ts'
import { mayGrant } from '#contract/permission.ts'
import { RUN_SLOTS } from '#contract/runs.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Config } from '#contract/config.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { freeSlot, partOf, takeSlots } from '#kernel/slots.ts'
import { type Crew, nextStep, type OnFailure, spareSlots } from './crew-model.ts'
import type { CrewRuns } from './crew-runs.ts'
import type { CrewRun, NewCrewRun } from './model.ts'
import type { Narrowed, StartedWith } from './ports.ts'
import type { Spec } from './specs.ts'
import { CrewStore } from './crew-store.ts'
import { crewView } from './crew-views.ts'

export type CrewsDeps = {
  db: Db
  events: EventLog
  clock: Clock
  runs: Pick<CrewRuns, 'newId' | 'create' | 'makeDue' | 'endQueued' | 'listPlan' | 'countOpen' | 'askStop'>
  limits: () => Config['limits']
  narrowed: Narrowed
  startedWith: StartedWith
}

/** The caller, and what its connection was opened for: a run that signed in as an agent is still a run. */
export type Asking = { by: Caller; opener: Caller }

export class Crews {
  readonly #deps: CrewsDeps

  constructor(deps: CrewsDeps) {
    this.#deps = deps
  }

  create(description: string, mode: CrewMode, projectId: ProjectId | null, by: Caller): Promise<Crew> {
    return this.#deps.db.tx(async tx => {
      const now = this.#deps.clock.now()
      const crew: Crew = {
        id: `grp-${Math.floor(now / 1000)}-${randomBytes(12).toString('hex')}` as CrewId,
        description,
        mode,
        projectId,
        createdBy: callerName(by),
        createdAt: now,
        deletedAt: null,
        plans: 0,
        onFailure: 'stop',
      }
      await new CrewStore(tx).insert(crew)
      await this.#deps.events.publish(tx, GroupCreated, crewView(crew, []), by, projectId ?? undefined)
      return crew
    })
  }

  async get(id: CrewId, by: Caller): Promise<Crew> {
    const crew = await new CrewStore(this.#deps.db).find(id)
    if (!crew) throw CrewError.GROUP_NOT_FOUND({ groupId: id })
    mayUse(crew, by)
    return crew
  }

  /** Those of the ids that there are. */
  known(ids: readonly CrewId[]): Promise<Crew[]> {
    return new CrewStore(this.#deps.db).findMany(ids)
  }

  /** From where a client follows what becomes of a crew. */
  latestEvent(): Promise<number> {
    return this.#deps.events.latest()
  }

  list(before: { createdAt: number; id: CrewId } | undefined, limit: number): Promise<Crew[]> {
    return new CrewStore(this.#deps.db).list(before, limit)
  }

  /** Its runs stay; only no more can be started in it. Deleted again, nothing changes. */
  delete(id: CrewId, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const crew = await this.get(id, by)
      if (crew.deletedAt !== null) return
      const count = await this.#deps.runs.countOpen(id)
      if (count > 0) throw CrewError.GROUP_HAS_RUNNING_AGENTS({ groupId: id, count })
      await new CrewStore(tx).save({ ...crew, deletedAt: this.#deps.clock.now() })
      await this.#deps.events.publish(tx, GroupDeleted, { groupId: id }, by, crew.projectId ?? undefined)
    })
  }

  /** Stages that were to come never begin, and what runs is ended. Answers the ids of those that had not ended. */
  stop(id: CrewId, by: Caller): Promise<RunId[]> {
    return this.#deps.db.tx(async tx => {
      const { runs } = this.#deps
      const crew = await this.get(id, by)
      const open = (await runs.listPlan(id, crew.plans)).filter(({ endedAt }) => endedAt === null)
      // These first: otherwise the end of a stage would begin the next one.
      const later = open.filter(({ dueAt }) => dueAt === null).map(member => member.id)
      await runs.endQueued(later, { outcome: 'cancelled', reason: 'stopped' }, by)
      for (const { id: run, dueAt } of open) if (dueAt !== null) await runs.askStop(run, 'stopped', by)
      if (crew.mode === 'sequential') await this.#adjust(tx, id, crew.plans, [])
      return open.map(member => member.id)
    })
  }

  /** Side by side. Answers the ids of the runs, in the order of the specs. */
  start(id: CrewId, specs: readonly Spec[], { by, opener }: Asking): Promise<RunId[]> {
    return this.#deps.db.tx(async tx => {
      if (specs.length === 0) throw CrewError.EMPTY_AGENTS()
      const crew = await this.#active(id, 'concurrent', by)
      const runs = await this.#fresh(crew, [specs], { by, opener })
      const ids = runs.map(run => run.id)
      await this.#reserve(tx, runs.map(inProject), ids.length)
      await this.#createOrFail(tx, runs, specs, [], by, problem => CrewError.AGENTS_START_FAILED({ problem }))
      return ids
    })
  }

  /** One stage after the other. Answers the ids by stage. */
  submit(id: CrewId, stages: readonly (readonly Spec[])[], onFailure: OnFailure, asking: Asking): Promise<RunId[][]> {
    return this.#deps.db.tx(async tx => {
      const { by } = asking
      if (stages.length === 0) throw CrewError.EMPTY_STAGES()
      const empty = stages.findIndex(stage => stage.length === 0)
      if (empty >= 0) throw CrewError.EMPTY_STAGE_TASKS({ stage: empty })
      const found = await this.#active(id, 'sequential', by)
      const crew: Crew = { ...found, plans: found.plans + 1, onFailure }
      const runs = await this.#fresh(crew, stages, asking)
      const refuse = (problem: string) => CrewError.SEQUENTIAL_START_FAILED({ problem })
      if ((await this.#deps.runs.countOpen(id)) > 0) throw refuse('a plan of this group is still under way')
      const due = runs.filter(run => run.due)
      const first = due.map(run => run.id)
      const width = Math.max(...stages.map(stage => stage.length))
      const spare = spareHolders(crew.id, crew.plans, width - first.length)
      await this.#reserve(tx, [...due.map(inProject), ...spareIn(spare, runs)], width)
      await new CrewStore(tx).save(crew)
      await this.#createOrFail(tx, runs, stages.flat(), spare, by, refuse)
      await this.#tellStage(tx, crew, 0, first, by)
      return stages.map((_, stage) => runs.filter(run => run.stage === stage).map(run => run.id))
    })
  }

  /** In the transaction in which a run ends: its plan moves on. */
  ended(run: Pick<CrewRun, 'crewId' | 'plan' | 'stage'>, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      if (run.stage === null) return
      const { runs, events } = this.#deps
      const crew = await new CrewStore(tx).find(run.crewId)
      if (!crew) return
      const members = await runs.listPlan(crew.id, run.plan)
      const step = nextStep(members, crew.onFailure)
      const begun = step.do === 'start' ? step.runs.map(member => member.id) : []
      if (step.do === 'start') await runs.makeDue(begun)
      if (step.do === 'cancel') {
        const ids = step.runs.map(member => member.id)
        await runs.endQueued(ids, { outcome: 'cancelled', reason: 'stage-failed' }, by)
      }
      await this.#adjust(tx, crew.id, run.plan, begun)
      if (step.do === 'start') return this.#tellStage(tx, crew, step.stage, begun, by)
      if (step.do === 'wait') return
      const outcome = step.do === 'finish' ? step.outcome : 'failed'
      await events.publish(tx, PlanEnded, { crewId: crew.id, outcome }, by, crew.projectId ?? undefined)
    })
  }

  async #active(id: CrewId, mode: CrewMode, by: Caller): Promise<Crew> {
    const crew = await this.get(id, by)
    if (crew.deletedAt !== null) throw CrewError.GROUP_NOT_ACTIVE({ groupId: id })
    const tool = crew.mode === 'concurrent' ? 'run_agents' : 'run_sequential'
    if (crew.mode !== mode) throw CrewError.MODE_MISMATCH({ groupId: id, mode: crew.mode, tool })
    return crew
  }

  async #fresh(crew: Crew, stages: readonly (readonly Spec[])[], { by, opener }: Asking): Promise<NewCrewRun[]> {
    const limits = this.#deps.limits()
    const own = await this.#deps.startedWith(by, opener)
    for (const spec of stages.flat()) {
      if (!spec.role) throw CrewError.ROLE_NOT_FOUND({ role: spec.roleId })
      const { problem } = spec.role
      if (problem !== undefined) throw CrewError.ROLE_UNAVAILABLE({ role: spec.roleId, problem })
      if (spec.forbidden) throw CoreError.NOT_ALLOWED({ what: spec.forbidden })
      if (spec.untrusted) throw spec.untrusted
      mayGrant(spec.role.permission, own, spec.roleId)
    }
    const depth = depthOf(by, opener) + 1
    const isPlan = crew.mode === 'sequential'
    const confined = confinedTo(opener) === undefined ? confinedTo(by) : confinedTo(opener)
    const projectOf = (spec: Spec) => (confined === undefined ? (spec.projectId ?? crew.projectId) : confined)
    for (const projectId of new Set(stages.flat().map(projectOf))) {
      const limit = Math.min(limits.depth, (await this.#deps.narrowed(projectId)).depth ?? Infinity)
      if (depth > limit) throw CrewError.DEPTH_LIMIT_REACHED({ limit })
    }
    return stages.flatMap((specs, stage) =>
      specs.map((spec, position) => ({
        id: this.#deps.runs.newId(),
        crewId: crew.id,
        plan: crew.plans,
        stage: isPlan ? stage : null,
        position,
        projectId: projectOf(spec),
        taskId: spec.taskId ?? null,
        work: spec.work ?? null,
        role: spec.roleId,
        engine: spec.role?.engine ?? '',
        model: spec.role?.model ?? '',
        prompt: spec.prompt,
        instructions: spec.role?.instructions ?? '',
        permission: spec.role?.permission ?? 'edit',
        directory: spec.directory,
        depth,
        timeoutMs: spec.timeoutMs,
        startedBy: callerName(opener.kind === 'run' || opener.kind === 'tab' ? opener : by),
        due: !isPlan || stage === 0,
      })),
    )
  }

  async #reserve(tx: Tx, holders: readonly Holder[], wanted: number): Promise<void> {
    const limit = this.#deps.limits().runs
    const ids = holders.map(({ id }) => id)
    if (!(await takeSlots(tx, RUN_SLOTS, limit, ids, this.#deps.clock.now())))
      throw CrewError.MAX_CONCURRENT_REACHED({ wanted, limit })
    await this.#reserveInProjects(tx, holders, async projectId => {
      const { runs = Infinity, file } = await this.#deps.narrowed(projectId)
      return { limit: runs, refusal: () => CrewError.MAX_CONCURRENT_REACHED({ wanted, limit: runs, file }) }
    })
  }

  /** Counted also where the project's file sets no limit: it may set one while they run. */
  async #reserveInProjects(
    tx: Tx,
    holders: readonly Holder[],
    limitOf: (projectId: ProjectId) => Promise<{ limit: number; refusal: () => Error }>,
  ): Promise<void> {
    for (const projectId of new Set(holders.map(holder => holder.projectId))) {
      if (projectId === null) continue
      const { limit, refusal } = await limitOf(projectId)
      const ids = holders.filter(holder => holder.projectId === projectId).map(({ id }) => id)
      if (!(await takeSlots(tx, partOf(RUN_SLOTS, projectId), limit, ids, this.#deps.clock.now()))) throw refusal()
    }
  }

  /** One that cannot work where it should takes all with it: their rows stay, ended, and nothing is launched. */
  async #createOrFail(
    tx: Tx,
    runs: readonly NewCrewRun[],
    specs: readonly Spec[],
    spare: readonly string[],
    by: Caller,
    refusal: (problem: string) => ReturnType<typeof CrewError.AGENTS_START_FAILED>,
  ): Promise<void> {
    await this.#deps.runs.create(runs, by)
    const problem = specs.find(spec => spec.problem !== undefined)?.problem
    if (problem === undefined) return
    const ids = runs.map(run => run.id)
    await this.#deps.runs.endQueued(ids, { outcome: 'failed', reason: 'start-failed', problem }, by)
    for (const { id, projectId } of [...runs.map(inProject), ...spareIn(spare, runs)])
      await freeSlot(tx, RUN_SLOTS, id, projectId)
    throw refusal(problem).keepingWrites()
  }

  /** As the stages behind it are done, a plan holds on to fewer slots. */
  async #adjust(tx: Tx, crewId: CrewId, plan: number, begun: readonly string[]): Promise<void> {
    const members = await this.#deps.runs.listPlan(crewId, plan)
    for (const { id, projectId } of spareIn(spareHolders(crewId, plan, members.length), members))
      await freeSlot(tx, RUN_SLOTS, id, projectId)
    const spare = spareHolders(crewId, plan, spareSlots(members))
    await takeSlots(tx, RUN_SLOTS, Infinity, [...begun, ...spare], this.#deps.clock.now())
    const started = members.filter(({ id }) => begun.includes(id)).map(inProject)
    await this.#reserveInProjects(tx, [...started, ...spareIn(spare, members)], async () => UNLIMITED)
  }

  async #tellStage(tx: Tx, crew: Crew, stage: number, runIds: RunId[], by: Caller): Promise<void> {
    const fact = { crewId: crew.id, stage, runIds }
    await this.#deps.events.publish(tx, StageStarted, fact, by, crew.projectId ?? undefined)
  }
}

type Holder = { id: string; projectId: ProjectId | null }

/** The plan has taken its slots before; it only gives some of them to other holders. */
const UNLIMITED = { limit: Infinity, refusal: () => new Error('a plan kept too few slots') }

function inProject({ id, projectId }: Holder): Holder {
  return { id, projectId }
}

/** What a plan keeps counts for the project of its first run; plans of several projects are rare. */
function spareIn(spare: readonly string[], runs: readonly Holder[]): Holder[] {
  return spare.map(id => ({ id, projectId: runs[0]?.projectId ?? null }))
}

function spareHolders(crewId: CrewId, plan: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `plan:${crewId}:${plan}:${at}`)
}

/** How deep the caller itself is: a person is not, what another started is. */
function depthOf(by: Caller, opener: Caller): number {
  if (opener.kind === 'run' || opener.kind === 'tab') return opener.depth
  return by.kind === 'starter' || opener.kind === 'starter' || opener.kind === 'agent' ? 1 : 0
}

/** Callers that belong to a project use its crews, their own, and those that they made. */
function mayUse(crew: Crew, by: Caller): void {
  const projectId = confinedTo(by)
  if (projectId === undefined) return
  if (projectId !== null && crew.projectId === projectId) return
  if (crew.createdBy === callerName(by) || (by.kind === 'run' && by.crewId === crew.id)) return
  throw CoreError.NOT_ALLOWED({
    what: {
      en: `Group ${crew.id} belongs to another project.`,
      ja: `グループ ${crew.id} は別のプロジェクトのものです。`,
    },
  })
}
