// What can be started on this machine: engines whose programs are here, in projects whose folders are.
import type { ApiOutput } from '#contract/api.ts'
import type { Config } from '#contract/config.ts'
import { allEngines } from '#engines/all-engines.ts'
import { findProgram } from '#engines/find-program.ts'
import { type Folders, isFolder } from './folders.ts'
import type { Unable } from './instance.ts'

type Deps = { config: () => Pick<Config, 'engines'>; source: NodeJS.ProcessEnv; folders: Folders }

export class Abilities {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** As they are reported to the hub. */
  now() {
    return { engines: this.#engines(), folders: { ...this.#deps.folders.here } }
  }

  /** Why this cannot be started here after all; the hub hears of it before it offers anything again. */
  async whyNot({ engine, directory }: ApiOutput<'runner.begin'>, projectId: string): Promise<Unable | undefined> {
    if (!this.#engines().includes(engine)) return { kind: 'program-missing' }
    if (await isFolder(directory)) return undefined
    this.#deps.folders.missed(projectId)
    return { kind: 'folder-missing', said: directory }
  }

  #engines(): string[] {
    const { config, source } = this.#deps
    const here = [...allEngines(config()).values()].filter(
      engine => engine.headless && findProgram(engine.programs, source),
    )
    return here.map(({ id }) => id)
  }
}
