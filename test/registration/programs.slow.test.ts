// The real programs: `toryo up` makes itself known to the engines, their bridges find it, and nothing is left behind.
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLedger } from '#registration/ledger.ts'
import { takeEditLock } from '#registration/lock.ts'
import { ownMark } from '#system/process-identity.ts'
import { chooseCommand } from '#registration/runtime.ts'
import { BridgeClient } from '../bridge/bridge-client.ts'
import { isAlive } from '#system/processes.ts'
import { until } from '../bridge/world.ts'
import { Toryo } from '../toryo.ts'

const BRIDGE = path.resolve(import.meta.dirname, '..', '..', 'dist', 'bridge.js')

let toryo: Toryo
const files: Record<string, string> = {
  '.claude.json': '{\n  "numStartups": 9007199254740993,\n  "mcpServers": {}\n}\n',
  '.codex/config.toml': '# mine\nmodel = "gpt"',
  '.gemini/settings.json': '{ /* none */ }',
}
beforeEach(() => {
  toryo = new Toryo()
  if (toryo.env()['HOME'] !== toryo.folder) throw new Error('the real home')
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true })
    fs.writeFileSync(at(name), text)
  }
})
afterEach(() => toryo[Symbol.asyncDispose]())

const at = (name: string) => path.join(toryo.folder, name)
const texts = () => Object.fromEntries(Object.keys(files).map(name => [name, fs.readFileSync(at(name), 'utf8')]))
const registered = () => Object.values(texts()).filter(text => text.includes('gwt-agent-bridge')).length
const stateFile = () => at('.gwt/mcp-state.json')

async function up(...args: string[]) {
  const hub = toryo.start('up', '--port', '0', '--no-runner', '--no-open', ...args)
  await hub.output(/Ctrl-C/)
  return hub
}

/** As an engine starts it: no arguments, and an environment of which nothing of ours can be relied on. */
function engineBridge(env: Record<string, string> = {}, bridge = BRIDGE): BridgeClient {
  return new BridgeClient(bridge, [], { HOME: toryo.folder, TORYO_HOME: toryo.home, PATH: '', LANG: 'C', ...env })
}

test('FR-017, FR-018, FR-005: registered while it runs, with the exact words; to the byte as before when it stops', async () => {
  const hub = await up()
  const { runtime } = await chooseCommand(BRIDGE, toryo.env())
  expect(JSON.parse(texts()['.claude.json'] as string).mcpServers).toEqual({
    'gwt-agent-bridge': { command: runtime, args: [BRIDGE], env: {} },
  })
  expect(texts()['.codex/config.toml']).toBe(
    `# mine\nmodel = "gpt"\n\n[mcp_servers.gwt-agent-bridge]\ncommand = ${JSON.stringify(runtime)}\nargs = [${JSON.stringify(BRIDGE)}]\n`,
  )
  expect(JSON.parse((texts()['.gemini/settings.json'] as string).replace('/* none */', '')).mcpServers).toEqual({
    'gwt-agent-bridge': { command: runtime, args: [BRIDGE] },
  })
  expect(fs.statSync(stateFile()).mode & 0o777).toBe(0o600)
  expect(fs.statSync(path.dirname(stateFile())).mode & 0o777).toBe(0o700)
  const state = JSON.parse(fs.readFileSync(stateFile(), 'utf8'))
  const { url } = await toryo.json<{ url: string }>('status')
  expect(state).toMatchObject({ url, port: Number(new URL(url).port), pid: hub.child.pid })
  expect(state.token).toBe((await toryo.here(['token'])).out.trim())
  for (const text of Object.values(texts())) expect(text).not.toContain(state.token)

  hub.child.kill('SIGINT')
  expect(await hub.ended).toBe(0)
  expect(texts()).toEqual(files)
  expect(fs.existsSync(stateFile())).toBe(false)
  expect(readLedger(toryo.home)).toEqual({ entries: [] })
})

test('toryo stop unregisters as well', async () => {
  const hub = await up()
  expect(registered()).toBe(3)
  await toryo.json('stop')
  expect(await hub.ended).toBe(0)
  expect(texts()).toEqual(files)
})

test('toryo stop while the hub is still registering: it finishes, undoes it, and ends', async () => {
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const lock = await takeEditLock(fs, path.join(toryo.home, 'registrations.lock'), ownMark())
  const hub = toryo.start('up', '--port', '0', '--no-runner', '--no-open')
  await until(() => fs.existsSync(`${toryo.db}.hub.json`) && fs.existsSync(stateFile()))
  const stopped = toryo.json('stop')
  // Its answer is on the way; whether it is there before the lock is free or after makes no difference to the end.
  await new Promise(resolve => setTimeout(resolve, 700))
  lock?.release()
  expect(await stopped).toMatchObject({ stopped: true })
  expect(await hub.ended).toBe(0)
  expect(hub.seen.err).toBe('')
  expect(texts()).toEqual(files)
  expect(fs.existsSync(stateFile())).toBe(false)
})

test('a background hub registers nothing, and neither does --no-register', async () => {
  await toryo.json('project', 'list')
  expect(texts()).toEqual(files)
  await toryo.json('stop')
  const hub = await up('--no-register')
  expect(texts()).toEqual(files)
  expect(fs.existsSync(at('.gwt'))).toBe(false)
  hub.child.kill('SIGINT')
  await hub.ended
})

test('FR-006, FR-002: a bridge without arguments finds the registered hub, and finds it again after a restart', async () => {
  const first = await up()
  const client = engineBridge()
  await client.handshake()
  expect(await toolsOf(client)).toContain('gwt_list_tabs')
  first.child.kill('SIGKILL')
  await first.ended
  const second = await up()
  expect((await client.request('tools/list')).result).toBeDefined()
  client.child.stdin.end()
  expect((await client.exit).code).toBe(0)
  second.child.kill('SIGINT')
  await second.ended
  expect(texts()).toEqual(files)
})

async function introduce(client: BridgeClient) {
  const clientInfo = { name: 'engine', version: '1' }
  const answer = await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  client.notify('notifications/initialized')
  return answer
}

async function toolsOf(client: BridgeClient): Promise<string[]> {
  const { result } = await client.request('tools/list')
  const tools = (result?.['tools'] ?? []) as { name: string }[]
  return tools.map(({ name }) => name)
}

test('the registered bridge has the tools of tabs alone; the configuration gives it more, without a restart', async () => {
  const hub = await up()
  const client = engineBridge()
  const { result } = await introduce(client)
  expect(result?.['capabilities']).toEqual({ tools: expect.anything() })
  expect(await toolsOf(client)).toEqual(expect.arrayContaining(['gwt_list_tabs', 'gwt_read_messages']))
  expect((await toolsOf(client)).filter(name => !name.startsWith('gwt_'))).toEqual([])
  expect((await client.call('list_projects')).error?.message).toContain('Unknown tool: list_projects')

  const registration = { toolsets: ['projects', 'memory'] }
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify({ registration }))
  const wider = await until(async () => {
    const next = engineBridge()
    const { result: said } = await introduce(next)
    if ((await toolsOf(next)).includes('recall')) return { next, said }
    next.child.stdin.end()
    await next.exit
    return undefined
  })
  expect(await toolsOf(wider.next)).toEqual(expect.arrayContaining(['gwt_list_tabs', 'list_projects', 'recall']))
  expect(await toolsOf(wider.next)).not.toContain('run_agents')
  expect(wider.said?.['capabilities']).toMatchObject({ resources: {}, prompts: {} })
  // An open connection keeps its settings.
  expect((await toolsOf(client)).filter(name => !name.startsWith('gwt_'))).toEqual([])
  for (const { child, exit } of [client, wider.next]) {
    child.stdin.end()
    await exit
  }
  hub.child.kill('SIGINT')
  await hub.ended
})

test('FR-019: what a crash left is found at the next start, and goes with it', async () => {
  const first = await up()
  first.child.kill('SIGKILL')
  await first.ended
  expect(registered()).toBe(3)
  const doctor = await toryo.json<{ findings: { check: string; level: string }[] }>('doctor')
  expect(doctor.findings.filter(({ check, level }) => check === 'registration' && level === 'warn')).toHaveLength(3)
  const second = await up()
  expect(registered()).toBe(3)
  const owners = readLedger(toryo.home).entries.map(({ owner }) => owner.kind === 'hub' && owner.process.pid)
  expect(owners).toEqual([second.child.pid, second.child.pid, second.child.pid])
  second.child.kill('SIGTERM')
  await second.ended
  expect(texts()).toEqual(files)
})

test('FR-019: what a hub of another TORYO_HOME left in a crash is found, too', async () => {
  toryo.more = { TORYO_HOME: at('other-home') }
  const first = await up('--db', at('other-home/other.db'))
  expect(registered()).toBe(3)
  first.child.kill('SIGKILL')
  await first.ended
  toryo.more = {}
  const second = await up()
  expect(readLedger(at('other-home'))).toEqual({ entries: [] })
  const owners = readLedger(toryo.home).entries.map(({ owner }) => owner.kind === 'hub' && owner.process.pid)
  expect(owners).toEqual([second.child.pid, second.child.pid, second.child.pid])
  second.child.kill('SIGINT')
  await second.ended
  expect(texts()).toEqual(files)
})

test('FR-020: a bridge that finds its hub dead takes the entries out, says so in one line, and ends well', async () => {
  const hub = await up()
  hub.child.kill('SIGKILL')
  await hub.ended
  const client = engineBridge()
  client.post('initialize')
  expect(await client.exit).toEqual({ code: 0, signal: null })
  expect(client.lines).toEqual([])
  expect(client.stderr).toMatch(/^No hub runs; .*removed from .*\.claude\.json.*\n$/)
  expect(texts()).toEqual(files)

  const again = engineBridge({ TORYO_LANG: 'ja' })
  expect((await again.exit).code).toBe(0)
  expect([again.lines, again.stderr]).toEqual([[], 'ハブは動いていません。`toryo up` で起動できます。\n'])
})

test('a bridge of an engine with an empty environment still finds the ledger of the dead hub', async () => {
  const hub = await up()
  hub.child.kill('SIGKILL')
  await hub.ended
  const client = new BridgeClient(BRIDGE, [], { HOME: toryo.folder })
  expect((await client.exit).code).toBe(0)
  expect(texts()).toEqual(files)
})

test('a bridge starts no hub, and touches no entry that is not provably stale', async () => {
  await toryo.here(['register'])
  expect(registered()).toBe(3)
  const kept = texts()
  const client = engineBridge()
  expect((await client.exit).code).toBe(0)
  expect(client.stderr).toBe('No hub runs; `toryo up` starts one.\n')
  expect(texts()).toEqual(kept)
  expect(fs.existsSync(`${toryo.db}.hub.json`)).toBe(false)
  // Of another machine's hub nothing can be proven.
  const ledger = readLedger(toryo.home)
  const elsewhere = { ...ownMark(), pid: 4_000_000, boot: 'another', host: 'another' }
  const entries = ledger.entries.map(one => ({ ...one, owner: { kind: 'hub', db: '/x', process: elsewhere } }))
  fs.writeFileSync(path.join(toryo.home, 'registrations.json'), JSON.stringify({ entries }), { mode: 0o600 })
  expect((await engineBridge().exit).code).toBe(0)
  expect(texts()).toEqual(kept)
  expect((await toryo.here(['unregister'])).code).toBe(0)
  expect(texts()).toEqual(files)
})

test('two hubs: the second says whose the registration is; the first keeps it until it ends', async () => {
  const first = await up()
  const second = await up('--db', at('other.db'))
  expect(second.seen.err).toContain(`belongs to a hub that runs (pid ${first.child.pid}`)
  second.child.kill('SIGINT')
  await second.ended
  expect(registered()).toBe(3)
  const client = engineBridge()
  await client.handshake()
  client.child.stdin.end()
  await client.exit
  first.child.kill('SIGINT')
  await first.ended
  expect(texts()).toEqual(files)
})

test('toryo unregister while the hub runs: the hub itself takes its entries out, and goes on', async () => {
  const hub = await up()
  const { files: done } = await toryo.json<{ files: { state: string }[] }>('unregister')
  expect(done.map(({ state }) => state)).toEqual(['removed', 'removed', 'removed'])
  expect(texts()).toEqual(files)
  expect(isAlive(hub.child.pid as number)).toBe(true)
  hub.child.kill('SIGINT')
  expect(await hub.ended).toBe(0)
  expect(texts()).toEqual(files)
})

test('toryo register keeps the entries over the life of hubs; --dry-run only shows', async () => {
  const shown = await toryo.here(['register', '--dry-run'])
  expect(shown.code).toBe(0)
  expect(shown.out).toContain('+ [mcp_servers.gwt-agent-bridge]')
  expect(texts()).toEqual(files)
  expect(fs.existsSync(toryo.home)).toBe(false)
  expect((await toryo.here(['register'])).code).toBe(0)
  const hub = await up()
  hub.child.kill('SIGINT')
  await hub.ended
  expect(registered()).toBe(3)
  const undo = await toryo.here(['unregister', '--dry-run'])
  expect(undo.out).toContain('- [mcp_servers.gwt-agent-bridge]')
  expect(registered()).toBe(3)
  expect((await toryo.here(['unregister'])).code).toBe(0)
  expect(texts()).toEqual(files)
  expect((await toryo.here(['unregister'])).out).toBe('Nothing is registered.\n')
})

test('a broken file keeps nobody from running: one warning with its line, the others are registered', async () => {
  fs.writeFileSync(at('.gemini/settings.json'), '{\n  "a": 1\n  "b": 2\n}')
  const hub = await up()
  expect(hub.seen.err.match(/settings\.json:3: left as it is/g)).toHaveLength(1)
  expect(registered()).toBe(2)
  expect(await toryo.here(['register'])).toMatchObject({ code: 1, out: expect.stringContaining('settings.json:3') })
  hub.child.kill('SIGINT')
  await hub.ended
  expect(fs.readFileSync(at('.gemini/settings.json'), 'utf8')).toBe('{\n  "a": 1\n  "b": 2\n}')
})

const traps: [name: string, lay: (victim: string) => void, says: RegExp][] = [
  [
    'a state folder that is a link',
    victim => fs.symlinkSync(path.dirname(victim), at('.gwt')),
    /it is a symbolic link/,
  ],
  [
    'a state folder that others may write to',
    () => {
      fs.mkdirSync(at('.gwt'))
      fs.chmodSync(at('.gwt'), 0o777)
    },
    /others may write to it/,
  ],
  [
    'a state file that is a link',
    victim => {
      fs.mkdirSync(at('.gwt'), { mode: 0o700 })
      fs.symlinkSync(victim, stateFile())
    },
    /it is a symbolic link/,
  ],
]

test.each(traps)(
  'T18: %s is refused by hub and bridge, and what it leads to is untouched',
  async (_name, lay, says) => {
    const victim = at('victims/id_rsa')
    fs.mkdirSync(path.dirname(victim))
    fs.writeFileSync(victim, 'secret', { mode: 0o600 })
    lay(victim)
    const hub = await up()
    expect(hub.seen.err).toMatch(says)
    expect(texts()).toEqual(files)
    const client = engineBridge()
    expect((await client.exit).code).toBe(4)
    expect(client.stderr).toMatch(says)
    expect(client.lines).toEqual([])
    hub.child.kill('SIGINT')
    expect(await hub.ended).toBe(0)
    expect(fs.readFileSync(victim, 'utf8')).toBe('secret')
    expect(fs.readdirSync(path.dirname(victim))).toEqual(['id_rsa'])
  },
)

test("T18: a stranger on the registered hub's port learns no token", async () => {
  const heard: string[] = []
  const stranger = http.createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    response.setHeader('x-toryo-proof', 'A'.repeat(43)).end('ok')
  })
  stranger.on('upgrade', (request, socket) => {
    heard.push(`upgrade ${JSON.stringify(request.headers)}`)
    socket.destroy()
  })
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve))
  const { port } = stranger.address() as AddressInfo
  const token = 'the-token-of-the-registered-hub'
  fs.mkdirSync(at('.gwt'), { mode: 0o700 })
  // Alive by its record: it is us.
  const state = { port, url: `http://127.0.0.1:${port}`, pid: process.pid, token, process: ownMark() }
  fs.writeFileSync(stateFile(), JSON.stringify(state), { mode: 0o600 })
  const client = engineBridge()
  client.post('initialize')
  await until(() => heard.length >= 2)
  client.child.stdin.end()
  await client.exit
  expect(heard.join('\n')).not.toContain(token)
  expect(heard.join('\n')).not.toContain('upgrade')
  stranger.close()
  stranger.closeAllConnections()
})

test('a bridge that runs while its hub dies for good takes the stale entries out, and serves the next hub', async () => {
  const hub = await up()
  expect(registered()).toBe(3)
  const client = engineBridge()
  await client.handshake()
  hub.child.kill('SIGKILL')
  await hub.ended.catch(() => {})
  await until(() => registered() === 0)
  expect(texts()).toEqual(files)
  await until(() => client.stderr.includes('The hub has ended without cleaning up'))
  const next = await up()
  expect(registered()).toBe(3)
  client.child.stdin.end()
  expect((await client.exit).code).toBe(0)
  next.child.kill('SIGINT')
  await next.ended
  expect(texts()).toEqual(files)
})

test('hubs killed while they register leave files that are whole, and the last clean stop leaves none of ours', async () => {
  const whole = new Set<string>([JSON.stringify(files)])
  const shown = await up()
  whole.add(JSON.stringify(texts()))
  shown.child.kill('SIGINT')
  await shown.ended
  for (let round = 0; round < 4; round++) {
    const hub = toryo.start('up', '--port', '0', '--no-runner', '--no-open')
    // At another count of ledger writes each time; at every single write of every file: kills.night.test.ts.
    let seen = 0
    const ledger = path.join(toryo.home, 'registrations.json')
    let last = fs.statSync(ledger, { throwIfNoEntry: false })?.ino
    await until(() => {
      const now = fs.statSync(ledger, { throwIfNoEntry: false })?.ino
      if (now !== last) seen++
      last = now
      return seen > round || hub.child.exitCode !== null || hub.seen.out.includes('Ctrl-C')
    })
    hub.child.kill('SIGKILL')
    await hub.ended.catch(() => {})
    for (const [name, text] of Object.entries(texts())) {
      const allowed = [...whole].map(one => (JSON.parse(one) as Record<string, string>)[name])
      expect(allowed).toContain(text)
    }
  }
  const final = await up()
  expect(registered()).toBe(3)
  final.child.kill('SIGINT')
  await final.ended
  expect(texts()).toEqual(files)
  const names = fs.readdirSync(toryo.folder, { recursive: true, encoding: 'utf8' })
  expect(names.filter(name => /toryo-[0-9a-f]{16}\.tmp$|claude\.json\.lock$/.test(name))).toEqual([])
})

test('FR-003: the bridge alone, copied into an empty folder, serves', async () => {
  const folder = at('elsewhere')
  fs.mkdirSync(folder)
  const bridge = path.join(folder, 'bridge.js')
  fs.copyFileSync(BRIDGE, bridge)
  const hub = await up()
  const client = engineBridge({}, bridge)
  await client.handshake()
  expect(await toolsOf(client)).toContain('gwt_list_tabs')
  expect(client.stderr).toBe('')
  client.child.stdin.end()
  expect((await client.exit).code).toBe(0)
  hub.child.kill('SIGINT')
  await hub.ended

  // Without a hub, and without the program of one beside it.
  const started = new BridgeClient(bridge, ['--db', at('own.db')], { HOME: toryo.folder, TORYO_HOME: toryo.home })
  await until(() => started.stderr !== '')
  started.child.stdin.end()
  await started.exit
  expect(started.stderr).toContain(path.join(folder, 'hub.js'))
  expect(fs.readdirSync(folder)).toEqual(['bridge.js'])
})

test('NFR-003: the bridge is one file, far below 5 MB, and needs nothing beside it', () => {
  expect(fs.statSync(BRIDGE).size).toBeLessThan(1_000_000)
  const specifiers = [...fs.readFileSync(BRIDGE, 'utf8').matchAll(/(?:^|[;}\n])import[^;"']*["']([^"']+)["']/g)].map(
    ([, name]) => name,
  )
  expect(
    specifiers.filter(
      name =>
        !name?.startsWith('node:') &&
        ![
          'crypto',
          'events',
          'fs',
          'http',
          'https',
          'net',
          'os',
          'path',
          'stream',
          'tls',
          'url',
          'zlib',
          'buffer',
          'util',
        ].includes(name ?? ''),
    ),
  ).toEqual([])
})

test('the bridge knows the engines’ data and none of their code: nothing of it would ever run there', () => {
  const { sources } = JSON.parse(fs.readFileSync(`${BRIDGE}.map`, 'utf8')) as { sources: string[] }
  const carried = (folder: string) => sources.flatMap(one => one.split(`/src/${folder}/`).slice(1)).sort()
  expect(carried('contract')).toContain('known-engines.gen.ts')
  expect(carried('engines')).toEqual(['config-files.ts', 'find-program.ts'])
})
