// Knows the roles there are and whether each could start now. Asking a program for its version takes a while, so that the
// answers are kept and made again in the background.
import { setTimeout as pause } from 'node:timers/promises'
import type { RoleView } from '#contract/crews.ts'
import type { Permission } from '#contract/permission.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Config } from '#contract/config.ts'
import { DEFAULT_ROLES, OWN_MODEL, type Role } from './default-roles.ts'
import type { CrewEngines, EngineHealth } from './ports.ts'

export type RoleState = {
  id: string
  name: string
  engine: string | null
  model: string
  instructions: string
  permission: Permission
  toolsets: Role['toolsets']
  health: EngineHealth
  modelProblem: string | undefined
  modelChecked: boolean
  /** Why it cannot start; undefined when it can. */
  problem: string | undefined
}

type ModelCheck = { problem: string | undefined; checked: boolean }
type Kept = { at: number; health: EngineHealth }
type Deps = { config: () => Pick<Config, 'roles' | 'engines'>; engines: CrewEngines; clock: Clock }

/** An engine that works is asked again after a while; one that does not, soon: a person may be installing it. */
const GOOD_MS = 5 * 60_000
const BAD_MS = 10_000
/** Models that are named where another was meant. */
const SHOWN = 5
/** A list waits no longer than this for programs that have not been asked before. */
const SOON_MS = 3_000

export class Roles {
  readonly #deps: Deps
  readonly #kept = new Map<string, Kept>()
  readonly #models = new Map<string, { at: number; models: Promise<readonly string[] | undefined> }>()
  readonly #asking = new Map<string, Promise<EngineHealth>>()
  /** What is configured may mean another program under the same name. */
  #engines: unknown

  constructor(deps: Deps) {
    this.#deps = deps
  }

  list(refresh = false): Promise<RoleState[]> {
    return Promise.all(this.#all().map(role => this.#state(role, refresh, !refresh)))
  }

  async find(id: string): Promise<RoleState | undefined> {
    const role = this.#all().find(candidate => candidate.id === id)
    return role && this.#state(role, false, false)
  }

  /** Of an engine without a role of its own, with its own choice of model. */
  bare(id: string, engine: string, instructions: string, permission: Permission): Promise<RoleState> {
    return this.#state({ id, engine, instructions, permission, model: OWN_MODEL, toolsets: [] }, false, false)
  }

  /** What its runs are offered besides the tools of their own work, as the configuration stands now. */
  toolsetsOf(id: string): Role['toolsets'] {
    return this.#all().find(role => role.id === id)?.toolsets ?? []
  }

  #all(): Role[] {
    const own: readonly Role[] = this.#deps.config().roles
    const ids = new Set(own.map(role => role.id))
    return [...own, ...DEFAULT_ROLES.filter(role => !ids.has(role.id))]
  }

  async #state(role: Role, refresh: boolean, soon: boolean): Promise<RoleState> {
    const engine = role.engine ?? (await this.#firstHealthy(refresh, soon))
    const health: EngineHealth = engine
      ? await this.#within(soon, engine, this.#health(engine, refresh))
      : { ok: false, problem: `none of ${this.#deps.engines.ids().join(', ')} is installed` }
    const { problem: modelProblem, checked: modelChecked } = await this.#model(engine, role.model, health, soon)
    const paused = engine ? await this.#deps.engines.paused(engine) : undefined
    const wait =
      paused && `${engine} has no quota left until ${new Date(paused.until).toISOString()} (${paused.reason})`
    return {
      id: role.id,
      name: role.name ?? role.id,
      engine: engine ?? null,
      model: role.model,
      instructions: role.instructions ?? '',
      permission: role.permission,
      toolsets: role.toolsets,
      health,
      modelProblem,
      modelChecked,
      problem: health.ok ? (modelProblem ?? wait) : health.problem,
    }
  }

  async #model(engine: string | undefined, model: string, health: EngineHealth, soon: boolean): Promise<ModelCheck> {
    const { engines } = this.#deps
    if (engine === undefined || model === OWN_MODEL) return { problem: undefined, checked: true }
    const problem = engines.modelProblem(engine, model)
    if (problem !== undefined || engines.knowsModels(engine)) return { problem, checked: true }
    const models = health.ok ? await this.#listed(engine, soon) : undefined
    if (models?.includes(model)) return { problem: undefined, checked: true }
    // A project's own configuration may add providers that are not listed here.
    const provider = /^[^/]+\//.exec(model)?.[0] ?? ''
    const others = models?.filter(listed => listed.startsWith(provider)) ?? []
    if (others.length === 0) return { problem: undefined, checked: false }
    const shown = others.slice(0, SHOWN).join(', ') + (others.length > SHOWN ? ', …' : '')
    return { problem: `${engine} does not list the model ${model}; it lists ${shown}`, checked: true }
  }

  /** What the engine says it runs. The first answer is waited for no longer than that of its version. */
  async #listed(engine: string, soon: boolean): Promise<readonly string[] | undefined> {
    const kept = this.#models.get(engine)
    if (kept && this.#deps.clock.monotonic() - kept.at < GOOD_MS) return soon ? within(kept.models) : kept.models
    const models = this.#deps.engines.models(engine).catch(() => undefined)
    this.#models.set(engine, { at: this.#deps.clock.monotonic(), models })
    return soon ? within(models) : models
  }

  /** All are asked at once; one that is slow to answer is passed over while another is there. */
  async #firstHealthy(refresh: boolean, soon: boolean): Promise<string | undefined> {
    const asked = this.#deps.engines.ids().map(id => ({ id, health: this.#health(id, refresh) }))
    const quick = await this.#preferred(asked.map(({ id, health }) => ({ id, health: this.#within(true, id, health) })))
    return quick ?? (soon ? undefined : this.#preferred(asked))
  }

  async #preferred(asked: readonly { id: string; health: Promise<EngineHealth> }[]): Promise<string | undefined> {
    let paused: string | undefined
    for (const { id, health } of asked) {
      if (!(await health).ok) continue
      if (!(await this.#deps.engines.paused(id))) return id
      paused ??= id
    }
    return paused
  }

  /** A program that hangs holds up no call: its answer is awaited in the background. */
  async #within(soon: boolean, engine: string, health: Promise<EngineHealth>): Promise<EngineHealth> {
    if (!soon) return health
    const waiting = `${engine} has not told its version yet; ask again in a moment`
    return (await within(health)) ?? { ok: false, problem: waiting }
  }

  async #health(engine: string, refresh: boolean): Promise<EngineHealth> {
    const { engines } = this.#deps.config()
    if (this.#engines !== engines) {
      this.#engines = engines
      this.#kept.clear()
      this.#models.clear()
    }
    const kept = this.#kept.get(engine)
    if (refresh || !kept) return this.#ask(engine)
    const age = this.#deps.clock.monotonic() - kept.at
    if (age < (kept.health.ok ? GOOD_MS : BAD_MS)) return kept.health
    const asked = this.#ask(engine)
    // One that worked a while ago most likely still does: no call waits for the news.
    return kept.health.ok ? kept.health : asked
  }

  #ask(engine: string): Promise<EngineHealth> {
    const asking = this.#asking.get(engine)
    if (asking) return asking
    const asked = this.#deps.engines
      .check(engine)
      .catch((error): EngineHealth => ({ ok: false, problem: (error as Error).message }))
      .then(health => {
        this.#kept.set(engine, { at: this.#deps.clock.monotonic(), health })
        return health
      })
      .finally(() => this.#asking.delete(engine))
    this.#asking.set(engine, asked)
    return asked
  }
}

/** Undefined when it takes longer than a list waits. */
async function within<T>(answer: Promise<T>): Promise<T | undefined> {
  const late = new AbortController()
  const patience = pause(SOON_MS, undefined, { signal: late.signal }).catch(() => undefined)
  return Promise.race([answer, patience]).finally(() => late.abort())
}

export function roleView(role: RoleState): RoleView {
  const { health, modelProblem, modelChecked, problem } = role
  return {
    id: role.id,
    name: role.name,
    engine: role.engine,
    model: role.model,
    permission: role.permission,
    available: problem === undefined,
    healthCheck: health.ok
      ? { ok: true, program: health.program, ...(health.version !== undefined && { version: health.version }) }
      : { ok: false, error: health.problem },
    modelValidation:
      modelProblem === undefined
        ? { ok: true, ...(!modelChecked && { checked: false as const }) }
        : { ok: false, error: modelProblem },
    ...(problem !== undefined && { reason: problem }),
    ...(role.toolsets.length > 0 && { toolsets: role.toolsets }),
  }
}
