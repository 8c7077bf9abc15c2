// The verbs on the phases of a project.
import { type Caller, callerName } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { CheckpointSaved, type Phase, PHASES, PhaseEnded, PhaseError, type PhaseResult } from '#contract/phases.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { missingFiles } from '#kernel/paths.ts'
import { parsePrompt } from './front-matter.ts'
import {
  type Checkpoint,
  currentOf,
  ended,
  keeping,
  type NewPrompt,
  nextOf,
  type PhaseState,
  type Prompt,
  refusesMissing,
  requestDigest,
  startsWhenAsked,
  type Transition,
} from './model.ts'
import type { ProjectFacts, Projects } from './ports.ts'
import type { Offer, Prompts } from './prompts.ts'
import type { Shelf } from './shelf.ts'
import { findProject, startPhase } from './starting.ts'
import { PhaseStore } from './store.ts'
import type { Whereabouts } from './whereabouts.ts'

export type Ask = { where: Whereabouts; phase: Phase; lang: Lang; offer: Offer }
export type Injection = {
  project: ProjectFacts
  prompt: Prompt | NewPrompt
  states: PhaseState[]
  cached: boolean
  fetchedAt: number
}
export type PhaseFacts = {
  projectId: ProjectId | null
  round: number
  state: PhaseState | undefined
  /** Of all attempts in this round. */
  outputFiles: string[]
}

export type Saved = { projectId: ProjectId; at: number }
export type Overview = {
  project: ProjectFacts | undefined
  round: number
  states: PhaseState[]
  checkpoints: Map<string, number>
}

type Deps = { db: Db; events: EventLog; clock: Clock; projects: Projects; prompts: Prompts; shelf: Shelf }

export class Phases {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The project that a call names, if it names one; throws when there is none. */
  async named(projectId: ProjectId | undefined, by: Caller): Promise<ProjectId | undefined> {
    return projectId === undefined ? undefined : (await this.#deps.projects.enter(projectId, by)).id
  }

  /** Whether the project has a prompt of its own, so that no source need be asked. */
  async hasOwnPrompt(where: Whereabouts, phase: Phase, lang: Lang, by: Caller): Promise<boolean> {
    const project = await this.#find(where, by)
    return project !== undefined && (await this.#deps.prompts.ofProject(project.id, phase, lang)) !== undefined
  }

  /** The prompt, when giving it out changes nothing. */
  async look(ask: Ask, by: Caller): Promise<Injection | undefined> {
    const { prompts, db } = this.#deps
    const { phase, lang, offer, where } = ask
    const store = new PhaseStore(db)
    // On the way of every call: what does not need the project does not wait for it.
    const guess = 'projectId' in where ? where.projectId : this.#deps.shelf.lastAt(where.place)
    const [project, guessed] = await Promise.all([
      this.#find(where, by),
      guess === undefined ? undefined : store.states(guess),
    ])
    if (!project) return undefined
    if ('place' in where) this.#deps.shelf.was(where.place, project.id)
    const states = guessed && project.id === guess ? guessed : await store.states(project.id)
    const state = states.find(one => one.phase === phase)
    if (startsWhenAsked(phase, state)) return undefined
    if (state?.status === 'in_progress') {
      const kept = await prompts.keptKnown(state, lang)
      return kept && { project, prompt: kept, states, ...prompts.give(kept, offer) }
    }
    const prompt = await prompts.inForce(phase, lang, offer, project.id)
    if (prompts.isRemote && !(await prompts.isStored(prompt))) return undefined
    return { project, prompt, states, ...prompts.give(prompt, offer) }
  }

  /** Gives the prompt out; starts the first phase, and a failed one again. */
  inject(ask: Ask, by: Caller): Promise<Injection> {
    return this.#deps.db.tx(async tx => {
      const { prompts } = this.#deps
      const { phase, lang, offer } = ask
      const project = await this.#ensure(ask.where, by)
      const store = new PhaseStore(tx)
      const states = await store.states(project.id)
      const state = states.find(known => known.phase === phase)
      const starting = startsWhenAsked(phase, state)
      const running = !starting && state?.status === 'in_progress' ? state : undefined
      const kept = running && (await prompts.kept(running, lang))
      const prompt = kept ?? (await prompts.inForce(phase, lang, offer, project.id))
      if (prompts.isRemote && !kept) await prompts.store(tx, prompt)
      if (starting) {
        const upto = await prompts.mark(tx, phase)
        await startPhase(this.#deps, tx, { projectId: project.id, phase, upto, previous: state }, by)
      }
      if (running?.promptsUpto === null) await store.replace(running, keeping(running, await prompts.mark(tx, phase)))
      return { project, prompt, states, ...prompts.give(prompt, offer) }
    })
  }

  /** The files a phase in progress should have left behind and has not. Looks at the disk: never inside a transaction. */
  async missing(
    where: Whereabouts,
    phase: Phase,
    lang: Lang,
    folders: readonly string[],
    by: Caller,
  ): Promise<string[]> {
    const project = await this.#find(where, by)
    if (!project) return []
    const states = await new PhaseStore(this.#deps.db).states(project.id)
    const state = states.find(known => known.phase === phase)
    if (state?.status !== 'in_progress') return []
    const prompt = await this.#deps.prompts.kept(state, lang)
    const requires = prompt ? parsePrompt(prompt.content).requires : []
    if (requires.length === 0) return []
    return missingFiles([...(project.directory === null ? [] : [project.directory]), ...folders], requires)
  }

  /** One step: ends the phase and starts the next. The same call again gets the same answer. */
  transition(
    where: Whereabouts,
    phase: Phase,
    result: PhaseResult,
    missing: readonly string[],
    by: Caller,
  ): Promise<Transition> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, prompts } = this.#deps
      const store = new PhaseStore(tx)
      const project = await this.#find(where, by)
      const states = project ? await store.states(project.id) : []
      const state = states.find(known => known.phase === phase)
      const refusal = { phase, status: state?.status ?? 'pending', current: currentOf(states) } as const
      if (!project || !state) throw PhaseError.INVALID_PHASE_TRANSITION(refusal)
      if (state.status !== 'in_progress') {
        const last = (await store.transitions(project.id, phase, await store.round(project.id))).at(-1)
        if (last?.request === requestDigest(result)) return last
        throw PhaseError.INVALID_PHASE_TRANSITION(refusal)
      }
      if (refusesMissing(result.status, missing))
        throw PhaseError.INVALID_PHASE_TRANSITION({ ...refusal, missing: [...missing] })
      const now = clock.now()
      if (!(await store.replace(state, ended(state, result, now)))) throw PhaseError.INVALID_PHASE_TRANSITION(refusal)
      const nextPhase = result.status === 'failed' ? null : nextOf(phase)
      const transition = {
        projectId: project.id,
        phase,
        request: requestDigest(result),
        result,
        nextPhase,
        missing: result.status === 'failed' ? [] : [...missing],
        caller: callerName(by),
        at: now,
        round: await store.round(project.id),
      }
      await store.addTransition(transition)
      const fact = {
        projectId: project.id,
        phase,
        outcome: result.status,
        next: nextPhase,
        missing: transition.missing,
      }
      await events.publish(tx, PhaseEnded, fact, by, project.id)
      if (nextPhase !== null && !states.some(known => known.phase === nextPhase)) {
        const upto = await prompts.markUnasked(tx, nextPhase)
        await startPhase(this.#deps, tx, { projectId: project.id, phase: nextPhase, upto }, by)
      }
      return transition
    })
  }

  /** Starts a failed phase again. */
  retry(where: Whereabouts, named: Phase | undefined, by: Caller): Promise<{ projectId: ProjectId; phase: Phase }> {
    return this.#deps.db.tx(async tx => {
      const project = await this.#find(where, by)
      const states = project ? await new PhaseStore(tx).states(project.id) : []
      const phase = named ?? states.find(known => known.status === 'failed')?.phase ?? currentOf(states) ?? PHASES[0]
      const state = states.find(known => known.phase === phase)
      if (!project || state?.status !== 'failed')
        throw PhaseError.PHASE_NOT_FAILED({ phase, status: state?.status ?? 'pending' })
      const upto = await this.#deps.prompts.markUnasked(tx, phase)
      await startPhase(this.#deps, tx, { projectId: project.id, phase, upto, previous: state }, by)
      return { projectId: project.id, phase }
    })
  }

  /** Begins with the first phase. Where a phase has begun before, it is left as it is. */
  start(where: Whereabouts, by: Caller): Promise<{ projectId: ProjectId; phase: Phase; started: boolean }> {
    return this.#deps.db.tx(async tx => {
      const project = await this.#ensure(where, by)
      const states = await new PhaseStore(tx).states(project.id)
      const phase = currentOf(states) ?? states.at(-1)?.phase ?? PHASES[0]
      if (states.length > 0) return { projectId: project.id, phase, started: false }
      const upto = await this.#deps.prompts.markUnasked(tx, phase)
      await startPhase(this.#deps, tx, { projectId: project.id, phase, upto }, by)
      return { projectId: project.id, phase, started: true }
    })
  }

  save(where: Whereabouts, phase: Phase, name: string, data: unknown, by: Caller): Promise<Saved> {
    return this.#deps.db.tx(async tx => {
      const project = await this.#ensure(where, by)
      const at = this.#deps.clock.now()
      const store = new PhaseStore(tx)
      const place = { projectId: project.id, phase, round: await store.round(project.id) }
      await store.addCheckpoint(place, { name, data, caller: callerName(by), at })
      const fact = { projectId: project.id, phase, checkpoint: name }
      await this.#deps.events.publish(tx, CheckpointSaved, fact, by, project.id)
      return { projectId: project.id, at }
    })
  }

  /** A folder that has no project yet has only phases that wait. */
  async facts(where: Whereabouts, phase: Phase, by: Caller): Promise<PhaseFacts> {
    const project = await this.#find(where, by)
    if (!project) return { projectId: null, round: 1, state: undefined, outputFiles: [] }
    const store = new PhaseStore(this.#deps.db)
    const states = await store.states(project.id)
    const round = await store.round(project.id)
    const results = (await store.transitions(project.id, phase, round)).map(transition => transition.result)
    return {
      projectId: project.id,
      round,
      state: states.find(known => known.phase === phase),
      outputFiles: [...new Set(results.flatMap(result => result.outputFiles ?? []))],
    }
  }

  checkpoints(
    place: { projectId: ProjectId; phase: Phase; round: number },
    below: number | undefined,
    limit: number,
  ): Promise<Checkpoint[]> {
    return new PhaseStore(this.#deps.db).checkpoints(place, below ?? Number.MAX_SAFE_INTEGER, limit)
  }

  /** All that was started, with the number of checkpoints of each phase. */
  async overview(where: Whereabouts, by: Caller): Promise<Overview> {
    const project = await this.#find(where, by)
    if (!project) return { project: undefined, round: 1, states: [], checkpoints: new Map() }
    const store = new PhaseStore(this.#deps.db)
    const states = await store.states(project.id)
    const round = await store.round(project.id)
    return { project, round, states, checkpoints: await store.countCheckpoints(project.id, round) }
  }

  #find(where: Whereabouts, by: Caller): Promise<ProjectFacts | undefined> {
    return findProject(this.#deps.projects, where, by)
  }

  #ensure(where: Whereabouts, by: Caller): Promise<ProjectFacts> {
    const { projects } = this.#deps
    return 'projectId' in where ? projects.enter(where.projectId, by) : projects.ensureAt(where.place, by)
  }
}
