// Codex.
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import type { Registration } from '#contract/known-engines.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { TORYO_MARK } from '#system/environment-names.ts'
import {
  type BuiltInEngine,
  type EngineRequest,
  type HeadlessRequest,
  type Invocation,
  MCP_NAME,
  type Permission,
} from './engine.ts'
import { configFiles } from './config-files.ts'
import { environment } from './environment.ts'
import type { Change, Fact } from './facts.ts'
import { brief, count, isGiven, type Json, list, object, resultText, text, without } from './json.ts'
import { foreign } from './models.ts'
import { troubleOf } from './quota.ts'
import { type EventReader, jsonReader } from './reader.ts'
import { option } from './shared-options.ts'

const NAMES = [
  'CODEX_HOME',
  'CODEX_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_ORGANIZATION',
  'OPENAI_PROJECT',
]

const SANDBOXES: Record<Permission, string> = { read: 'read-only', edit: 'workspace-write', full: 'danger-full-access' }

const REGISTRATION: Registration = {
  variable: 'CODEX_HOME',
  folder: '.codex',
  files: ['config.toml'],
  format: 'toml',
  holder: 'mcp_servers',
  entry: { command: '{runtime}', args: ['{bridge}'] },
  makesFile: true,
  whenStarted: 'off',
}

export const codex: BuiltInEngine = {
  id: 'codex',
  label: 'Codex',
  rank: 20,
  programs: ['codex'],
  version: ['codex', '--version'],
  install: { npm: '@openai/codex' },
  signIn: { shell: 'codex login', variable: 'CODEX_API_KEY' },
  capabilities: { mcp: true, resume: true, tellsEnd: true, tellsCost: false },
  modelProblem: model => foreign('codex', model, ['claude', 'gemini']),
  projectConfig: ['.codex', '.agents'],
  guide: {
    asksAboutFolder: {
      en: 'once per repository: the answer for the repository, or in any of its tabs, holds for all its worktrees',
      ja: 'リポジトリごとに一度だけ尋ねる。リポジトリ、またはそのいずれかのタブでの答えが、すべてのワークツリーに有効',
    },
  },
  registration: REGISTRATION,
  async headless(request: HeadlessRequest) {
    const { args, env } = await common(request, { approval_policy: 'never' })
    // `-`: the prompt comes on stdin. `resume` knows no --sandbox, so that it is a setting in both.
    const { session } = request
    const verb = session === undefined ? ['exec'] : ['exec', 'resume']
    const last = session === undefined ? ['-'] : [session, '-']
    return { args: [...verb, '--json', '--skip-git-repo-check', ...args, ...last], env, stdin: request.prompt }
  },
  async terminal(request) {
    const { args, env } = await common(request, {})
    // Otherwise it leaves a daemon behind that all its terminals share.
    const verb = request.session === undefined ? [] : ['resume', request.session]
    return { args: [...verb, '--no-daemon', ...args], env }
  },
  screen: {
    sign: /^\s*›/u,
    placeholder: /^Ask Codex/u,
    busy: /^[\u2801-\u28FF] |\besc to interrupt\b/u,
    dialog: /Action Required|Press enter to (?:confirm|continue)|Would you like to|Trust this folder\?/u,
    // It asks about a new folder only after that.
    farewell: /^\s*codex resume ([\da-f-]{36})\s*$/u,
    loading: /OpenAI Codex \(v[^\n]*\n\s*loading\s*(?:\n|$)/u,
  },
  outputBegins: /^\{"type":"(?:thread|turn|item)\./,
  reader: options => jsonReader(codexEvents(), options, codexComplaint),
}

async function common(request: EngineRequest, extra: Record<string, unknown>): Promise<Invocation> {
  const { mcp, model, source } = request
  const config = configOf(source)
  const settings: Record<string, unknown> = {
    ...extra,
    ...withoutRegistered(config),
    ...(request.permission && { sandbox_mode: SANDBOXES[request.permission] }),
    check_for_update_on_startup: false,
    'features.daemon_auto_start': false,
  }
  if (mcp) {
    const server = `mcp_servers.${MCP_NAME}`
    settings[`${server}.command`] = mcp.command
    settings[`${server}.args`] = mcp.args
    // Names only: the values would be visible in the list of processes. The mark is how the server is found when lost.
    settings[`${server}.env_vars`] = [...Object.keys(mcp.env), TORYO_MARK]
    // Without it every call waits for a person's yes, and in the sandbox is refused.
    settings[`${server}.default_tools_approval_mode`] = 'approve'
    // Otherwise it begins without our tools when the server is not ready yet. It then fails when the server is not ready in time,
    // so that the time must be enough for a busy machine, and for the bridge to say why it has no hub (30 s).
    settings[`${server}.required`] = true
    settings[`${server}.startup_timeout_sec`] = 60
  }
  return {
    args: [
      ...option('--model', model),
      // The values are TOML; what we write of it looks the same in JSON.
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]),
    ],
    env: await environment(request, [...NAMES, ...keysOfProviders(config)], mcp?.env),
  }
}

/** The user's own, which stays as it is; empty when there is none. */
function configOf(source: NodeJS.ProcessEnv): string {
  try {
    return readFileSync(configFiles(REGISTRATION, source, source.HOME ?? '')[0] ?? '', 'utf8')
  } catch {
    return ''
  }
}

/** A provider of the user's own takes its key from a variable that only the configuration names. */
function keysOfProviders(config: string): string[] {
  return [...config.matchAll(/^[ \t]*(?:env_key|bearer_token_env_var)\s*=\s*["'](\w+)["']/gm)].map(
    ([, name]) => name as string,
  )
}

/** Only where it is: a server of which nothing is known but that it is off keeps Codex from starting. */
function withoutRegistered(config: string): Json {
  const entry = object(servers(config)[REGISTERED_NAME])
  if (Object.keys(entry).length === 0) return {}
  const server = `mcp_servers.${REGISTERED_NAME}`
  // The command is never run. Without it Codex would not start if the entry was taken out of the file right now.
  return { [`${server}.enabled`]: false, ...('url' in entry ? {} : { [`${server}.command`]: 'true' }) }
}

function servers(config: string): Json {
  try {
    return object(parse(config).mcp_servers)
  } catch {
    return {} // Codex cannot read it either, and says so.
  }
}

const TOOLS = new Set(['mcp_tool_call', 'file_change', 'command_execution', 'web_search', 'collab_tool_call'])
const CHANGES: Record<string, Change> = { add: 'created', update: 'edited', delete: 'deleted' }

function codexEvents(): EventReader {
  return function* read(event, { now = Date.now }): Generator<Fact> {
    switch (event.type) {
      case 'thread.started': {
        const id = text(event.thread_id)
        if (id !== undefined) yield { kind: 'session', id }
        return
      }
      case 'turn.started':
        yield { kind: 'started' }
        return
      case 'item.started':
      case 'item.completed':
        yield* item(object(event.item), event.type === 'item.completed')
        return
      case 'error':
        yield* troubleOf(text(event.message) ?? 'error', now())
        return
      case 'turn.completed':
        yield* usageOf(object(event.usage))
        yield { kind: 'end', outcome: 'success', reason: 'turn.completed' }
        return
      case 'turn.failed': {
        const message = text(object(event.error).message) ?? 'the turn failed'
        yield* troubleOf(message, now())
        yield { kind: 'end', outcome: 'error', reason: 'turn.failed', message }
        return
      }
      default:
    }
  }
}

function* item(item: Json, completed: boolean): Generator<Fact> {
  const type = text(item.type) ?? ''
  const id = text(item.id) ?? ''
  if (TOOLS.has(type)) yield { kind: 'tool', id, name: text(item.tool) ?? type, about: calledWith(item) }
  if (!completed) return
  if (TOOLS.has(type)) yield { kind: 'result', id, text: cameBack(item), failed: item.status === 'failed' }
  if (isRefused(item)) yield { kind: 'denied', id, name: text(item.tool) ?? type }
  const words = text(item.text)
  if (type === 'agent_message' && words !== undefined) yield { kind: 'message', text: words }
  if (type === 'mcp_tool_call' && item.server === MCP_NAME) yield { kind: 'mcp', connected: true }
  if (type !== 'file_change' || item.status !== 'completed') return
  for (const { path, kind } of list(item.changes).map(object)) {
    const change = CHANGES[text(kind) ?? '']
    if (typeof path === 'string' && change) yield { kind: 'file', path, change }
  }
}

function calledWith(item: Json): string | undefined {
  const paths = list(item.changes).map(change => text(object(change).path) ?? '')
  if (paths.length > 0) return paths.join(', ')
  return text(item.command) ?? text(item.query) ?? brief(item.arguments)
}

function cameBack(item: Json): string {
  const error = text(object(item.error).message) ?? text(item.error)
  return error ?? resultText(text(item.aggregated_output) ?? object(item.result).content)
}

/** `<time> ERROR codex_core::tools::router: error=patch rejected: …; rejected by user approval settings`: no event reports it. */
export function codexComplaint(line: string): Fact | undefined {
  const [, id, what] =
    /^(\S{1,40}) +ERROR codex_core::tools::router: error=(\w{1,40}) .{0,500}(?:rejected by user|requires approval)/.exec(
      line,
    ) ?? []
  if (id === undefined || what === undefined) return undefined
  return { kind: 'denied', id: `stderr ${id}`, name: what === 'patch' ? 'apply_patch' : what }
}

function isRefused(item: Json): boolean {
  const words = text(object(item.error).message) ?? text(item.error) ?? ''
  return item.status === 'declined' || /requires approval|rejected by user/i.test(words.slice(0, 500))
}

/** Of the whole thread: a resumed one counts what was used before. */
function* usageOf(usage: Json): Generator<Fact> {
  if (!isGiven(usage.input_tokens)) return
  const [cache_read, cache_write] = [count(usage.cached_input_tokens), count(usage.cache_write_input_tokens)]
  // Both are parts of its input; versions that do not name what was written wrote nothing.
  const input = without(without(count(usage.input_tokens), cache_read), cache_write ?? 0)
  const [output, reasoning] = [count(usage.output_tokens), count(usage.reasoning_output_tokens)]
  yield { kind: 'usage', usage: { input, cache_read, cache_write, output, reasoning } }
}
