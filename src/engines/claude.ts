// Claude Code. Its form of output is also that of Qwen and, more or less, of Cursor.
import { dirname, join } from 'node:path'
import type { Registration } from '#contract/known-engines.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import type { BuiltInEngine, EngineRequest, Invocation, Permission } from './engine.ts'
import { MCP_NAME } from './engine.ts'
import { environment, mcpFile } from './environment.ts'
import type { Usage } from '#contract/usage-text.ts'
import { addUsage, type Change, costOf, type End, type Fact } from './facts.ts'
import { brief, count, isGiven, type Json, jsonFile, list, number, object, resultText, text, without } from './json.ts'
import { foreign } from './models.ts'
import { quotaIn, troubleOf } from './quota.ts'
import { type EventReader, jsonReader } from './reader.ts'
import { modelAndSession, withSessionId } from './shared-options.ts'

const NAMES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
  'ANTHROPIC_DEFAULT_*',
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_MAX_RETRIES',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'API_TIMEOUT_MS',
]

const REGISTRATION: Registration = {
  variable: 'CLAUDE_CONFIG_DIR',
  folder: '',
  files: ['.claude.json'],
  format: 'json',
  holder: 'mcpServers',
  entry: { command: '{runtime}', args: ['{bridge}'], env: {} },
  makesFile: true,
  lockSuffix: '.lock',
  whenStarted: 'off',
}

export const claude: BuiltInEngine = {
  id: 'claude',
  label: 'Claude Code',
  rank: 10,
  programs: ['claude'],
  version: ['claude', '--version'],
  install: { npm: '@anthropic-ai/claude-code' },
  signIn: { shell: 'claude', type: '/login', variable: 'ANTHROPIC_API_KEY' },
  capabilities: { mcp: true, resume: true, tellsEnd: true, tellsCost: true },
  modelProblem: model => foreign('claude', model, ['openai', 'gemini']),
  // It keeps whole checkouts in worktrees, and reads nothing of them from here.
  projectConfig: ['.claude', '!.claude/worktrees', '.mcp.json'],
  guide: {
    addLine: 'claude mcp add --scope user toryo -- toryo mcp',
    asksAboutFolder: {
      en: 'once per repository: the answer for the repository, or in any of its tabs, holds for all its worktrees',
      ja: 'リポジトリごとに一度だけ尋ねる。リポジトリ、またはそのいずれかのタブでの答えが、すべてのワークツリーに有効',
    },
    ownServers: {
      en: "stay, of every scope and from plugins; those of a project's `.mcp.json` are not started",
      ja: 'すべてのスコープとプラグインのものを使用。プロジェクトの `.mcp.json` のものは起動しない',
    },
  },
  registration: REGISTRATION,
  async headless(request) {
    const { args, env } = await common(request)
    return { args: ['-p', '--output-format', 'stream-json', '--verbose', ...args], env, stdin: request.prompt }
  },
  terminal: async request => withSessionId(await common(request), request),
  screen: {
    sign: /^\s*❯/u,
    placeholder: /^Try "|^Press up to edit queued/u,
    // The hint is gone while something is typed; the title stays.
    busy: /^[◐◑◒◓] |\besc to interrupt\b/u,
    dialog: /Do you (?:want|trust)|Esc to (?:cancel|exit)|No, exit/u,
  },
  // Several other programs write the same form.
  outputBegins: /^\{"type":"(?:system|assistant|user|result)"/,
  reader: options => jsonReader(claudeEvents(), options),
}

async function common(request: EngineRequest): Promise<Invocation> {
  const { mcp, source } = request
  return {
    args: [
      ...modelAndSession(request),
      ...(mcp ? ['--mcp-config', await mcpFile(request)] : []),
      '--settings',
      JSON.stringify(withoutServers(request)),
      ...permissions(request.permission),
    ],
    env: await environment(request, [...NAMES, ...cloud(source)], {
      DISABLE_AUTOUPDATER: '1',
      // Ten tries, its own choice, take minutes in which nothing is heard.
      CLAUDE_CODE_MAX_RETRIES: source.CLAUDE_CODE_MAX_RETRIES ?? '4',
    }),
  }
}

/** Over the user's own settings, whose servers stay: which ones are not to be started. */
function withoutServers({ directory }: EngineRequest): Json {
  return {
    deniedMcpServers: [{ serverName: REGISTERED_NAME }],
    // A project's own servers would be started without a question, or with one that no person can answer.
    disabledMcpjsonServers: projectServers(directory),
  }
}

/** It also reads the files of the folders above. */
function projectServers(directory: string): string[] {
  const above = dirname(directory)
  const names = Object.keys(object(object(jsonFile(join(directory, '.mcp.json'))).mcpServers))
  return above === directory ? names : [...new Set([...names, ...projectServers(above)])]
}

/** The model may be served by a cloud whose own credentials it then needs; no other program gets them. */
function cloud(source: NodeJS.ProcessEnv): string[] {
  return [
    ...(source.CLAUDE_CODE_USE_BEDROCK ? ['AWS_*'] : []),
    ...(source.CLAUDE_CODE_USE_VERTEX ? ['GOOGLE_*', 'CLOUD_ML_REGION'] : []),
  ]
}

function permissions(permission: Permission | undefined): string[] {
  const ours = `mcp__${MCP_NAME}`
  if (permission === undefined) return ['--allowedTools', ours]
  if (permission === 'read') return ['--permission-mode', 'default', '--allowedTools', `${ours},Read,Grep,Glob,LS`]
  const edit = ['--permission-mode', 'acceptEdits', '--allowedTools']
  if (permission === 'edit') return [...edit, `${ours},Bash`]
  // It refuses to skip permissions as root, and to make it believe in a sandbox would be a lie: name the tools instead.
  if (process.getuid?.() === 0) return [...edit, `${ours},Bash,Edit,Write,NotebookEdit,WebFetch,WebSearch,Task`]
  return ['--permission-mode', 'bypassPermissions']
}

/** Tools that name the file they write, for programs whose result does not say. */
export type FileTools = Readonly<Record<string, 'write' | 'edit'>>

export function claudeEvents(fileTools: FileTools = {}): EventReader {
  const pending = new Map<string, { path: string; how: 'write' | 'edit' }>()

  return function* read(event, { now = Date.now }): Generator<Fact> {
    const session = text(event.session_id)
    if (session !== undefined) yield { kind: 'session', id: session }
    switch (event.type) {
      case 'system':
        if (event.subtype === 'init') yield* begun(event)
        if (event.subtype === 'api_retry') yield* retry(event, now())
        if (event.subtype === 'permission_denied') yield refused(event)
        return
      case 'assistant':
        // Not the model's words: the program says in its place why there are none.
        if (event.is_api_error_message === true) yield* apiError(event, now())
        else for (const block of list(object(event.message).content).map(object)) yield* said(block, event)
        return
      case 'user':
        for (const block of list(object(event.message).content).map(object)) yield* done(block, event)
        return
      case 'rate_limit_event':
        yield* limited(object(event.rate_limit_info))
        return
      case 'result':
        yield* ended(event, now())
        return
      default:
    }
  }

  function* said(block: Json, event: Json): Generator<Fact> {
    const words = text(block.text)
    // What a sub-agent says is not what the run says.
    if (block.type === 'text' && words !== undefined && !event.parent_tool_use_id)
      yield { kind: 'message', text: words }
    if (block.type !== 'tool_use') return
    const id = text(block.id) ?? ''
    const name = text(block.name) ?? ''
    yield { kind: 'tool', id, name, about: brief(block.input) }
    const path = text(object(block.input).file_path)
    const how = fileTools[name]
    if (how !== undefined && path !== undefined && pending.size < 1000) pending.set(id, { path, how })
  }

  function* done(block: Json, event: Json): Generator<Fact> {
    if (block.type !== 'tool_result') return
    const id = text(block.tool_use_id) ?? ''
    const asked = pending.get(id)
    pending.delete(id)
    yield { kind: 'result', id, text: resultText(block.content), failed: block.is_error === true }
    if (block.is_error === true) return
    const result = object(event.tool_use_result)
    const path = text(result.filePath) ?? text(result.notebook_path)
    const change = changeOf(result)
    if (path !== undefined && change !== undefined) yield { kind: 'file', path, change }
    else if (asked) {
      const isNew = asked.how === 'write' && /creat|new file/i.test(text(block.content) ?? '')
      yield { kind: 'file', path: asked.path, change: isNew ? 'created' : 'edited' }
    }
  }
}

function* begun(event: Json): Generator<Fact> {
  yield { kind: 'started' }
  const model = text(event.model)
  if (model !== undefined) yield { kind: 'model', model }
  for (const server of list(event.mcp_servers).map(object)) {
    if (server.name === MCP_NAME)
      yield { kind: 'mcp', connected: server.status === 'connected', problem: text(server.status) }
  }
}

function refused({ tool_use_id: id, tool_name: name }: Json): Fact {
  return { kind: 'denied', id: text(id) ?? '', name: text(name) ?? '?' }
}

function* apiError(event: Json, now: number): Generator<Fact> {
  const words = list(object(event.message).content).map(block => text(object(block).text) ?? '')
  yield* troubleOf(words.join(' ').trim() || 'error', now)
}

function* retry(event: Json, now: number): Generator<Fact> {
  yield* troubleOf(`${text(event.error) ?? 'error'} ${number(event.error_status) ?? ''}`.trim(), now)
}

function* limited(info: Json): Generator<Fact> {
  if (info.status !== 'rejected') return
  const seconds = number(info.resetsAt)
  const message = `limit reached: ${text(info.rateLimitType) ?? 'usage'}`
  yield { kind: 'quota', message, resetsAt: seconds === undefined ? undefined : seconds * 1000 }
}

function changeOf(result: Json): Change | undefined {
  if (result.type === 'create') return 'created'
  const edited =
    result.type === 'update' || 'structuredPatch' in result || 'oldString' in result || 'notebook_path' in result
  return edited ? 'edited' : undefined
}

function* ended(event: Json, now: number): Generator<Fact> {
  const message = text(event.result) ?? text(object(event.error).message)
  yield* tokensOf(event)
  yield* costOf(event.total_cost_usd)
  for (const denial of list(event.permission_denials).map(object)) yield refused(denial)
  const end = endOf(event, message)
  if (end.outcome === 'success' && message !== undefined) yield { kind: 'message', text: message }
  if (end.outcome === 'error' && message !== undefined) {
    const quota = event.api_error_status === 429 ? { message } : quotaIn(message, now)
    yield { kind: 'trouble', message }
    if (quota) yield { kind: 'quota', ...quota }
  }
  yield { kind: 'end', ...end }
}

/** By model, with sub-agents, and like the cost of the whole process; where that is missing, those of the main loop in this turn. */
function* tokensOf(event: Json): Generator<Fact> {
  const models = Object.values(object(event.modelUsage)).map(object)
  if (models.length > 0) {
    const usage = models.map(ofModel).reduce(addUsage)
    yield { kind: 'usage', usage }
    return
  }
  const usage = object(event.usage)
  if (isGiven(usage.input_tokens)) yield { kind: 'usage', usage: ofTurn(usage), add: true }
}

function ofModel(used: Json): Usage {
  return {
    input: count(used.inputTokens),
    cache_read: count(used.cacheReadInputTokens),
    cache_write: count(used.cacheCreationInputTokens),
    output: count(used.outputTokens),
    reasoning: count(used.thinkingTokens),
  }
}

function ofTurn(used: Json): Usage {
  const [input, cache_read] = [count(used.input_tokens), count(used.cache_read_input_tokens)]
  const cache_write = count(used.cache_creation_input_tokens)
  const reasoning = count(object(used.output_tokens_details).thinking_tokens)
  // Qwen Code, which counts as Gemini CLI does: what came from the cache is part of its input, and there is a total.
  if (isGiven(used.total_tokens)) {
    const output = without(count(used.total_tokens), input)
    return { input: without(input, cache_read), cache_read, cache_write, output, reasoning }
  }
  return { input, cache_read, cache_write, output: count(used.output_tokens), reasoning }
}

/** `subtype` says success also when the model could not be reached; only `is_error` is reliable. */
function endOf(event: Json, message: string | undefined): End {
  const reason = text(event.terminal_reason) ?? text(event.subtype) ?? 'unknown'
  if (reason.startsWith('aborted')) return { outcome: 'interrupted', reason, message }
  const failed = event.is_error === true || event.subtype !== 'success'
  return failed ? { outcome: 'error', reason, message } : { outcome: 'success', reason }
}
