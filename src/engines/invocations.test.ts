import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { parseConfig } from '#kernel/config.ts'
import { temporaryFolder } from '#test/scripted.ts'
import type { Engine, HeadlessRequest, Invocation, Permission } from './engine.ts'
import { EngineError } from './engine.ts'
import { configTargets } from '#registration/targets.ts'
import { BUILT_IN } from './built-in.gen.ts'
import { allEngines } from './all-engines.ts'

const SECRET = 'tkt_0123456789abcdef0123456789abcdef'
const MCP = {
  command: '/usr/bin/node',
  args: ['/opt/toryo/bin/toryo.js', 'mcp'],
  env: { TORYO_TICKET_FILE: '/run/t', TORYO_TICKET: SECRET },
}
const PROMPT = 'Do the work.\n--not-an-option "quoted" $HOME 日本語'
const get = (id: string) => BUILT_IN.find(engine => engine.id === id) as Engine

/** An environment as a developer has it: every vendor's keys, and things that must not get through. */
const SOURCE = {
  PATH: '/usr/bin:/bin',
  LANG: 'ja_JP.UTF-8',
  LC_ALL: 'ja_JP.UTF-8',
  TERM: 'xterm-256color',
  ANTHROPIC_API_KEY: 'key-of-anthropic',
  OPENAI_API_KEY: 'key-of-openai',
  GEMINI_API_KEY: 'key-of-google',
  CURSOR_API_KEY: 'key-of-cursor',
  GH_TOKEN: 'key-of-github',
  AWS_SECRET_ACCESS_KEY: 'key-of-aws',
  DATABASE_URL: 'postgres://u:p@h/d',
  PGPASSWORD: 'p',
  NODE_OPTIONS: '--require /evil.js',
  LD_PRELOAD: '/evil.so',
  DYLD_INSERT_LIBRARIES: '/evil.dylib',
  GIT_DIR: '/evil',
  BASH_ENV: '/evil',
  TORYO_HOME: '/home/dev/.toryo',
  TORYO_MARK: 'of-somebody-else',
  TORYO_TICKET: 'of-somebody-else',
  CLAUDECODE: '1',
  CLAUDE_CODE_SESSION_ID: 'of-somebody-else',
}

function request(folder: string, changes: Partial<HeadlessRequest> = {}): HeadlessRequest {
  const home = join(folder, 'user')
  mkdirSync(home, { recursive: true })
  return {
    folder,
    directory: join(folder, 'work'),
    source: { ...SOURCE, HOME: home },
    permission: 'edit',
    prompt: PROMPT,
    ...changes,
  }
}

async function headless(id: string, changes: Partial<HeadlessRequest> = {}) {
  const folder = temporaryFolder()
  const invocation = await get(id).headless?.(request(folder.path, changes))
  if (!invocation) throw new Error(`${id} has no such mode`)
  return {
    ...invocation,
    folder: folder.path,
    home: join(folder.path, 'user'),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

const asRoot = process.getuid?.() === 0
/** Claude Code refuses to skip its permissions as root. */
const ALL_OF_CLAUDE = asRoot
  ? '--permission-mode acceptEdits --allowedTools mcp__toryo,Bash,Edit,Write,NotebookEdit,WebFetch,WebSearch,Task'
  : '--permission-mode bypassPermissions'

const PERMISSIONS: Record<string, Record<Permission, string>> = {
  claude: {
    read: '--permission-mode default --allowedTools mcp__toryo,Read,Grep,Glob,LS',
    edit: '--permission-mode acceptEdits --allowedTools mcp__toryo,Bash',
    full: ALL_OF_CLAUDE,
  },
  codex: {
    read: '-c approval_policy="never" -c sandbox_mode="read-only"',
    edit: '-c approval_policy="never" -c sandbox_mode="workspace-write"',
    full: '-c approval_policy="never" -c sandbox_mode="danger-full-access"',
  },
  gemini: { read: '--approval-mode default', edit: '--approval-mode yolo', full: '--approval-mode yolo' },
  opencode: {
    read: '"permission":{"edit":"deny","bash":"deny"}',
    edit: '"permission":{"edit":"allow","bash":"allow","external_directory":"deny"}',
    full: '"permission":{"edit":"allow","bash":"allow","webfetch":"allow","external_directory":"allow"}',
  },
  cursor: { read: '--mode ask', edit: '--force', full: '--force' },
  copilot: {
    read: '--allow-tool toryo --deny-tool write --deny-tool shell',
    edit: '--allow-all-tools',
    full: '--allow-all',
  },
  qwen: { read: '--approval-mode plan', edit: '--approval-mode yolo', full: '--approval-mode yolo' },
}

/** Where a person can be asked, what is not allowed is asked for. */
const IN_TERMINAL: Record<string, Partial<Record<Permission, string>>> = {
  codex: { read: 'sandbox_mode="read-only"', edit: 'sandbox_mode="workspace-write"', full: '"danger-full-access"' },
  opencode: {
    read: '"permission":{"edit":"ask","bash":"ask","external_directory":"ask"}',
    edit: '"permission":{"edit":"allow","bash":"allow","external_directory":"ask"}',
  },
}

/** For the others it is in the server's own entry, or they ask. */
const OURS_ALLOWED: Record<string, string> = {
  claude: '--allowedTools mcp__toryo',
  codex: 'mcp_servers.toryo.default_tools_approval_mode="approve"',
  copilot: '--allow-tool toryo',
}

describe.each(BUILT_IN.map(engine => engine.id))('%s', id => {
  test('gets the prompt on stdin, and no secret in its arguments', async () => {
    using call = await headless(id, { mcp: MCP })
    expect(call.stdin).toBe(PROMPT)
    const line = call.args.join(' ')
    for (const secret of [PROMPT, SECRET, ...Object.values(SOURCE).filter(value => value.startsWith('key-'))]) {
      expect(line).not.toContain(secret)
    }
  })

  test('sees its own vendor’s keys, and nothing that changes how programs run', async () => {
    using call = await headless(id)
    const seen = Object.keys(call.env)
    expect(seen).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LANG', 'LC_ALL']))
    const keys: Record<string, string[]> = {
      claude: ['ANTHROPIC_API_KEY'],
      codex: ['OPENAI_API_KEY'],
      gemini: ['GEMINI_API_KEY'],
      opencode: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
      cursor: ['CURSOR_API_KEY'],
      copilot: ['GH_TOKEN'],
      qwen: ['OPENAI_API_KEY'],
    }
    expect(seen.filter(name => SOURCE[name as keyof typeof SOURCE]?.startsWith('key-')).toSorted()).toEqual(
      keys[id]?.toSorted(),
    )
    const forbidden = /^(NODE_OPTIONS|LD_|DYLD_|GIT_|BASH_ENV|DATABASE_URL|PG|TORYO_|CLAUDECODE|CLAUDE_CODE_SESSION)/
    expect(seen.filter(name => forbidden.test(name))).toEqual([])
  })

  test('finds the MCP server without a file of the user’s having changed', async () => {
    using call = await headless(id, { mcp: MCP })
    const file = call.env.TORYO_MCP_CONFIG ?? ''
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { toryo: MCP } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(call.home)).toEqual([])
  })

  test('goes on with a session and uses the model it is given', async () => {
    using call = await headless(id, { session: 'a-session-id', model: 'vendor/some-model' })
    expect(call.args.join(' ')).toContain('a-session-id')
    expect(call.args).toContain('vendor/some-model')
  })

  test.each(['read', 'edit', 'full'] as Permission[])('knows the permission %s', async permission => {
    using call = await headless(id, { permission })
    const line = [...call.args, call.env.OPENCODE_CONFIG_CONTENT ?? ''].join(' ')
    expect(line).toContain(PERMISSIONS[id]?.[permission])
  })

  test('starts in a terminal with no prompt', async () => {
    using folder = temporaryFolder()
    const made = await get(id).terminal?.(request(folder.path, { mcp: MCP }))
    expect(made?.stdin).toBeUndefined()
    expect(made?.args).not.toContain('-p')
    expect(made?.args.join(' ')).not.toContain(PROMPT)
  })

  test('asks the person as it is set up to in a terminal, but for the tools of our own server', async () => {
    using folder = temporaryFolder()
    const { permission: _, ...asked } = request(folder.path, { mcp: MCP })
    const made = await get(id).terminal?.(asked)
    const settings = JSON.parse(made?.env.OPENCODE_CONFIG_CONTENT ?? '{}') as object
    expect(Object.keys(settings)).not.toContain('permission')
    const line = made?.args.join(' ') ?? ''
    expect(line).not.toMatch(/yolo|approval-mode|approval_policy|sandbox|permission|--force|allow-all|dangerous/)
    expect(line).toContain(OURS_ALLOWED[id] ?? '')
  })

  test.each(['read', 'edit', 'full'] as Permission[])('is told the permission %s in a terminal', async permission => {
    using folder = temporaryFolder()
    const made = await get(id).terminal?.(request(folder.path, { mcp: MCP, permission }))
    const line = [...(made?.args ?? []), made?.env.OPENCODE_CONFIG_CONTENT ?? ''].join(' ')
    expect(line).toContain({ ...PERMISSIONS[id], ...IN_TERMINAL[id] }[permission])
  })

  test('refuses a model’s name that could be an option, or none', () => {
    for (const model of ['', '-x', '--model', 'a b', 'a\nb', 'a;b', 'x'.repeat(200), '../x\0']) {
      expect(get(id).modelProblem(model)).toMatch(/is not a model's name/)
    }
  })

  test('can use MCP', () => expect(get(id).capabilities.mcp).toBe(true))
})

describe('the way to the MCP server', () => {
  test('claude: from a file, beside the user’s own servers', async () => {
    using call = await headless('claude', { mcp: MCP })
    expect(call.args).toEqual(expect.arrayContaining(['--mcp-config', join(call.folder, 'mcp.json')]))
    expect(call.args).not.toContain('--strict-mcp-config')
  })

  test('codex: by settings that name the variables, whose values are in the environment', async () => {
    using call = await headless('codex', { mcp: MCP })
    expect(call.args).toEqual(
      expect.arrayContaining([
        'mcp_servers.toryo.command="/usr/bin/node"',
        'mcp_servers.toryo.args=["/opt/toryo/bin/toryo.js","mcp"]',
        'mcp_servers.toryo.env_vars=["TORYO_TICKET_FILE","TORYO_TICKET","TORYO_MARK"]',
        'mcp_servers.toryo.default_tools_approval_mode="approve"',
        'mcp_servers.toryo.required=true',
        'mcp_servers.toryo.startup_timeout_sec=60',
      ]),
    )
    expect(call.env).toMatchObject(MCP.env)
    expect(call.args.at(-1)).toBe('-')
  })

  test('gemini: a stand-in for its folder, with the user’s settings and files', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path, { mcp: MCP })
    const own = join(folder.path, 'user', '.gemini')
    mkdirSync(own)
    writeFileSync(
      join(own, 'settings.json'),
      '\uFEFF{ "theme": "x", // mine\n "mcpServers": {"mine": {"command": "m"}}, }',
    )
    writeFileSync(join(own, 'oauth_creds.json'), '{}')
    const call = await get('gemini').headless?.(made)
    const stand = join(call?.env.GEMINI_CLI_HOME ?? '', '.gemini')
    expect(JSON.parse(readFileSync(join(stand, 'settings.json'), 'utf8'))).toEqual({
      theme: 'x',
      mcpServers: { mine: { command: 'm' }, toryo: { ...MCP, trust: true } },
    })
    expect(lstatSync(join(stand, 'oauth_creds.json')).isSymbolicLink()).toBe(true)
    expect(call?.env.HOME).toBe(join(folder.path, 'user'))
    // Again in the same folder, as when a run goes on.
    await expect(get('gemini').headless?.(made)).resolves.toEqual(call)
  })

  test('gemini: refuses when the user’s settings cannot be read, and leaves them alone', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path, { mcp: MCP })
    const file = join(folder.path, 'user', '.gemini', 'settings.json')
    mkdirSync(join(folder.path, 'user', '.gemini'))
    writeFileSync(file, '{ broken')
    await expect(get('gemini').headless?.(made)).rejects.toThrow(EngineError)
    expect(readFileSync(file, 'utf8')).toBe('{ broken')
  })

  test('opencode: laid over the user’s configuration', async () => {
    using call = await headless('opencode', { mcp: MCP })
    expect(JSON.parse(call.env.OPENCODE_CONFIG_CONTENT ?? '')).toMatchObject({
      mcp: { toryo: { type: 'local', enabled: true, command: [MCP.command, ...MCP.args], environment: MCP.env } },
    })
  })

  test('copilot: a further file', async () => {
    using call = await headless('copilot', { mcp: MCP })
    const at = call.args.indexOf('--additional-mcp-config')
    const file = (call.args[at + 1] ?? '').replace(/^@/, '')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { toryo: { type: 'local', ...MCP, tools: ['*'] } },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('cursor: a home of links with one more server', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path, { mcp: MCP })
    const own = join(folder.path, 'user')
    mkdirSync(join(own, '.cursor'))
    writeFileSync(join(own, '.gitconfig'), '[user]')
    writeFileSync(join(own, '.cursor', 'mcp.json'), '{"mcpServers":{"mine":{"command":"m"}}}')
    writeFileSync(join(own, '.cursor', 'cli-config.json'), '{}')
    const call = await get('cursor').headless?.(made)
    const home = call?.env.HOME ?? ''
    expect(JSON.parse(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8'))).toEqual({
      mcpServers: { mine: { command: 'm' }, toryo: MCP },
    })
    expect(readFileSync(join(home, '.gitconfig'), 'utf8')).toBe('[user]')
    expect(existsSync(join(home, '.cursor', 'cli-config.json'))).toBe(true)
    expect(readFileSync(join(own, '.cursor', 'mcp.json'), 'utf8')).not.toContain('toryo')
  })
})

describe('our entry in the user’s configuration is not started beside it', () => {
  const OURS = '{"command":"node","args":["/opt/toryo/dist/bridge.js"]}'
  const servers = `{"mine":{"command":"m"},"${REGISTERED_NAME}":${OURS}}`

  /** Both ways to start it, with this file in the user's home. */
  async function calls(id: string, file: string, content: string) {
    const folder = temporaryFolder()
    const made = request(folder.path, { mcp: MCP })
    const path = join(folder.path, 'user', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    const all = [await get(id).headless?.(made), await get(id).terminal?.(made)] as Invocation[]
    expect(readFileSync(path, 'utf8')).toBe(content)
    return { all, folder: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  }

  test('claude: denied, as are the servers that a project brings along, here or in a folder above', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path, { mcp: MCP })
    mkdirSync(made.directory)
    writeFileSync(join(folder.path, '.mcp.json'), '{"mcpServers":{"above":{},"both":{}}}')
    writeFileSync(join(made.directory, '.mcp.json'), '{"mcpServers":{"here":{},"both":{}}}')
    for (const call of [await get('claude').headless?.(made), await get('claude').terminal?.(made)]) {
      const settings = JSON.parse(call?.args[call.args.indexOf('--settings') + 1] ?? '')
      expect(settings).toEqual({
        deniedMcpServers: [{ serverName: REGISTERED_NAME }],
        disabledMcpjsonServers: expect.arrayContaining(['here', 'both', 'above']),
      })
    }
  })

  const off = `mcp_servers.${REGISTERED_NAME}.enabled=false`
  test.each([
    ['as we write it', `[mcp_servers.${REGISTERED_NAME}]\ncommand = "node"\n`, true, true],
    ['within another table', `[mcp_servers]\n${REGISTERED_NAME} = { command = "node" }\n`, true, true],
    [
      'a remote one, to which a command must not be added',
      `[mcp_servers.${REGISTERED_NAME}]\nurl = "u"\n`,
      true,
      false,
    ],
    ['none, of which nothing must be said', '[mcp_servers.mine]\ncommand = "m"\n', false, false],
    ['a file that cannot be read', '[mcp_servers', false, false],
  ])('codex: %s', async (_name, content, switched, command) => {
    using made = await calls('codex', '.codex/config.toml', content)
    for (const { args } of made.all) {
      expect(args.includes(off)).toBe(switched)
      expect(args.join(' ').includes(`${REGISTERED_NAME}.command=`)).toBe(command)
    }
  })

  test('gemini: left out of its stand-in', async () => {
    using made = await calls('gemini', '.gemini/settings.json', `{"mcpServers":${servers}}`)
    const stand = join(made.all[0]?.env.GEMINI_CLI_HOME ?? '', '.gemini', 'settings.json')
    expect(Object.keys(JSON.parse(readFileSync(stand, 'utf8')).mcpServers)).toEqual(['mine', 'toryo'])
  })

  test('cursor: left out of its stand-in', async () => {
    using made = await calls('cursor', '.cursor/mcp.json', `{"mcpServers":${servers}}`)
    const stand = join(made.all[0]?.env.HOME ?? '', '.cursor', 'mcp.json')
    expect(Object.keys(JSON.parse(readFileSync(stand, 'utf8')).mcpServers)).toEqual(['mine', 'toryo'])
  })

  test.each(['opencode.json', 'opencode.jsonc'])('opencode: switched off, where it is in %s', async name => {
    using made = await calls('opencode', `.config/opencode/${name}`, `{"mcp":${servers}}`)
    using none = await calls('opencode', `.config/opencode/${name}`, '{"mcp":{}}')
    const mcp = (call: Invocation) => JSON.parse(call.env.OPENCODE_CONFIG_CONTENT ?? '').mcp
    for (const call of made.all) expect(mcp(call)).toMatchObject({ [REGISTERED_NAME]: { enabled: false }, toryo: {} })
    for (const call of none.all) expect(Object.keys(mcp(call))).toEqual(['toryo'])
  })

  test('copilot: switched off, where it is', async () => {
    using made = await calls('copilot', '.copilot/mcp-config.json', `{"mcpServers":${servers}}`)
    using none = await calls('copilot', '.copilot/mcp-config.json', '{"mcpServers":{}}')
    const option = `--disable-mcp-server ${REGISTERED_NAME}`
    for (const { args } of made.all) expect(args.join(' ')).toContain(option)
    for (const { args } of none.all) expect(args.join(' ')).not.toContain(option)
  })
})

describe('our entry is looked for where registration writes it', () => {
  const moved = BUILT_IN.flatMap(({ id, registration }) => {
    const { variable, whenStarted } = registration ?? {}
    // Qwen cannot switch it off, and Claude Code gets the option without a look at the file.
    return variable === undefined || whenStarted === 'idle' || id === 'claude' ? [] : [{ id, variable }]
  })
  expect(moved.map(({ id }) => id)).toEqual(['codex', 'gemini', 'opencode', 'copilot'])

  test.each(moved)('$id: also when $variable names another place', async ({ id, variable }) => {
    using folder = temporaryFolder()
    const env = { [variable]: join(folder.path, 'elsewhere') }
    const [target] = configTargets(env, join(folder.path, 'user')).filter(({ engine }) => engine === id)
    if (!target) throw new Error(`${id} is not registered`)
    mkdirSync(dirname(target.file), { recursive: true })
    const ours = target.entry({ runtime: '/usr/bin/node', bridge: '/opt/toryo/dist/bridge.js' })
    writeFileSync(target.file, target.format.fresh(ours))
    const made = request(folder.path, { mcp: MCP })
    const call = await get(id).headless?.({ ...made, source: { ...made.source, ...env } })
    const stand = join(call?.env.GEMINI_CLI_HOME ?? '', '.gemini', 'settings.json')
    const off: Record<string, () => boolean> = {
      codex: () => call?.args.includes(`mcp_servers.${REGISTERED_NAME}.enabled=false`) === true,
      gemini: () => !readFileSync(stand, 'utf8').includes(REGISTERED_NAME),
      opencode: () => JSON.parse(call?.env.OPENCODE_CONFIG_CONTENT ?? '').mcp[REGISTERED_NAME]?.enabled === false,
      copilot: () => call?.args.includes('--disable-mcp-server') === true,
    }
    expect(off[id]?.()).toBe(true)
  })
})

describe('keys that only the user’s configuration names get through', () => {
  test('codex', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path)
    mkdirSync(join(folder.path, 'user', '.codex'))
    writeFileSync(join(folder.path, 'user', '.codex', 'config.toml'), '[model_providers.x]\nenv_key = "MY_KEY"\n')
    const call = await get('codex').headless?.({ ...made, source: { ...made.source, MY_KEY: 'k', OTHER: 'o' } })
    expect(call?.env).toMatchObject({ MY_KEY: 'k' })
    expect(call?.env).not.toHaveProperty('OTHER')
  })

  test('opencode', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path)
    mkdirSync(join(folder.path, 'user', '.config', 'opencode'), { recursive: true })
    writeFileSync(join(folder.path, 'user', '.config', 'opencode', 'opencode.json'), '{"apiKey":"{env:MY_KEY}"}')
    const call = await get('opencode').headless?.({ ...made, source: { ...made.source, MY_KEY: 'k' } })
    expect(call?.env).toMatchObject({ MY_KEY: 'k' })
  })

  test('claude, for the cloud it is told to use', async () => {
    using call = await headless('claude')
    expect(call.env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY')
    using folder = temporaryFolder()
    const made = request(folder.path)
    const cloud = await get('claude').headless?.({ ...made, source: { ...made.source, CLAUDE_CODE_USE_BEDROCK: '1' } })
    expect(cloud?.env).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'key-of-aws' })
  })
})

describe('a model of another vendor', () => {
  test.each([
    ['claude', 'gpt-6', true],
    ['claude', 'sonnet', false],
    ['claude', 'claude-opus-5-5', false],
    ['claude', 'opus[1m]', false],
    ['claude', 'us.anthropic.claude-sonnet-4-20250514-v1:0', false],
    ['codex', 'claude-opus-5-5', true],
    ['codex', 'gpt-6-sol', false],
    ['codex', 'my-own-model', false],
    ['gemini', 'o3', true],
    ['gemini', 'gemini-2.5-pro', false],
    ['opencode', 'gpt-6', true],
    ['opencode', 'openai/gpt-6', false],
    ['cursor', 'auto', false],
  ])('%s: %s is refused: %s', (id, model, refused) => {
    expect(get(id).modelProblem(model) !== undefined).toBe(refused)
  })
})

describe('an engine from the configuration', () => {
  const config = parseConfig(
    `{"engines": {
      "mine": {"headless": ["my-cli", "--json", "--model={model}"], "terminal": ["my-tui"], "version": ["my-cli", "-V"],
               "output": "claude", "models": ["mine-*", "x.y"], "env": ["MY_KEY"]},
      "claude": {"terminal": ["my-claude"]}
    }}`,
    'config.json',
  )
  const engines = allEngines(config)
  const mine = engines.get('mine') as Engine

  test('is started as described', async () => {
    using folder = temporaryFolder()
    const made = request(folder.path, { model: 'mine-1', mcp: MCP })
    const call = await mine.headless?.({ ...made, source: { ...made.source, MY_KEY: 'k' } })
    expect(call).toMatchObject({
      args: ['--json', '--model=mine-1'],
      stdin: PROMPT,
      env: { MY_KEY: 'k', TORYO_MODEL: 'mine-1' },
    })
    expect(call?.env).not.toHaveProperty('ANTHROPIC_API_KEY')
    expect(existsSync(call?.env.TORYO_MCP_CONFIG ?? '')).toBe(true)
    expect(await mine.terminal?.(made)).toMatchObject({ args: [], program: 'my-tui' })
  })

  test('takes the models it names', () => {
    expect(['mine-1', 'x.y', 'mine-'].map(model => mine.modelProblem(model))).toEqual([undefined, undefined, undefined])
    expect(['xzy', 'yours', 'x.y.z'].map(model => mine.modelProblem(model))).toEqual(
      ['xzy', 'yours', 'x.y.z'].map(model => `mine does not run ${model}`),
    )
  })

  test('takes the place of a built-in one of its name, with what it has', () => {
    expect(engines.get('claude')).toMatchObject({ programs: ['my-claude'] })
    expect(engines.get('claude')).not.toHaveProperty('headless')
    expect([...engines.keys()]).toEqual(['claude', 'codex', 'gemini', 'opencode', 'cursor', 'copilot', 'qwen', 'mine'])
  })
})

test('without a model nothing of an engine from the configuration names one', async () => {
  using folder = temporaryFolder()
  const { engines } = parseConfig(
    '{"engines": {"mine": {"headless": ["my-cli", "--model={model}", "-m", "{model}", "--json"], "output": "text"}}}',
    'config.json',
  )
  const mine = allEngines({ engines }).get('mine')
  const argsOf = async (model?: string) =>
    (await mine?.headless?.({ ...request(folder.path, {}), prompt: 'go', model }))?.args
  expect(await argsOf()).toEqual(['--json'])
  expect(await argsOf('big')).toEqual(['--model=big', '-m', 'big', '--json'])
})
