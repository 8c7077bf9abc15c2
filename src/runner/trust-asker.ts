// Looks at the folders that agents would be started in, on this machine, and asks the hub whether a person has trusted them.
import type { ApiInput, ApiOutput } from '#contract/api.ts'
import type { AgentConfigSeen } from '#contract/trust.ts'
import type { Scout } from '#engines/agent-config.ts'

type Ask = (input: ApiInput<'runner.inspect'>) => Promise<ApiOutput<'runner.inspect'>>

export class TrustAsker {
  readonly #scout: Scout
  readonly #ask: Ask
  /** What was last reported to the hub about a project that it refused. */
  readonly #refused = new Map<string, string>()

  constructor(scout: Scout, ask: Ask) {
    this.#scout = scout
    this.#ask = ask
  }

  /** Why nothing may start there; undefined when it may. */
  async refusal(projectId: string, directory: string): Promise<string | undefined> {
    const seen = await this.#look(directory)
    if (isNothing(seen) && !this.#refused.has(projectId)) return undefined
    return this.#tell(projectId, seen)
  }

  /** For a project that the hub refuses: it is asked again only when the folder has changed since. */
  async isTrustedNow({ projectId, directory }: { projectId: string; directory: string }): Promise<boolean> {
    const seen = await this.#look(directory)
    if (this.#refused.get(projectId) === JSON.stringify(seen)) return false
    return (await this.#tell(projectId, seen)) === undefined
  }

  async #tell(projectId: string, seen: AgentConfigSeen): Promise<string | undefined> {
    const { trusted, problem } = await this.#ask({ project_id: projectId, seen })
    if (trusted) this.#refused.delete(projectId)
    else this.#refused.set(projectId, JSON.stringify(seen))
    return trusted ? undefined : (problem ?? 'the folder is not trusted')
  }

  async #look(directory: string): Promise<AgentConfigSeen> {
    const looked = await this.#scout.look(directory)
    // Where there is nothing, git need not be asked either.
    const remote = isNothing(looked) ? '' : (await this.#scout.placeOf(directory)).remote
    return { ...looked, remote }
  }
}

function isNothing({ files, excess }: Omit<AgentConfigSeen, 'remote'>): boolean {
  return excess === undefined && Object.keys(files).length === 0
}
