// Owns $TORYO_HOME/config.json: JSON with comments, checked, reloaded when it changes. A broken file never replaces a
// good one that is already loaded. What may be in it: contract/config.ts.
import fs, { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, parse, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { Config } from '#contract/config.ts'
import type { Lang, Text } from '#contract/errors.ts'
import { syntaxWords } from '#contract/json-syntax.ts'
import { codeOf, readRegular } from '#system/files.ts'
import { issueWords, THE_FILE, unreadable } from './config-words.ts'
import type { Log } from './log.ts'
import { Refused } from './refused.ts'

/** Problems of a file that are named. */
const SHOWN = 20
export const MAX_BYTES = 10 * 1024 * 1024

/** `message` is for the log, `text` for people. */
export class ConfigError extends Refused {}

/** The file's settings; the defaults when there is no file. Errors name the line. */
export function readConfig(file: string): Config {
  let text: string
  try {
    text = readRegular(fs, file, MAX_BYTES)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Config.parse({})
    throw new ConfigError(unreadable(file, (error as Error).message))
  }
  return parseConfig(text.replace(/^\uFEFF/, ''), file)
}

export function parseConfig(text: string, file: string): Config {
  const problems: ParseError[] = []
  const options = { allowTrailingComma: true }
  const value: unknown = parse(text, problems, options)
  const [first] = problems
  if (first)
    throw new ConfigError(
      at(file, lineAt(text, first.offset), undefined, syntaxWords(printParseErrorCode(first.error))),
    )
  const result = Config.safeParse(value)
  if (result.success) return result.data
  const tree = parseTree(text, [], options)
  // Each costs a walk through the file, and a person fixes a few at a time.
  const lines = result.error.issues.slice(0, SHOWN).map(issue => {
    const path = issue.path as (string | number)[]
    const node = tree && (findNodeAtLocation(tree, path) ?? findNodeAtLocation(tree, path.slice(0, -1)))
    const where = path.length === 0 ? THE_FILE : { en: path.join('.'), ja: path.join('.') }
    return at(file, lineAt(text, node?.offset ?? 0), where, issueWords(issue))
  })
  throw new ConfigError({ en: lines.map(({ en }) => en).join('\n'), ja: lines.map(({ ja }) => ja).join('\n') })
}

function at(file: string, line: number, where: Text | undefined, what: Text): Text {
  const sentence = (lang: Lang) => [`${file}:${line}`, ...(where ? [where[lang]] : []), what[lang]].join(': ')
  return { en: sentence('en'), ja: sentence('ja') }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

export class ConfigFile {
  readonly #file: string
  readonly #log: Log
  #config: Config
  #problem: Text | undefined
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(file: string, log: Log) {
    this.#file = file
    this.#log = log
    this.#config = readConfig(file)
  }

  get file(): string {
    return this.#file
  }

  get current(): Config {
    return this.#config
  }

  /** Why the file does not hold; undefined: it does. */
  get problem(): Text | undefined {
    return this.#problem
  }

  /** Watches the folder: editors replace the file rather than write into it. */
  watch(changed: (paths: string[]) => void = () => {}): void {
    const name = basename(this.#file)
    const again = () => {
      const paths = this.reload()
      if (paths.length > 0) changed(paths)
    }
    this.#watcher = watch(dirname(this.#file), { persistent: false }, (_event, which) => {
      if (which !== name) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(again, 100)
      this.#timer.unref()
    })
    this.#watcher.on('error', error => this.#log.warn({ err: error }, 'the configuration is no longer watched'))
    // A database may take long to open, and the file was read before that.
    again()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#watcher?.close()
  }

  /** Reads the file again. Answers which settings are other than before. */
  reload(): string[] {
    try {
      const before = this.#config
      this.#config = readConfig(this.#file)
      this.#problem = undefined
      this.#log.info({ file: this.#file }, 'configuration reloaded')
      return differences(before, this.#config)
    } catch (error) {
      const { message } = error as Error
      this.#problem = error instanceof Refused ? error.text : { en: message, ja: message }
      this.#log.error({ file: this.#file, problem: message }, 'configuration kept as it was')
      return []
    }
  }
}

/** The settings, by their place, in which two configurations differ: `limits.runs`, `engines`. */
function differences(before: Config, after: Config): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Config)[]
  return names.flatMap(name => {
    const [was, is] = [before[name], after[name]]
    if (isDeepStrictEqual(was, is)) return []
    if (name !== 'limits' && name !== 'runner') return [name]
    const [old, now] = [before[name], after[name]] as Record<string, unknown>[]
    return Object.keys(now ?? {}).flatMap(key => (old?.[key] === now?.[key] ? [] : [`${name}.${key}`]))
  })
}
