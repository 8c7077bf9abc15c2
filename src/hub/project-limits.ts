// The limits that a repository sets for itself in .toryo/config.json. They can only take away: the user's own limits are checked
// besides. So the file needs no trust first.
import { parse } from 'jsonc-parser'
import type { Config } from '#contract/config.ts'
import { ConfigError, parseConfig } from '#kernel/config.ts'
import { Reader } from '#kernel/git/inside.ts'
import type { Log } from '#kernel/log.ts'

export const PROJECT_FILE = '.toryo/config.json'
const TEXT_BYTES = 256 * 1024
/** Those that mean something for one project. The others guard the machine or the hub. */
const NAMES = ['runs', 'tabs', 'checks', 'launchesPerMinute', 'startsPerMinute', 'depth'] as const

export type Narrowing = Partial<Pick<Config['limits'], (typeof NAMES)[number]>>
type Known = { text: string | undefined; given: Narrowing; problem: string | undefined }

export class ProjectLimits {
  readonly #log: Pick<Log, 'warn'>
  readonly #known = new Map<string, Known>()

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log
  }

  /** What the file in this folder sets. One that is broken changes nothing of what it set before. */
  in(directory: string): Narrowing {
    return this.#look(directory).given
  }

  /** What is wrong with it, with its line. */
  problemIn(directory: string): string | undefined {
    return this.#look(directory).problem
  }

  /** Read each time, at once: a start must not overtake the file, and a transaction does not wait for disks. */
  #look(directory: string): Known {
    const before = this.#known.get(directory)
    const text = textIn(directory)
    if (before && before.text === text) return before
    const known: Known = { text, ...readIn(text, before?.given ?? {}) }
    if (known.problem !== undefined)
      this.#log.warn({ directory, problem: known.problem }, 'project configuration left as it was')
    this.#known.set(directory, known)
    return known
  }
}

function readIn(text: string | undefined, before: Narrowing): Pick<Known, 'given' | 'problem'> {
  if (text === undefined) return { given: {}, problem: undefined }
  try {
    const { limits } = parseConfig(text, PROJECT_FILE)
    // A default is not something that the file says.
    const said = (parse(text, [], { allowTrailingComma: true }) as { limits?: object }).limits ?? {}
    const given = Object.fromEntries(NAMES.flatMap(name => (name in said ? [[name, limits[name]]] : [])))
    return { given, problem: undefined }
  } catch (error) {
    if (error instanceof ConfigError) return { given: before, problem: error.message }
    throw error
  }
}

/** Undefined where there is none, also because the folder is on another machine. */
function textIn(directory: string): string | undefined {
  try {
    using reader = new Reader(directory)
    const content = reader.read(PROJECT_FILE, TEXT_BYTES)
    if (content?.kind !== 'file') return undefined
    // Too large to be one: reported as broken.
    return content.bytes?.toString('utf8').replace(/^\uFEFF/, '') ?? `// ${content.size} bytes`
  } catch {
    return undefined // No folder, or one that we may not read.
  }
}
