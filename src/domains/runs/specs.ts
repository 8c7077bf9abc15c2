// Looks at everything a request needs that must not hold a transaction: roles, programs, folders. Decides nothing: the verbs
// refuse what is wrong, in their order.
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { confinedTo } from '#contract/access.ts'
import type { HubError, Text } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import type { Call } from '#kernel/tool.ts'
import type { Places, Trust } from './ports.ts'
import type { Roles, RoleState } from './roles.ts'

export type AskedRun = {
  role: string
  prompt: string
  workingDirectory?: string | undefined
  timeout_ms?: number | undefined
}

export type Spec = {
  roleId: string
  role: RoleState | undefined
  prompt: string
  timeoutMs: number | null
  /** Without links. */
  directory: string
  projectId: ProjectId | null
  /** The task in whose workspace it works. */
  taskId?: TaskId
  /** Left out: what its prompt says. */
  work?: 'review'
  /** Why nothing can work there. */
  problem?: string
  /** Why this caller may not. */
  forbidden?: Text
  /** Why nothing may start there until a person has looked at the folder. */
  untrusted?: HubError
}

export class Specs {
  readonly #deps: { roles: Roles; places: Places; trust: Pick<Trust, 'refusal'> }

  constructor(deps: { roles: Roles; places: Places; trust: Pick<Trust, 'refusal'> }) {
    this.#deps = deps
  }

  of(asked: readonly AskedRun[], call: Pick<Call, 'caller' | 'connection'>): Promise<Spec[]> {
    const refusals = new Map<string, ReturnType<Trust['refusal']>>()
    /** Each folder is looked at once, however many shall work in it. */
    const refusal = (directory: string) => {
      const known = refusals.get(directory) ?? this.#deps.trust.refusal(directory)
      refusals.set(directory, known)
      return known
    }
    return Promise.all(asked.map(one => this.#look(one, call, refusal)))
  }

  /** The project that a crew made by this caller belongs to. */
  async projectOf(
    { caller, connection }: Pick<Call, 'caller' | 'connection'>,
    directory?: string,
  ): Promise<ProjectId | null> {
    const own = confinedTo(caller)
    if (own !== undefined) return own
    const here = directory ?? connection?.directory
    const real = here === undefined ? undefined : await realpath(here).catch(() => undefined)
    return real === undefined ? null : this.#deps.places.projectAt(real)
  }

  async #look(
    asked: AskedRun,
    { caller, connection }: Pick<Call, 'caller' | 'connection'>,
    refusal: Trust['refusal'],
  ): Promise<Spec> {
    const { roles, places } = this.#deps
    const role = await roles.find(asked.role)
    const timeoutMs = asked.timeout_ms === undefined ? null : Math.ceil(asked.timeout_ms)
    const opener = connection?.opener ?? caller
    const by = confinedTo(opener) === undefined ? caller : opener
    const roots = await places.rootsOf(by)
    const wanted = asked.workingDirectory ?? connection?.directory ?? roots?.[0]
    const spec = { roleId: asked.role, role, prompt: asked.prompt, timeoutMs, directory: wanted ?? '', projectId: null }
    if (wanted === undefined) return { ...spec, problem: 'workingDirectory is missing and the client has no folder' }
    if (!isAbsolute(wanted)) return { ...spec, problem: `${wanted} is not an absolute path` }
    const directory = await realFolder(wanted)
    if (directory === undefined) return { ...spec, problem: `${wanted} is not a folder` }
    if (roots && !roots.some(root => isWithin(root, directory)))
      return { ...spec, directory, forbidden: outside(wanted) }
    // A worktree lies outside of its project's folder, but runs that are started from it belong to the project.
    const projectId = (await places.projectAt(directory)) ?? confinedTo(by) ?? null
    const untrusted = await refusal(directory)
    return { ...spec, directory, projectId, ...(untrusted && { untrusted }) }
  }
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    return undefined // Not there, or not to be looked at.
  }
}

/** By whole names, so that /project-two is not within /project. */
function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

function outside(path: string): Text {
  return {
    en: `${path} lies outside of your project; runs may work inside of it only.`,
    ja: `${path} はプロジェクトの外にあります。実行できるのはプロジェクトの中だけです。`,
  }
}
