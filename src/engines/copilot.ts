// GitHub Copilot CLI.
import { readFileSync } from 'node:fs'
import type { Registration } from '#contract/known-engines.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { type BuiltInEngine, type EngineRequest, type Invocation, MCP_NAME, type Permission } from './engine.ts'
import { configFiles } from './config-files.ts'
import { environment, privateFile } from './environment.ts'
import type { Change, Fact } from './facts.ts'
import { brief, type Json, list, number, object, text } from './json.ts'
import { nameProblem } from './models.ts'
import { troubleOf } from './quota.ts'
import { type EventReader, jsonReader } from './reader.ts'
import { option } from './shared-options.ts'

const NAMES = ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST']

const PERMISSIONS: Record<Permission, string[]> = {
  read: ['--allow-tool', MCP_NAME, '--deny-tool', 'write', '--deny-tool', 'shell'],
  edit: ['--allow-all-tools'],
  full: ['--allow-all'],
}

const REGISTRATION: Registration = {
  variable: 'COPILOT_HOME',
  folder: '.copilot',
  files: ['mcp-config.json'],
  format: 'json',
  holder: 'mcpServers',
  entry: { type: 'local', command: '{runtime}', args: ['{bridge}'], tools: ['*'] },
  makesFile: false,
  whenStarted: 'off',
}

export const copilot: BuiltInEngine = {
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  rank: 60,
  programs: ['copilot'],
  version: ['copilot', '--version'],
  install: { npm: '@github/copilot' },
  signIn: { shell: 'copilot', type: '/login', variable: 'GH_TOKEN' },
  capabilities: { mcp: true, resume: true, tellsEnd: true, tellsCost: false },
  modelProblem: nameProblem,
  projectConfig: [
    '.github/hooks',
    '.github/copilot',
    '.github/extensions',
    '.github/agents',
    '.github/skills',
    '.github/mcp.json',
    '.github/lsp.json',
    '.copilot',
    '.agents',
    '.mcp.json',
    '.vscode/mcp.json',
  ],
  registration: REGISTRATION,
  async headless(request) {
    const { args, env } = await common(request)
    return { args: ['--output-format', 'json', '--no-ask-user', ...args], env, stdin: request.prompt }
  },
  terminal: common,
  reader: options => jsonReader(copilotEvents(), options),
}

async function common(request: EngineRequest): Promise<Invocation> {
  const { model, session } = request
  return {
    args: [
      '--no-auto-update',
      ...option('--model', model),
      ...(session === undefined ? [] : [`--resume=${session}`]),
      ...(await servers(request)),
      ...(isRegistered(request.source) ? ['--disable-mcp-server', REGISTERED_NAME] : []),
      ...(request.permission ? PERMISSIONS[request.permission] : ['--allow-tool', MCP_NAME]),
    ],
    env: await environment(request, NAMES),
  }
}

/** Its own form, which must list the tools that may be used. */
async function servers({ mcp, folder }: EngineRequest): Promise<string[]> {
  if (!mcp) return []
  const entry = { type: 'local', ...mcp, tools: ['*'] }
  return [
    '--additional-mcp-config',
    `@${await privateFile(folder, 'copilot-mcp.json', { mcpServers: { [MCP_NAME]: entry } })}`,
  ]
}

function isRegistered(source: NodeJS.ProcessEnv): boolean {
  const [file = ''] = configFiles(REGISTRATION, source, source.HOME ?? '')
  try {
    return readFileSync(file, 'utf8').includes(REGISTERED_NAME)
  } catch {
    return false // It has no file.
  }
}

const CHANGES: Record<string, Change> = { create: 'created', edit: 'edited', delete: 'deleted' }

function copilotEvents(): EventReader {
  let problem: string | undefined
  return function* read(event, { now = Date.now }): Generator<Fact> {
    const data = object(event.data)
    switch (event.type) {
      case 'session.mcp_server_status_changed':
        if (data.serverName !== MCP_NAME || data.status === 'pending') return
        yield { kind: 'mcp', connected: data.status === 'connected', problem: text(data.error) }
        return
      case 'assistant.turn_start':
        yield { kind: 'started' }
        return
      case 'assistant.message': {
        const words = text(data.content)
        if (words !== undefined) yield { kind: 'message', text: words }
        return
      }
      case 'tool.execution_start': {
        const model = text(data.model)
        if (model !== undefined) yield { kind: 'model', model }
        yield {
          kind: 'tool',
          id: text(data.toolCallId) ?? '',
          name: text(data.toolName) ?? '',
          about: brief(data.arguments),
        }
        return
      }
      case 'tool.execution_complete':
        if (data.success === true) yield* files(data)
        return
      case 'session.error':
        problem = text(data.message) ?? 'error'
        yield* troubleOf(problem, now())
        return
      case 'result':
        yield* ended(event, problem)
        return
      default:
    }
  }
}

function* files(data: Json): Generator<Fact> {
  for (const { path, kind } of list(data.fileEdits).map(object)) {
    if (typeof path === 'string') yield { kind: 'file', path, change: CHANGES[text(kind) ?? ''] ?? 'edited' }
  }
}

/** The session is named only here. */
function* ended(event: Json, message: string | undefined): Generator<Fact> {
  const session = text(event.sessionId)
  if (session !== undefined) yield { kind: 'session', id: session }
  const code = number(event.exitCode)
  const end = code === 0 ? { outcome: 'success' as const } : { outcome: 'error' as const, message }
  yield { kind: 'end', reason: `exit-code-${code ?? 'unknown'}`, ...end }
}
