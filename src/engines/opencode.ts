// opencode. It works with many vendors, so that it may see the keys of many.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Registration } from '#contract/known-engines.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { type BuiltInEngine, type EngineRequest, type Invocation, MCP_NAME, type Permission } from './engine.ts'
import { configFiles, configFolder } from './config-files.ts'
import { environment } from './environment.ts'
import { costOf, type Fact } from './facts.ts'
import { brief, count, isGiven, type Json, list, number, object, resultText, text } from './json.ts'
import { nameProblem } from './models.ts'
import { troubleOf } from './quota.ts'
import { type EventReader, jsonReader } from './reader.ts'
import { option } from './shared-options.ts'

const NAMES = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENROUTER_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'XAI_API_KEY',
  'DEEPSEEK_API_KEY',
  'OPENCODE_API_KEY',
  'OPENCODE_CONFIG',
  'OPENCODE_CONFIG_DIR',
  'OPENCODE_DISABLE_MODELS_FETCH',
  'OPENCODE_DISABLE_DEFAULT_PLUGINS',
  'OPENCODE_DISABLE_LSP_DOWNLOAD',
]

/** No person can be asked: what would need a question is refused. */
const ALONE: Record<Permission, Record<string, string>> = {
  read: { edit: 'deny', bash: 'deny' },
  edit: { edit: 'allow', bash: 'allow', external_directory: 'deny' },
  full: { edit: 'allow', bash: 'allow', webfetch: 'allow', external_directory: 'allow' },
}

const IN_TERMINAL: Record<Permission, Record<string, string>> = {
  read: { edit: 'ask', bash: 'ask', external_directory: 'ask' },
  edit: { edit: 'allow', bash: 'allow', external_directory: 'ask' },
  full: ALONE.full,
}

const REGISTRATION: Registration = {
  variable: 'XDG_CONFIG_HOME',
  folder: '.config',
  files: ['opencode/opencode.json', 'opencode/opencode.jsonc'],
  format: 'json',
  holder: 'mcp',
  entry: { type: 'local', enabled: true, command: ['{runtime}', '{bridge}'] },
  makesFile: false,
  whenStarted: 'off',
}

export const opencode: BuiltInEngine = {
  id: 'opencode',
  label: 'opencode',
  rank: 40,
  programs: ['opencode'],
  version: ['opencode', '--version'],
  install: { npm: 'opencode-ai' },
  signIn: { shell: 'opencode auth login', variable: 'OPENCODE_API_KEY' },
  capabilities: { mcp: true, resume: true, tellsEnd: false, tellsCost: true },
  modelProblem: model =>
    nameProblem(model) ?? (model.includes('/') ? undefined : `opencode names models as provider/model, not ${model}`),
  models: async source => ({ args: ['models'], env: await ownEnvironment({ source }) }),
  projectConfig: ['opencode.json', 'opencode.jsonc', 'tui.json', 'tui.jsonc', '.opencode', '.agents', '.claude'],
  guide: { asksAboutFolder: { en: 'no', ja: '尋ねない' } },
  registration: REGISTRATION,
  async headless(request) {
    const { args, env } = await common(request, ALONE)
    // On stdin: a prompt among the arguments arrives in quotation marks.
    // Its log goes to stderr: a service that refuses is reported there alone, while it tries again without a word for hours.
    return {
      args: ['run', '--format', 'json', '--print-logs', '--log-level', 'ERROR', ...args],
      env,
      stdin: request.prompt,
    }
  },
  terminal: request => common(request, IN_TERMINAL),
  screen: {
    sign: /^\s*┃/u,
    placeholder: /^Ask anything/u,
    busy: /\besc (?:again to )?interrupt\b/u,
    dialog: /Permission required|Allow once|Allow always/u,
    farewell: /^\s*Continue +opencode -s (ses_\w{1,100})\s*$/u,
  },
  reader: options => jsonReader(opencodeEvents(), options, opencodeComplaint),
}

async function common(request: EngineRequest, permissions: typeof ALONE): Promise<Invocation> {
  const { model, session, mcp, source } = request
  const texts = configsOf(source)
  // Laid over all the user's own files, which stay as they are.
  const config = {
    autoupdate: false,
    share: 'disabled',
    ...(request.permission && { permission: permissions[request.permission] }),
    mcp: {
      ...(texts.some(text => text.includes(REGISTERED_NAME)) ? { [REGISTERED_NAME]: { enabled: false } } : {}),
      ...(mcp ? { [MCP_NAME]: server(mcp) } : {}),
    },
  }
  return {
    args: [...option('--model', model), ...option('--session', session)],
    env: await ownEnvironment(request, { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }),
  }
}

function ownEnvironment(
  request: Parameters<typeof environment>[0],
  set: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const keys = configsOf(request.source).flatMap(keysIn)
  return environment(request, [...NAMES, ...keys], { ...set, OPENCODE_DISABLE_AUTOUPDATE: '1' })
}

function server({ command, args, env }: NonNullable<EngineRequest['mcp']>): Json {
  return { type: 'local', enabled: true, command: [command, ...args], environment: env }
}

/** `{env:NAME}` in the user's configuration. */
function keysIn(config: string): string[] {
  return [...config.matchAll(/\{env:(\w+)\}/g)].map(([, name]) => name as string)
}

function configsOf(source: NodeJS.ProcessEnv): string[] {
  const home = source.HOME ?? ''
  const folder = configFolder(REGISTRATION, source, home)
  const files = [...configFiles(REGISTRATION, source, home), join(folder, 'opencode', 'config.json')]
  return [...files, ...(source.OPENCODE_CONFIG ? [source.OPENCODE_CONFIG] : [])].flatMap(file => {
    try {
      return [readFileSync(file, 'utf8')]
    } catch {
      return [] // Not there.
    }
  })
}

/** `… level=ERROR … message="stream error" … error.error="AI_APICallError: You exceeded your current quota"`. */
export function opencodeComplaint(line: string): string | undefined {
  if (!line.includes('level=ERROR') || !line.includes('message="stream error"')) return undefined
  const [, message] = /error\.error="((?:[^"\\]|\\.)*)"/.exec(line) ?? []
  return message?.replaceAll('\\"', '"').replace(/^AI_\w+Error: /, '')
}

/** There is no last event: the end is that of the process, unless an error was reported. */
function opencodeEvents(): EventReader {
  return function* read(event, { now = Date.now }): Generator<Fact> {
    const session = text(event.sessionID)
    if (session !== undefined) yield { kind: 'session', id: session }
    const part = object(event.part)
    switch (event.type) {
      case 'tool_use':
        yield* used(part)
        return
      case 'text': {
        const words = text(part.text)
        if (words !== undefined) yield { kind: 'message', text: words }
        return
      }
      case 'step_finish':
        yield* spent(part)
        return
      case 'error':
        yield* failed(object(event.error), now())
        return
      default:
    }
  }
}

/** Not even offered where nothing may be changed: a model that calls them gets the answer that they do not exist. */
const WITHHELD = new Set(['write', 'edit', 'multiedit', 'patch', 'apply_patch', 'bash'])

/** The tool whose call was refused. */
function refused(name: string, state: Json): string | undefined {
  const words = text(state.error)?.slice(0, 500) ?? ''
  if (state.status === 'error') return /rule which prevents|rejected permission/i.test(words) ? name : undefined
  const wanted = name === 'invalid' ? text(object(state.input).tool) : undefined
  return wanted !== undefined && WITHHELD.has(wanted) ? wanted : undefined
}

function* used(part: Json): Generator<Fact> {
  const name = text(part.tool) ?? ''
  const id = text(part.callID) ?? text(part.id) ?? ''
  yield { kind: 'tool', id, name, about: brief(object(part.state).input) }
  const state = object(part.state)
  const denied = refused(name, state)
  if (denied !== undefined) yield { kind: 'denied', id, name: denied }
  if (state.status === 'completed' || state.status === 'error')
    yield { kind: 'result', id, text: resultText(state.output ?? state.error), failed: state.status === 'error' }
  if (state.status !== 'completed') return
  if (name.startsWith(`${MCP_NAME}_`)) yield { kind: 'mcp', connected: true }
  const metadata = object(state.metadata)
  const path = text(object(state.input).filePath) ?? text(object(metadata.filediff).file)
  if (name === 'write' && path !== undefined) {
    yield { kind: 'file', path, change: metadata.exists === false ? 'created' : 'edited' }
  }
  if ((name === 'edit' || name === 'multiedit') && path !== undefined) yield { kind: 'file', path, change: 'edited' }
  if (name !== 'apply_patch' && name !== 'patch') return
  for (const file of list(metadata.files).map(object)) {
    const changed = text(file.filePath) ?? text(file.file) ?? text(file.path)
    const change = file.type === 'add' ? 'created' : file.type === 'delete' ? 'deleted' : 'edited'
    if (changed !== undefined) yield { kind: 'file', path: changed, change }
  }
}

/** Each step reports its own. */
function* spent(part: Json): Generator<Fact> {
  const tokens = object(part.tokens)
  if (isGiven(tokens.input) && isGiven(tokens.output)) {
    const cache = object(tokens.cache)
    const reasoning = count(tokens.reasoning)
    // Its output is without reasoning.
    const output = (count(tokens.output) ?? 0) + (reasoning ?? 0)
    const [input, cache_read, cache_write] = [count(tokens.input), count(cache.read), count(cache.write)]
    yield { kind: 'usage', usage: { input, cache_read, cache_write, output, reasoning }, add: true }
  }
  yield* costOf(part.cost, true)
}

function* failed(error: Json, now: number): Generator<Fact> {
  const data = object(error.data)
  const message = text(data.message) ?? text(error.name) ?? 'error'
  const headers = object(data.responseHeaders)
  const status = number(data.statusCode)
  const after = text(headers['retry-after'])
  yield* troubleOf([message, status === 429 ? '(429)' : '', after ? `retry-after: ${after}` : ''].join(' ').trim(), now)
  const interrupted = error.name === 'MessageAbortedError'
  yield { kind: 'end', outcome: interrupted ? 'interrupted' : 'error', reason: text(error.name) ?? 'error', message }
}
