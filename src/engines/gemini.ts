// Gemini CLI.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, type ParseError } from 'jsonc-parser'
import type { Registration } from '#contract/known-engines.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import {
  type BuiltInEngine,
  EngineError,
  type EngineRequest,
  type Invocation,
  MCP_NAME,
  type Permission,
} from './engine.ts'
import { configFolder } from './config-files.ts'
import { environment, privateFile } from './environment.ts'
import type { Usage } from '#contract/usage-text.ts'
import { addUsage, type Change, type Fact } from './facts.ts'
import { brief, count, isGiven, type Json, object, resultText, text, without } from './json.ts'
import { foreign } from './models.ts'
import { overlay } from './overlay.ts'
import { troubleOf } from './quota.ts'
import { type EventReader, jsonReader } from './reader.ts'
import { modelAndSession, withSessionId } from './shared-options.ts'

const NAMES = [
  'GEMINI_API_KEY',
  'GEMINI_MODEL',
  'GOOGLE_API_KEY',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GENAI_USE_GCA',
  'GEMINI_TELEMETRY_ENABLED',
]

/** `default` offers no tool that changes anything. `auto_edit` runs no commands, and without them nothing can be tested. */
const MODES: Record<Permission, string> = { read: 'default', edit: 'yolo', full: 'yolo' }

const REGISTRATION: Registration = {
  variable: 'GEMINI_CLI_HOME',
  folder: '',
  files: ['.gemini/settings.json'],
  format: 'json',
  holder: 'mcpServers',
  entry: { command: '{runtime}', args: ['{bridge}'] },
  makesFile: true,
  whenStarted: 'left-out',
}

export const gemini: BuiltInEngine = {
  id: 'gemini',
  label: 'Gemini CLI',
  rank: 30,
  programs: ['gemini'],
  version: ['gemini', '--version'],
  install: { npm: '@google/gemini-cli' },
  signIn: { shell: 'gemini', type: '/auth', variable: 'GEMINI_API_KEY' },
  capabilities: { mcp: true, resume: true, tellsEnd: true, tellsCost: false },
  modelProblem: model => foreign('gemini', model, ['claude', 'openai']),
  projectConfig: ['.gemini', '.agents', '.env'],
  guide: {
    asksAboutFolder: {
      en: 'no: Toryo says at the launch that the folder is trusted, since Toryo has asked (above)',
      ja: '尋ねない。Toryo が確認済み (上記) なので、信頼済みであることを起動時に伝える',
    },
  },
  registration: REGISTRATION,
  async headless(request) {
    const { args, env } = await common(request)
    return { args: ['--output-format', 'stream-json', ...args], env, stdin: request.prompt }
  },
  terminal: async request => withSessionId(await common(request), request),
  screen: {
    // The sign shows the mode: `*` asks for nothing, `!` runs commands.
    sign: /^[\s│]*[>*!](?=\s|$)/u,
    placeholder: /^Type your message/u,
    busy: /^✦ +Working|\(esc to cancel,/u,
    dialog: /^✋|Apply this change\?|Allow execution|Do you trust|\(Use Enter to select\)/u,
  },
  reader: options => jsonReader(geminiEvents(), options, geminiComplaint, GEMINI_NOTICES),
}

async function common(request: EngineRequest): Promise<Invocation> {
  const { mcp } = request
  return {
    args: [...modelAndSession(request), ...(request.permission ? ['--approval-mode', MODES[request.permission]] : [])],
    env: await environment(request, NAMES, {
      // Otherwise it starts itself again, and the first of the two ignores every signal to end.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // The caller that started the run was asked already.
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      ...(mcp ? { GEMINI_CLI_HOME: await home(request) } : {}),
    }),
  }
}

/** It takes MCP servers from settings files alone, and of those that an option could name only such as root owns. */
async function home(request: EngineRequest): Promise<string> {
  const { folder, source, mcp } = request
  const original = join(configFolder(REGISTRATION, source, source.HOME ?? ''), '.gemini')
  const stand = join(folder, 'gemini')
  await overlay(join(stand, '.gemini'), original, ['settings.json'])
  const settings = await settingsIn(join(original, 'settings.json'))
  const { [REGISTERED_NAME]: _, ...own } = object(settings.mcpServers)
  const servers = { ...own, [MCP_NAME]: { ...mcp, trust: true } }
  await privateFile(join(stand, '.gemini'), 'settings.json', { ...settings, mcpServers: servers })
  return stand
}

async function settingsIn(file: string): Promise<Record<string, unknown>> {
  let content: string
  try {
    content = await readFile(file, 'utf8')
  } catch {
    return {}
  }
  const problems: ParseError[] = []
  const settings: unknown = parse(content.replace(/^\uFEFF/, ''), problems, { allowTrailingComma: true })
  if (problems.length > 0) throw new EngineError(`${file} is not valid JSON; gemini would not start either`)
  return { ...object(settings) }
}

/** It tries again up to ten times, minutes apart, and says so on stderr alone. */
export function geminiComplaint(line: string): string | undefined {
  const [, message] = /^Attempt \d+ failed:? ?(.*?) ?\{?$/.exec(line) ?? []
  return message?.replace(/\bRetrying after (\d+)ms/, (_, ms: string) => `retry in ${Math.round(Number(ms) / 1000)}s`)
}

/** What it says on stderr whatever happens. */
const GEMINI_NOTICES = /^YOLO mode is enabled|^Warning: |^Ripgrep is not available|^Loaded cached credentials/

const WRITES = new Set(['write_file', 'replace', 'edit'])
/** Not even offered where nothing may be changed: a model that calls them gets the answer that they do not exist. */
const WITHHELD = new Set([...WRITES, 'run_shell_command'])

function isRefused(name: string, error: Json): boolean {
  if (error.type === 'tool_not_registered') return WITHHELD.has(name)
  const words = text(error.message)?.slice(0, 500) ?? ''
  return error.type === 'policy_violation' || /denied by policy|^Path not in workspace/i.test(words)
}

function geminiEvents(): EventReader {
  const pending = new Map<string, { path: string; change: Change }>()
  const names = new Map<string, string>()
  let speaking = false

  return function* read(event, { now = Date.now, exists }): Generator<Fact> {
    const goesOn = speaking
    speaking = false
    switch (event.type) {
      case 'init': {
        yield { kind: 'started' }
        const [session, model] = [text(event.session_id), text(event.model)]
        if (session !== undefined) yield { kind: 'session', id: session }
        if (model !== undefined) yield { kind: 'model', model }
        return
      }
      case 'message': {
        const words = text(event.content)
        if (event.role !== 'assistant' || words === undefined) return
        speaking = event.delta === true
        yield { kind: 'message', text: words, more: goesOn && speaking }
        return
      }
      case 'tool_use': {
        const name = text(event.tool_name) ?? ''
        const id = text(event.tool_id) ?? ''
        yield { kind: 'tool', id, name, about: brief(event.parameters) }
        if (names.size < 1000) names.set(id, name)
        const path = text(object(event.parameters).file_path)
        if (!WRITES.has(name) || path === undefined || pending.size >= 1000) return
        // It never says whether the file was there; the file system does.
        const isNew = name === 'write_file' && exists !== undefined && !exists(path)
        pending.set(id, { path, change: isNew ? 'created' : 'edited' })
        return
      }
      case 'tool_result': {
        const id = text(event.tool_id) ?? ''
        const asked = pending.get(id)
        pending.delete(id)
        const name = names.get(id) ?? '?'
        names.delete(id)
        const failed = event.status === 'error'
        const said = failed ? (text(object(event.error).message) ?? event.output) : event.output
        yield { kind: 'result', id, text: resultText(said), failed }
        if (event.status === 'error' && isRefused(name, object(event.error))) yield { kind: 'denied', id, name }
        if (id.startsWith(`mcp_${MCP_NAME}_`) && event.status === 'success') yield { kind: 'mcp', connected: true }
        if (asked && event.status === 'success') yield { kind: 'file', ...asked }
        return
      }
      case 'error':
        yield* troubleOf(text(event.message) ?? 'error', now())
        return
      case 'result': {
        const stats = object(event.stats)
        const models = Object.values(object(stats.models)).map(object)
        const used = (models.length > 0 ? models : [stats]).filter(({ input_tokens }) => isGiven(input_tokens))
        if (used.length > 0) yield { kind: 'usage', usage: used.map(usageOf).reduce(addUsage) }
        if (event.status === 'success') {
          yield { kind: 'end', outcome: 'success', reason: 'success' }
          return
        }
        const error = object(event.error)
        const message = text(error.message) ?? 'the run failed'
        yield* troubleOf(message, now())
        yield { kind: 'end', outcome: 'error', reason: text(error.type) ?? 'error', message }
        return
      }
      default:
    }
  }
}

/** What came from the cache is part of its input, and thoughts are only in the total. It does not say what was written to a cache. */
function usageOf(used: Json): Usage {
  const [input, cache_read] = [count(used.input_tokens), count(used.cached)]
  const output = without(count(used.total_tokens), input)
  const reasoning = without(output, count(used.output_tokens))
  return { input: without(input, cache_read), cache_read, cache_write: null, output, reasoning }
}
