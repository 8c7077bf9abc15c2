// The engines as runs and roles need them: found on this machine, prepared for one run, read while it works.
import type { Permission } from '#contract/permission.ts'
import type { EngineView } from '#contract/views.ts'
import { OWN_MODEL } from '#domains/runs/default-roles.ts'
import type { CrewEngines, EngineHealth, Prepared, RunEngines } from '#domains/runs/ports.ts'
import type { Engine, McpEntry } from '#engines/engine.ts'
import { allEngines } from '#engines/all-engines.ts'
import { existedBefore } from '#engines/existed.ts'
import { findProgram } from '#engines/find-program.ts'
import { checkEngine, listModels } from '#engines/find.ts'
import { endOf } from '#engines/ending.ts'
import { judge } from '#engines/judge.ts'
import { Patience } from '#engines/patience.ts'
import type { Config } from '#contract/config.ts'

export type HeadlessEnginesOptions = {
  config: () => Pick<Config, 'engines'>
  /** What the environments of programs are picked from. */
  env: NodeJS.ProcessEnv
  /** How a run that has this ticket reaches the hub. */
  mcp: (ticketFile: string) => McpEntry
  paused: CrewEngines['paused']
}

export type FoundEngine = Omit<EngineView, 'paused_until'>

export class HeadlessEngines implements RunEngines, CrewEngines {
  readonly #options: HeadlessEnginesOptions

  constructor(options: HeadlessEnginesOptions) {
    this.#options = options
  }

  ids(): string[] {
    return [...this.#all()].filter(([, engine]) => 'headless' in engine).map(([id]) => id)
  }

  /** What is there, by a look alone: nothing is started. */
  list(): FoundEngine[] {
    return [...this.#all().values()].map(engine => ({
      engine: engine.id,
      programs: [...engine.programs],
      program: findProgram(engine.programs, this.#options.env) ?? null,
      headless: engine.headless !== undefined,
      terminal: engine.terminal !== undefined,
    }))
  }

  async check(id: string): Promise<EngineHealth> {
    const engine = this.#all().get(id)
    if (!engine) return { ok: false, problem: `engine ${id} not found` }
    if (!engine.headless) return { ok: false, problem: `${id} works in a terminal only` }
    return checkEngine(engine, this.#options.env)
  }

  modelProblem(id: string, model: string): string | undefined {
    return this.#all().get(id)?.modelProblem(model)
  }

  async models(id: string): Promise<string[] | undefined> {
    const engine = this.#all().get(id)
    return engine && listModels(engine, this.#options.env)
  }

  knowsModels(id: string): boolean {
    return this.#all().get(id)?.knowsModels === true
  }

  paused(id: string) {
    return this.#options.paused(id)
  }

  async prepare(request: Parameters<RunEngines['prepare']>[0]): Promise<Prepared> {
    const engine = this.#all().get(request.engine)
    if (!engine?.headless) throw new Error(`engine ${request.engine} is not configured any more`)
    const { env: source, mcp } = this.#options
    const { args, env, stdin, program } = await engine.headless({
      folder: request.folder,
      directory: request.directory,
      source,
      permission: request.permission as Permission,
      prompt: request.prompt,
      ...(request.model !== OWN_MODEL && { model: request.model }),
      mcp: mcp(request.ticketFile),
    })
    const found = findProgram(program === undefined ? engine.programs : [program], source)
    if (found === undefined) throw new Error(`${engine.programs.join(' or ')} is not in PATH`)
    return prepared(engine, { program: found, args, env, stdin: stdin ?? '' }, request.directory)
  }

  #all(): Map<string, Engine> {
    return allEngines(this.#options.config())
  }
}

function prepared(
  engine: Engine,
  call: Pick<Prepared, 'program' | 'args' | 'env' | 'stdin'>,
  directory: string,
): Prepared {
  let log: (line: string) => void = () => {}
  const reader = engine.reader({ cwd: directory, exists: existedBefore(), remark: line => log(line) })
  let patience: Patience | undefined
  return {
    ...call,
    push: (bytes, from) => {
      const isNew = reader.push(bytes, from).length > 0
      if (isNew) patience?.heard(reader.facts)
      return isNew
    },
    bearWith: (ms, giveUp) => void (patience = new Patience(ms, giveUp)),
    remarkTo: to => void (log = to),
    end: () => {
      patience?.dispose()
      reader.end()
    },
    get facts() {
      return reader.facts
    },
    judge: exit => judge(engine.capabilities, reader.facts, exit),
    why: (by, limits) => endOf(engine, reader, by, limits).end,
  }
}
