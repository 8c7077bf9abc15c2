// Which file of which engine gets our server, and in which words. The one table; adding an engine is adding a line.
import path from 'node:path'
import type { Env } from '#client/locate.ts'
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
  const servers = jsonFormat('mcpServers')
  // A relative folder would be another one for each program.
  const folder = (name: string, usual: string) => (path.isAbsolute(env[name] ?? '') ? (env[name] as string) : usual)
  const claude = path.join(folder('CLAUDE_CONFIG_DIR', home), '.claude.json')
  const configs = folder('XDG_CONFIG_HOME', path.join(home, '.config'))
  const plain = ({ runtime, bridge }: Command) => ({ command: runtime, args: [bridge] })
  const opencode = ({ runtime, bridge }: Command) => ({ type: 'local', enabled: true, command: [runtime, bridge] })
  const here = (...names: string[]) => path.join(home, ...names)
  return [
    {
      engine: 'claude',
      file: claude,
      format: servers,
      entry: command => ({ ...plain(command), env: {} }),
      makeFor: ['claude'],
      lock: `${claude}.lock`,
    },
    {
      engine: 'codex',
      file: path.join(folder('CODEX_HOME', here('.codex')), 'config.toml'),
      format: tomlFormat('mcp_servers'),
      entry: plain,
      makeFor: ['codex'],
    },
    { engine: 'gemini', file: here('.gemini', 'settings.json'), format: servers, entry: plain, makeFor: ['gemini'] },
    {
      engine: 'opencode',
      file: path.join(configs, 'opencode', 'opencode.json'),
      format: jsonFormat('mcp'),
      entry: opencode,
      makeFor: [],
    },
    {
      engine: 'opencode',
      file: path.join(configs, 'opencode', 'opencode.jsonc'),
      format: jsonFormat('mcp'),
      entry: opencode,
      makeFor: [],
    },
    { engine: 'cursor', file: here('.cursor', 'mcp.json'), format: servers, entry: plain, makeFor: [] },
    {
      engine: 'copilot',
      file: here('.copilot', 'mcp-config.json'),
      format: servers,
      entry: command => ({ type: 'local', ...plain(command), tools: ['*'] }),
      makeFor: [],
    },
    { engine: 'qwen', file: here('.qwen', 'settings.json'), format: servers, entry: plain, makeFor: [] },
  ]
}
