// Which file of which engine gets our server, and in which words, as the engines say it themselves.
import type { Env } from '#client/locate.ts'
import type { EntryTemplate, KnownEngine } from '#contract/known-engines.ts'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import { configFiles } from '#engines/config-files.ts'
import type { Entry, Format } from './format.ts'
import { jsonFormat } from './json-format.ts'
import { tomlFormat } from './toml-format.ts'

/** How the bridge is started: absolute real paths, no secret. */
export type Command = { readonly runtime: string; readonly bridge: string }

export type ConfigTarget = {
  readonly engine: string
  readonly file: string
  readonly format: Format
  entry(command: Command): Entry
  /** The file is made when it is missing and one of these programs is installed. */
  readonly makeFor: readonly string[]
  /** A folder that the engine makes while it writes the file, to keep others out. */
  readonly lock?: string
}

/** Files that exist under one of several names are listed by each; those that are missing cost nothing. */
export function configTargets(env: Env, home: string): ConfigTarget[] {
  return KNOWN_ENGINES.flatMap(engine => targetsOf(engine, env, home))
}

function targetsOf({ id, programs, registration }: KnownEngine, env: Env, home: string): ConfigTarget[] {
  if (!registration) return []
  const { format, holder, entry, makesFile, lockSuffix } = registration
  return configFiles(registration, env, home).map(file => ({
    engine: id,
    file,
    format: format === 'toml' ? tomlFormat(holder) : jsonFormat(holder),
    entry: command => filled(entry, command),
    makeFor: makesFile ? programs : [],
    ...(lockSuffix !== undefined && { lock: file + lockSuffix }),
  }))
}

function filled(template: EntryTemplate, { runtime, bridge }: Command): Entry {
  const paths: Record<string, string> = { '{runtime}': runtime, '{bridge}': bridge }
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return paths[value] ?? value
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]))
  }
  return fill(template) as Entry
}
