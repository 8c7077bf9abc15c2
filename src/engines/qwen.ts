// Qwen Code: a child of Gemini CLI that speaks like Claude Code.
import type { Registration } from '#contract/known-engines.ts'
import { claudeEvents } from './claude.ts'
import type { BuiltInEngine, EngineRequest, Invocation, Permission } from './engine.ts'
import { environment, mcpFile } from './environment.ts'
import { nameProblem } from './models.ts'
import { jsonReader } from './reader.ts'
import { modelAndSession } from './shared-options.ts'

const NAMES = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_MODEL',
  'DASHSCOPE_API_KEY',
  'BAILIAN_CODING_PLAN_API_KEY',
  'QWEN_CODE_*',
  'QWEN_HOME',
]

const MODES: Record<Permission, string> = { read: 'plan', edit: 'yolo', full: 'yolo' }

const REGISTRATION: Registration = {
  variable: 'QWEN_HOME',
  folder: '.qwen',
  files: ['settings.json'],
  format: 'json',
  holder: 'mcpServers',
  entry: { command: '{runtime}', args: ['{bridge}'] },
  makesFile: false,
  // It has no option that switches one server off: the registered bridge is started beside ours, and offers nothing there.
  whenStarted: 'idle',
}

export const qwen: BuiltInEngine = {
  id: 'qwen',
  label: 'Qwen Code',
  rank: 70,
  programs: ['qwen'],
  version: ['qwen', '--version'],
  install: { npm: '@qwen-code/qwen-code' },
  signIn: { shell: 'qwen', type: '/auth', variable: 'OPENAI_API_KEY' },
  capabilities: { mcp: true, resume: true, tellsEnd: true, tellsCost: false },
  // It takes any model that speaks OpenAI's protocol.
  modelProblem: nameProblem,
  projectConfig: ['.qwen', '.env'],
  registration: REGISTRATION,
  async headless(request) {
    const { args, env } = await common(request)
    return { args: ['--output-format', 'stream-json', ...args], env, stdin: request.prompt }
  },
  terminal: common,
  reader: options => jsonReader(claudeEvents({ write_file: 'write', edit: 'edit', replace: 'edit' }), options),
}

async function common(request: EngineRequest): Promise<Invocation> {
  const { mcp } = request
  return {
    args: [
      ...modelAndSession(request),
      ...(mcp ? ['--mcp-config', await mcpFile(request)] : []),
      ...(request.permission ? ['--approval-mode', MODES[request.permission]] : []),
    ],
    env: await environment(request, NAMES, { QWEN_CODE_SUPPRESS_YOLO_WARNING: '1', QWEN_CODE_NO_RELAUNCH: 'true' }),
  }
}
