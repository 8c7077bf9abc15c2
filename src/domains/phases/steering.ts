// The verbs with which people steer a project through its phases beyond one step ahead. What was done stays on record.
import { type Caller, callerName } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { type Phase, PhaseError, PHASES, PhaseTurned, PromptAdopted } from '#contract/phases.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { after, currentOf, isFinished, keeping, type Prompt, type Transition, type Turn } from './model.ts'
import type { Projects } from './ports.ts'
import { LANGUAGES, type Offer, type Prompts } from './prompts.ts'
import { findProject, startPhase } from './starting.ts'
import { PhaseStore } from './store.ts'
import type { Whereabouts } from './whereabouts.ts'

export type Adopted = {
  projectId: ProjectId
  phase: Phase
  /** In each language that it has a prompt in. */
  prompts: { prompt: Prompt; before: Prompt | undefined }[]
}
/** Where a page of steps ended: the last number of either kind. */
export type StepCursor = { transition: number; turn: number }
export type Step = { step: Transition | Turn; cursor: StepCursor }

type Deps = { db: Db; events: EventLog; clock: Clock; projects: Projects; prompts: Prompts }

export class Steering {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** What the source has now for the phase in progress. Never inside a transaction. */
  async offers(where: Whereabouts, lang: Lang, by: Caller): Promise<Offer[]> {
    const { prompts, projects, db } = this.#deps
    const project = await findProject(projects, where, by)
    const phase = project && currentOf(await new PhaseStore(db).states(project.id))
    if (!phase || !prompts.isRemote) return []
    const offers = await Promise.all(LANGUAGES.map(language => prompts.offerAnew(phase, language)))
    const own = offers[LANGUAGES.indexOf(lang)]
    if (own && 'error' in own && !(await prompts.ofProject(project.id, phase, lang))) throw own.error
    return offers
  }

  /** The phase in progress goes on with the prompts that are in force now. */
  refresh(where: Whereabouts, offers: readonly Offer[], by: Caller): Promise<Adopted> {
    return this.#deps.db.tx(async tx => {
      const { prompts, projects, events } = this.#deps
      const project = await findProject(projects, where, by)
      const store = new PhaseStore(tx)
      const states = project ? await store.states(project.id) : []
      const state = states.find(known => known.status === 'in_progress')
      if (!project || !state) {
        const last = states.at(-1)
        const { phase, status } = last ?? { phase: PHASES[0], status: 'pending' as const }
        throw PhaseError.INVALID_PHASE_TRANSITION({ phase, status, current: null })
      }
      for (const offer of offers) if (offer && 'prompt' in offer) await prompts.store(tx, offer.prompt)
      const { phase } = state
      const fresh = keeping(state, await prompts.mark(tx, phase))
      const adopted: Adopted['prompts'] = []
      for (const language of LANGUAGES) {
        const prompt = await prompts.kept(fresh, language)
        if (prompt) adopted.push({ prompt, before: await prompts.kept(state, language) })
      }
      if (adopted.some(({ prompt, before }) => prompt.number !== before?.number)) {
        if (!(await store.replace(state, fresh)))
          throw PhaseError.INVALID_PHASE_TRANSITION({ phase, status: state.status, current: phase })
        await events.publish(tx, PromptAdopted, { projectId: project.id, phase }, by, project.id)
      }
      return { projectId: project.id, phase, prompts: adopted }
    })
  }

  /** A completed phase is in progress again; those after it wait, and will be gone through again. */
  back(where: Whereabouts, phase: Phase, reason: string, by: Caller): Promise<{ projectId: ProjectId; left: Phase[] }> {
    return this.#deps.db.tx(async tx => {
      const project = await findProject(this.#deps.projects, where, by)
      const store = new PhaseStore(tx)
      const states = project ? await store.states(project.id) : []
      const state = states.find(known => known.phase === phase)
      if (!project || state?.status !== 'completed')
        throw PhaseError.PHASE_NOT_COMPLETED({ phase, status: state?.status ?? 'pending' })
      const later = states.filter(known => after(phase).includes(known.phase))
      const round = await store.round(project.id)
      await this.#turn(tx, { projectId: project.id, kind: 'back', phase, round, reason, states: [state, ...later] }, by)
      for (const left of later) await store.remove(left)
      const upto = await this.#deps.prompts.markUnasked(tx, phase)
      await startPhase(this.#deps, tx, { projectId: project.id, phase, upto, previous: state, reason }, by)
      return { projectId: project.id, left: later.map(left => left.phase) }
    })
  }

  /** A finished project begins with the first phase again. */
  restart(
    where: Whereabouts,
    reason: string | null,
    by: Caller,
  ): Promise<{ projectId: ProjectId; phase: Phase; round: number }> {
    return this.#deps.db.tx(async tx => {
      const project = await findProject(this.#deps.projects, where, by)
      const store = new PhaseStore(tx)
      const states = project ? await store.states(project.id) : []
      if (!project || !isFinished(states)) throw PhaseError.PHASES_NOT_FINISHED({ current: currentOf(states) })
      const [phase] = PHASES
      const round = (await store.round(project.id)) + 1
      await this.#turn(tx, { projectId: project.id, kind: 'round', phase, round, reason, states }, by)
      for (const state of states) await store.remove(state)
      const upto = await this.#deps.prompts.markUnasked(tx, phase)
      await startPhase(this.#deps, tx, { projectId: project.id, phase, upto, reason }, by)
      return { projectId: project.id, phase, round }
    })
  }

  /** Every step of every round, newest first. */
  async history(
    where: Whereabouts,
    at: StepCursor = { transition: Number.MAX_SAFE_INTEGER, turn: Number.MAX_SAFE_INTEGER },
    limit: number,
    by: Caller,
  ): Promise<{ projectId: ProjectId | null; steps: Step[] }> {
    const project = await findProject(this.#deps.projects, where, by)
    if (!project) return { projectId: null, steps: [] }
    const store = new PhaseStore(this.#deps.db)
    const transitions = await store.lastTransitions(project.id, at.transition, limit)
    const turns = await store.turns(project.id, at.turn, limit)
    let cursor = at
    const steps = inTurn(turns, transitions).map(({ number, ...step }) => {
      cursor = 'kind' in step ? { ...cursor, turn: number } : { ...cursor, transition: number }
      return { step, cursor }
    })
    return { projectId: project.id, steps: steps.slice(0, limit) }
  }

  /** The last end of a phase in each project, if it was after `since`. */
  lastEnds(since: number, limit: number): Promise<Transition[]> {
    return new PhaseStore(this.#deps.db).newestTransitions(since, limit)
  }

  /** Projects in the middle of this phase with an earlier prompt: all, or one. */
  async keepers(phase: Phase, projectId: ProjectId | undefined): Promise<string[]> {
    const all = await new PhaseStore(this.#deps.db).inProgress(phase, KEEPERS)
    return projectId === undefined ? all : all.filter(id => id === projectId)
  }

  async #turn(tx: Tx, turn: Omit<Turn, 'caller' | 'at'>, by: Caller): Promise<void> {
    const { clock, events } = this.#deps
    await new PhaseStore(tx).addTurn({ ...turn, caller: callerName(by), at: clock.now() })
    const { projectId, phase, kind, round, reason } = turn
    await events.publish(tx, PhaseTurned, { projectId, phase, kind, round, reason }, by, projectId)
  }
}

/** By time, but each kind in its own order: a clock that was set back must not make a page pass over anything. */
function inTurn<A extends { at: number }, B extends { at: number }>(
  some: readonly A[],
  others: readonly B[],
): (A | B)[] {
  const [a, b] = [some[0], others[0]]
  if (!a || !b) return [...some, ...others]
  return a.at >= b.at ? [a, ...inTurn(some.slice(1), others)] : [b, ...inTurn(some, others.slice(1))]
}

/** More need not be named. */
const KEEPERS = 1000
