// Whether a person has looked at what a directory tells agents to do. Asked before any engine starts in it.
import { realpath } from 'node:fs/promises'
import { type Caller, callerName } from '#contract/caller.ts'
import { ProjectTrusted, TabError } from '#contract/tabs.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Repositories } from './ports.ts'
import { TrustStore } from './store.ts'
import { type AgentConfig, agentConfigHash, isCovered, TooMuchConfig } from './trust.ts'

export type TrustDeps = { db: Db; events: EventLog; clock: Clock; repositories: Pick<Repositories, 'remoteOf'> }

/** What there is to be trusted, read before the transaction. */
export type Evidence = { directory: string; remote: string; config: AgentConfig | undefined }

/** Of many files the first ones say enough. */
const NAMED = 5

export class Trusts {
  readonly #deps: TrustDeps

  constructor(deps: TrustDeps) {
    this.#deps = deps
  }

  /** Throws TRUST_REQUIRED unless the directory brings no configuration, or one that was trusted for the project's folder. */
  async check(directory: string, project: string): Promise<void> {
    const found = await configOf(directory)
    if (!found) return
    const { place, remote } = await this.#whose(project)
    const trusted = await new TrustStore(this.#deps.db).list(place, remote)
    if (trusted.some(trust => isCovered(found, trust))) return
    const known = new Set(trusted.flatMap(trust => Object.entries(trust.files).map(file => file.join('\0'))))
    const unknown = Object.entries(found.files).filter(file => !known.has(file.join('\0')))
    throw required(directory, unknown.length > 0 ? unknown.map(([name]) => name) : Object.keys(found.files))
  }

  /** Of `directory`, to be trusted for the project's folder, which it usually is. */
  async evidence(directory: string, project = directory): Promise<Evidence> {
    const config = await configOf(directory)
    const { place, remote } = await this.#whose(project)
    return { directory: place, remote, config }
  }

  /** True when there was something to trust. */
  grant({ directory, remote, config }: Evidence, by: Caller, projectId?: string): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      if (!config) return false
      const { hash, files } = config
      await new TrustStore(tx).save({ directory, remote, hash, files, by: callerName(by), at: this.#deps.clock.now() })
      await this.#deps.events.publish(tx, ProjectTrusted, { directory, remote, hash }, by, projectId)
      return true
    })
  }

  async #whose(project: string): Promise<{ place: string; remote: string }> {
    const place = await realpath(project).catch(() => project)
    return { place, remote: await this.#deps.repositories.remoteOf(place) }
  }
}

async function configOf(directory: string): Promise<AgentConfig | undefined> {
  try {
    return await agentConfigHash(directory)
  } catch (error) {
    if (error instanceof TooMuchConfig) throw required(directory, [error.message])
    throw error
  }
}

function required(directory: string, names: readonly string[]) {
  const shown = names.slice(0, NAMED).join(', ')
  const files = names.length > NAMED ? `${shown}, … (${names.length})` : shown
  return TabError.TRUST_REQUIRED({ directory, files })
}
