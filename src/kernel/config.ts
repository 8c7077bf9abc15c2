// Owns $TORYO_HOME/config.json: JSON with comments, checked, reloaded when it changes. A broken file never replaces a
// good one that is already loaded. What may be in it: contract/config.ts.
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { findNodeAtLocation, parse, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { Config } from '#contract/config.ts'
import type { Log } from './log.ts'

/** Problems of a file that are named. */
const SHOWN = 20

export class ConfigError extends Error {}

/** The file's settings; the defaults when there is no file. Errors name the line. */
export function readConfig(file: string): Config {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Config.parse({})
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`)
  }
  return parseConfig(text.replace(/^\uFEFF/, ''), file)
}

export function parseConfig(text: string, file: string): Config {
  const problems: ParseError[] = []
  const options = { allowTrailingComma: true }
  const value: unknown = parse(text, problems, options)
  const [first] = problems
  if (first) throw new ConfigError(`${file}:${lineAt(text, first.offset)}: ${printParseErrorCode(first.error)}`)
  const result = Config.safeParse(value)
  if (result.success) return result.data
  const tree = parseTree(text, [], options)
  // Each costs a walk through the file, and a person fixes a few at a time.
  const lines = result.error.issues.slice(0, SHOWN).map(issue => {
    const path = issue.path as (string | number)[]
    const node = tree && (findNodeAtLocation(tree, path) ?? findNodeAtLocation(tree, path.slice(0, -1)))
    return `${file}:${lineAt(text, node?.offset ?? 0)}: ${path.join('.') || 'the file'}: ${issue.message}`
  })
  throw new ConfigError(lines.join('\n'))
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

export class ConfigFile {
  readonly #file: string
  readonly #log: Log
  #config: Config
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(file: string, log: Log) {
    this.#file = file
    this.#log = log
    this.#config = readConfig(file)
  }

  get current(): Config {
    return this.#config
  }

  /** Watches the folder: editors replace the file rather than write into it. */
  watch(): void {
    const name = basename(this.#file)
    this.#watcher = watch(dirname(this.#file), { persistent: false }, (_event, changed) => {
      if (changed !== name) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#reload(), 100)
      this.#timer.unref()
    })
    this.#watcher.on('error', error => this.#log.warn({ err: error }, 'the configuration is no longer watched'))
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#watcher?.close()
  }

  #reload(): void {
    try {
      this.#config = readConfig(this.#file)
      this.#log.info({ file: this.#file }, 'configuration reloaded')
    } catch (error) {
      this.#log.error({ file: this.#file, problem: (error as Error).message }, 'configuration kept as it was')
    }
  }
}
