// Cursor's agent. Written from its documentation and other people's records: we could not run it.
import { join } from 'node:path'
import type { Registration } from '#contract/known-engines.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { claudeEvents } from './claude.ts'
import { type BuiltInEngine, type EngineRequest, type Invocation, MCP_NAME, type Permission } from './engine.ts'
import { environment, privateFile } from './environment.ts'
import type { Change, Fact } from './facts.ts'
import { brief, jsonFile, object, text } from './json.ts'
import { nameProblem } from './models.ts'
import { overlay } from './overlay.ts'
import { type EventReader, jsonReader } from './reader.ts'
import { modelAndSession } from './shared-options.ts'

const NAMES = ['CURSOR_API_KEY', 'CURSOR_CONFIG_DIR']

const PERMISSIONS: Record<Permission, string[]> = { read: ['--mode', 'ask'], edit: ['--force'], full: ['--force'] }

const REGISTRATION: Registration = {
  folder: '.cursor',
  files: ['mcp.json'],
  format: 'json',
  holder: 'mcpServers',
  entry: { command: '{runtime}', args: ['{bridge}'] },
  makesFile: false,
  whenStarted: 'left-out',
}

export const cursor: BuiltInEngine = {
  id: 'cursor',
  label: 'Cursor',
  rank: 50,
  programs: ['cursor-agent'],
  version: ['cursor-agent', '--version'],
  install: { shell: 'curl https://cursor.com/install -fsS | bash' },
  signIn: { shell: 'cursor-agent login', variable: 'CURSOR_API_KEY' },
  capabilities: { mcp: true, resume: true, tellsEnd: true, tellsCost: false },
  modelProblem: nameProblem,
  projectConfig: ['.cursor'],
  registration: REGISTRATION,
  async headless(request) {
    const { args, env } = await common(request)
    const approve = request.mcp ? ['--approve-mcps'] : []
    return { args: ['--print', '--output-format', 'stream-json', ...approve, ...args], env, stdin: request.prompt }
  },
  terminal: common,
  reader: options => jsonReader(cursorEvents(), options),
}

async function common(request: EngineRequest): Promise<Invocation> {
  const { mcp } = request
  return {
    args: [...modelAndSession(request), ...(request.permission ? PERMISSIONS[request.permission] : [])],
    env: await environment(request, NAMES, mcp ? { HOME: await home(request) } : {}),
  }
}

/** It knows MCP servers from ~/.cursor/mcp.json and the project's own file alone: a home of links, with one more server in
 * place of the registered one. */
async function home({ folder, source, mcp }: EngineRequest): Promise<string> {
  const original = source.HOME ?? ''
  const stand = join(folder, 'home')
  await overlay(stand, original, ['.cursor'])
  await overlay(join(stand, '.cursor'), join(original, '.cursor'), ['mcp.json'])
  const known = object(jsonFile(join(original, '.cursor', 'mcp.json')))
  const { [REGISTERED_NAME]: _, ...own } = object(known.mcpServers)
  const mcpServers = { ...own, [MCP_NAME]: mcp }
  await privateFile(join(stand, '.cursor'), 'mcp.json', { ...known, mcpServers })
  return stand
}

const CHANGES: Record<string, Change> = {
  writeToolCall: 'created',
  editToolCall: 'edited',
  applyPatchToolCall: 'edited',
  deleteToolCall: 'deleted',
}

/** Claude's events, but for tools: `{"tool_call": {"editToolCall": {args, result: {success: {…}}}}}`. */
function cursorEvents(): EventReader {
  const common = claudeEvents()
  const overwritten = new Set<string>()
  return function* read(event, options): Generator<Fact> {
    yield* common(event, options)
    if (event.type !== 'tool_call') return
    const id = text(event.call_id) ?? ''
    const [name, call] = Object.entries(object(event.tool_call)).find(([key]) => key.endsWith('ToolCall')) ?? ['', {}]
    yield { kind: 'tool', id, name: name.replace(/ToolCall$/, ''), about: brief(object(call).args) }
    const { args, result } = object(call)
    const { success } = object(result)
    const path = text(object(success).path) ?? text(object(args).path)
    if (path === undefined) return
    // It never says whether the file was there. Asked now, before it is written, the file system does.
    if (event.subtype === 'started' && (options.exists?.(path) ?? true) && overwritten.size < 1000) overwritten.add(id)
    const change = CHANGES[name]
    if (event.subtype !== 'completed' || change === undefined || success === undefined) return
    yield { kind: 'file', path, change: change === 'created' && overwritten.has(id) ? 'edited' : change }
  }
}
