// Ownership of entries: no program removes another's entry, and what a dead hub left is taken over or removed.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { previewUnregister, unregisterByHand } from '#registration/by-hand.ts'
import { registerHub } from '#registration/hub-registration.ts'
import { takeEditLock } from '#registration/lock.ts'
import { lifeOf, ownMark } from '#system/process-identity.ts'
import { mcpStatePath, readMcpState, writeMcpState } from '#registration/mcp-state.ts'
import { deadHub, Home, otherHub, person, quickDisk, thisHub, waitersDisk } from './home.ts'

const own = (owner: { owner: unknown }) => JSON.stringify(owner.owner) === JSON.stringify(thisHub)

test('T22: register twice, unregister twice: the second time changes nothing', async () => {
  using home = new Home()
  home.write(home.claude, '{\n  "a": 1\n}\n')
  const before = home.picture()
  await home.registrar().add(thisHub, home.command)
  const after = home.picture()
  const inode = fs.statSync(home.claude).ino
  const [again] = await home.registrar().add(thisHub, home.command)
  expect(again?.state).toBe('present')
  expect(home.picture()).toEqual(after)
  expect(fs.statSync(home.claude).ino).toBe(inode)
  expect(await home.registrar().remove(own)).toHaveLength(1)
  expect(home.picture()).toEqual(before)
  expect(await home.registrar().remove(own)).toEqual([])
  expect(home.picture()).toEqual(before)
})

const foreign: [name: string, file: 'claude' | 'codex', text: string][] = [
  ['JSON', 'claude', '{ "mcpServers": { "gwt-agent-bridge": { "command": "gwt", "args": [] } } }'],
  ['JSON, as a string', 'claude', '{ "mcpServers": { "gwt-agent-bridge": "x" } }'],
  ['JSON, twice', 'claude', '{ "mcpServers": { "gwt-agent-bridge": 1, "gwt-agent-bridge": 2 } }'],
  ['TOML, a table', 'codex', '[mcp_servers.gwt-agent-bridge]\ncommand = "gwt"\n'],
  ['TOML, inline', 'codex', 'mcp_servers = { gwt-agent-bridge = { command = "gwt" } }\n'],
  ['TOML, dotted', 'codex', 'mcp_servers.gwt-agent-bridge.command = "gwt"\n'],
  ['TOML, quoted', 'codex', '["mcp_servers"."gwt-agent-bridge"]\ncommand = "gwt"\n'],
]

test.each(foreign)("somebody else's entry of our name is never changed (%s)", async (_name, file, text) => {
  using home = new Home()
  home.write(home[file], text)
  const before = home.picture()
  const outcomes = await home.registrar().add(thisHub, home.command)
  expect(outcomes).toContainEqual(expect.objectContaining({ file: home[file], state: 'foreign', warning: true }))
  expect(await home.registrar().remove(() => true)).toEqual([])
  expect(home.picture()).toEqual(before)
})

test('an entry whose record was lost is known by its words: taken over by the next hub, and gone with it', async () => {
  using home = new Home()
  home.install('gemini')
  home.write(home.claude, '{\n  "a": 1\n}\n')
  home.write(home.codex, 'a = 1\n')
  await home.registrar().add(deadHub, home.command)
  fs.rmSync(`${home.toryo}/registrations.json`)
  const outcomes = await home.registrar().add(thisHub, home.command)
  expect(outcomes.filter(({ state }) => state === 'repaired')).toHaveLength(3)
  await home.registrar().remove(own)
  expect(JSON.parse(home.read(home.claude))).toEqual({ a: 1, mcpServers: {} })
  // Which of the line breaks around it were ours is lost with the record; they stay.
  expect(home.read(home.codex)).toBe('a = 1\n\n')
  // It held nothing but our entry, to the byte: no other program made it.
  expect(fs.existsSync(home.gemini)).toBe(false)
})

test('`toryo unregister` takes out what no ledger speaks of, of this Toryo or another, and nothing else', async () => {
  using home = new Home()
  const entry = (bridge: string) => ({ 'gwt-agent-bridge': { command: '/usr/bin/node', args: [bridge], env: {} } })
  const old = entry('/home/me/.npm/lib/node_modules/toryo/dist/bridge.js')
  home.write(home.claude, JSON.stringify({ mcpServers: old }))
  home.write(home.gemini, JSON.stringify({ mcpServers: entry('/opt/another/dist/bridge.js') }))
  home.write(home.codex, '[mcp_servers.gwt-agent-bridge]\ncommand = "gwt"\nargs = ["/x/toryo/dist/bridge.js"]\n')
  const before = { gemini: home.read(home.gemini), codex: home.read(home.codex) }
  const place = { home: home.toryo, env: home.env }
  expect(previewUnregister(place)).toMatchObject([{ file: home.claude, state: 'removed' }])
  expect(await unregisterByHand(place, async () => undefined)).toMatchObject([{ file: home.claude, state: 'removed' }])
  expect(JSON.parse(home.read(home.claude))).toEqual({ mcpServers: {} })
  expect({ gemini: home.read(home.gemini), codex: home.read(home.codex) }).toEqual(before)
})

test('what another home’s ledger speaks of is not lost', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  await home.registrar().add(person, home.command)
  const after = home.read(home.claude)
  const elsewhere = `${home.folder}/elsewhere`
  fs.mkdirSync(elsewhere, { mode: 0o700 })
  const place = { home: elsewhere, env: { ...home.env, TORYO_HOME: elsewhere } }
  expect(await unregisterByHand(place, async () => undefined)).toEqual([])
  expect(home.read(home.claude)).toBe(after)
})

test('a hub whose ledger is lost while it runs takes its entries out all the same', async () => {
  using home = new Home()
  home.write(home.claude, '{ "a": 1 }')
  const hub = await starting(home, 1)
  expect(home.read(home.claude)).toContain('gwt-agent-bridge')
  fs.rmSync(`${home.toryo}/registrations.json`)
  expect(await hub.release()).toMatchObject([{ file: home.claude, state: 'removed' }])
  expect(JSON.parse(home.read(home.claude))).toEqual({ a: 1, mcpServers: {} })
})

test('a link that leads to another file since: the file that was written is cleaned', async () => {
  using home = new Home()
  const [first, second] = [`${home.folder}/dotfiles/one.json`, `${home.folder}/dotfiles/two.json`]
  home.write(first, '{ "one": 1 }')
  home.write(second, '{ "two": 2 }')
  fs.symlinkSync(first, home.claude)
  await home.registrar().add(thisHub, home.command)
  fs.rmSync(home.claude)
  fs.symlinkSync(second, home.claude)
  expect(await home.registrar().remove(own)).toContainEqual(expect.objectContaining({ state: 'removed' }))
  expect([home.read(first), home.read(second)]).toEqual(['{ "one": 1 }', '{ "two": 2 }'])
  expect(home.ledger()).toEqual({ entries: [] })
  // A hub that starts again moves its entry along.
  await home.registrar().add(thisHub, home.command)
  fs.rmSync(home.claude)
  fs.symlinkSync(first, home.claude)
  await home.registrar().add(thisHub, home.command)
  expect(home.read(second)).toBe('{ "two": 2 }')
  expect(home.read(first)).toContain('gwt-agent-bridge')
  await home.registrar().remove(own)
  expect(home.read(first)).toBe('{ "one": 1 }')
})

/** Time that passes only while the code waits. `touch`: what happens meanwhile. */
function lockTime(touch: () => void) {
  let passed = 0
  const began = Date.now()
  const pause = async (ms: number) => {
    passed += ms
    touch()
  }
  return { now: () => began + passed, elapsed: () => passed, pause, passed: () => passed }
}

test('a lock that its engine keeps is waited for as long as its own rule says; then the file is left alone', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  const lock = `${home.claude}.lock`
  fs.mkdirSync(lock)
  const time = lockTime(() => fs.utimesSync(lock, new Date(time.now()), new Date(time.now())))
  const { Registrar } = await import('#registration/registrar.ts')
  const deps = { home: home.toryo, userHome: home.folder, env: home.env, isGone: () => false, disk: quickDisk, time }
  const [outcome] = await new Registrar(deps).add(thisHub, home.command)
  expect(outcome).toMatchObject({ file: home.claude, state: 'skipped', warning: true })
  expect(outcome?.text.en).toContain(`a process of claude keeps it locked (${lock})`)
  expect(home.read(home.claude)).toBe('{}')
  expect(time.passed()).toBeGreaterThan(10_000)
  expect(fs.existsSync(lock)).toBe(true)

  // One that was left by a process that ended becomes stale meanwhile.
  const quiet = lockTime(() => {})
  const [added] = await new Registrar({ ...deps, time: quiet }).add(thisHub, home.command)
  expect(added).toMatchObject({ state: 'added' })
  expect(fs.existsSync(lock)).toBe(false)
})

test('hubs of several homes that start and stop at once say no system error, and one of them is registered', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  const bridge = `${home.folder}/bridge.js`
  home.write(bridge, '')
  const folder = path.dirname(mcpStatePath(home.folder))
  // What a hub that ends does at the worst moment: the folder is gone between any two steps of the others.
  let steps = 0
  const disk = new Proxy(quickDisk, {
    get(_, name: string) {
      const real = quickDisk[name as keyof typeof quickDisk] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (++steps < 200 && steps % 7 === 0 && fs.existsSync(folder) && fs.readdirSync(folder).length === 0)
          fs.rmdirSync(folder)
        return real(...args)
      }
    },
  })
  const hubs = await Promise.all(
    [1, 2, 3].map(n => {
      const own = `${home.folder}/home${n}`
      fs.mkdirSync(own, { mode: 0o700 })
      const at = { url: `http://127.0.0.1:${4000 + n}`, token: `token-of-hub-number-${n}`, db: `/data/${n}.db` }
      return registerHub({ home: own, env: { ...home.env, TORYO_HOME: own }, bridge, disk, ...at })
    }),
  )
  const all = hubs.flatMap(({ outcomes }) => outcomes)
  expect(all.map(({ text }) => text.en).join('\n')).not.toMatch(/ENOENT|EEXIST/)
  expect(all.filter(({ state }) => state === 'added')).toHaveLength(1)
  for (const hub of hubs) await hub.release()
  expect(home.read(home.claude)).toBe('{}')
})

test('what a hub that crashed has left is taken over without touching the file, and goes with the new hub', async () => {
  using home = new Home()
  home.write(home.claude, '{\n  "a": 1\n}\n')
  const before = home.picture()
  await home.registrar().add(deadHub, home.command)
  const inode = fs.statSync(home.claude).ino
  const [outcome] = await home.registrar().add(thisHub, home.command)
  expect(outcome?.state).toBe('repaired')
  expect(fs.statSync(home.claude).ino).toBe(inode)
  await home.registrar().remove(own)
  expect(home.picture()).toEqual(before)
})

test('what a crashed hub has left in a file that is no longer looked at is removed', async () => {
  using home = new Home()
  home.write(`${home.folder}/elsewhere/config.toml`, 'a = 1\n')
  const env = { ...home.env, CODEX_HOME: `${home.folder}/elsewhere` }
  const { Registrar } = await import('#registration/registrar.ts')
  const isGone = () => false
  await new Registrar({ home: home.toryo, userHome: home.folder, env, isGone }).add(deadHub, home.command)
  expect(home.read(`${home.folder}/elsewhere/config.toml`)).toContain('gwt-agent-bridge')
  await home.registrar().add(thisHub, home.command)
  expect(home.read(`${home.folder}/elsewhere/config.toml`)).toBe('a = 1\n')
})

test('a live hub keeps its entry: another hub says so and leaves it', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  await home.registrar().add(otherHub(), home.command)
  const after = home.picture()
  const [outcome] = await home.registrar().add(thisHub, home.command)
  expect(outcome).toMatchObject({ state: 'held', warning: true })
  expect(outcome?.text.en).toContain('/data/other.db')
  await home.registrar().remove(own)
  expect(home.picture()).toEqual(after)
  await home.registrar().remove(({ owner }) => owner.kind === 'hub' && lifeOf(owner.process) === 'dead', true)
  expect(home.picture()).toEqual(after)
})

/** A hub of this process, one of several. */
function starting(home: Home, n: number, disk = quickDisk) {
  const bridge = `${home.folder}/bridge.js`
  home.write(bridge, '')
  const url = `http://127.0.0.1:${4000 + n}`
  const own = { url, token: `token-of-hub-number-${n}`, db: `/data/${n}.db` }
  return registerHub({ home: home.toryo, env: home.env, bridge, disk, ...own })
}

test('of hubs that start together one is registered as a whole: the one that bridges find has the entries', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  const hubs = await Promise.all([1, 2, 3, 4].map(n => starting(home, n)))
  const states = hubs.map(({ outcomes }) => outcomes.map(({ state }) => state))
  expect(states.filter(one => one.includes('added'))).toHaveLength(1)
  expect(states.filter(one => one.includes('held'))).toHaveLength(3)
  const [entry] = home.ledger().entries
  expect(entry?.owner).toMatchObject({ db: `/data/${readMcpState(home.folder)?.token.slice(-1)}.db` })
  for (const hub of hubs) await hub.release()
  expect(home.read(home.claude)).toBe('{}')
  expect(readMcpState(home.folder)).toBeUndefined()
})

test('one that is about to be found is waited for', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  const before = await takeEditLock(quickDisk, `${home.toryo}/mcp-state.lock`, ownMark())
  const { disk, seen } = waitersDisk()
  const second = starting(home, 2, disk)
  await seen
  expect(readMcpState(home.folder)).toBeUndefined()
  const first = { port: 4001, url: 'http://127.0.0.1:4001', pid: process.pid, token: 'token-of-hub-number-1' }
  writeMcpState(home.folder, { ...first, process: ownMark() })
  before?.release()
  expect((await second).outcomes).toMatchObject([{ state: 'held', warning: true }])
  expect(readMcpState(home.folder)).toMatchObject(first)
  expect(home.read(home.claude)).toBe('{}')
})

test('what a person wants stays when hubs come and go', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  await home.registrar().add(thisHub, home.command)
  await home.registrar().add(person, home.command)
  expect(await home.registrar().remove(own)).toEqual([])
  await home.registrar().add(thisHub, home.command)
  expect(await home.registrar().remove(own)).toEqual([])
  expect(home.read(home.claude)).toContain('gwt-agent-bridge')
  await home.registrar().remove(({ owner }) => owner.kind === 'person')
  expect(home.read(home.claude)).toBe('{}')
})

test('an entry with old paths is brought up to date in place', async () => {
  using home = new Home()
  home.install('gemini')
  home.write(home.claude, '{\n  "a": 1\n}\n')
  home.write(home.codex, 'a = 1\n')
  const before = home.picture()
  await home.registrar().add(deadHub, { runtime: '/old/node', bridge: '/old/bridge.js' })
  const outcomes = await home.registrar().add(thisHub, home.command)
  expect(outcomes.filter(({ state }) => state === 'updated')).toHaveLength(3)
  for (const file of [home.claude, home.codex, home.gemini]) {
    expect(home.read(file)).toContain('/opt/toryo/dist/bridge.js')
    expect(home.read(file)).not.toContain('/old/')
  }
  await home.registrar().remove(own)
  expect(home.picture()).toEqual({ ...before })
})

test('an entry that somebody changed is theirs from then on', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  await home.registrar().add(thisHub, home.command)
  home.write(home.claude, home.read(home.claude).replace('"env": {}', '"env": { "DEBUG": "1" }'))
  const after = home.read(home.claude)
  expect(await home.registrar().remove(own)).toMatchObject([{ state: 'changed', warning: true }])
  expect(home.read(home.claude)).toBe(after)
  expect(await home.registrar().add(thisHub, home.command)).toContainEqual(
    expect.objectContaining({ file: home.claude, state: 'foreign' }),
  )
  expect(home.read(home.claude)).toBe(after)
})

test('an entry that somebody wrote a second time is nobody’s to change', async () => {
  using home = new Home()
  home.write(home.claude, '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n')
  await home.registrar().add(thisHub, home.command)
  const twice = home.read(home.claude).replace('"x": {},', '"gwt-agent-bridge": { "command": "mine" },')
  home.write(home.claude, twice)
  expect(await home.registrar().remove(own, true)).toMatchObject([{ state: 'changed' }])
  const [outcome] = await home.registrar().add(thisHub, { ...home.command, bridge: '/elsewhere/bridge.js' })
  expect(outcome).toMatchObject({ state: 'foreign', warning: true })
  expect(await home.registrar().remove(() => true)).toEqual([])
  expect(home.read(home.claude)).toBe(twice)
})

const reformatted: [name: string, before: string, anew: (text: string) => string, left: string][] = [
  ['indented anew', '{"a":1}', text => JSON.stringify(JSON.parse(text), null, 4), '{\n    "a": 1\n}'],
  ['in one line', '{\n  "a": 1\n}\n', text => JSON.stringify(JSON.parse(text)), '{"a":1}'],
  [
    'sorted',
    '{\n  "z": 1\n}\n',
    text => {
      const { mcpServers, z } = JSON.parse(text)
      return JSON.stringify({ mcpServers, z }, null, 2)
    },
    '{\n  "z": 1\n}',
  ],
  [
    'with another server behind ours',
    '{\n  "a": 1\n}\n',
    text => {
      const value = JSON.parse(text)
      value.mcpServers.other = {}
      return JSON.stringify(value, null, 2)
    },
    '{\n  "a": 1,\n  "mcpServers": {\n    "other": {}\n  }\n}',
  ],
  [
    'with comments around it',
    '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n',
    text => text.replace('"gwt', '// ours?\n    "gwt').replace(/\}\n {2}\}\n\}/, '} // yes\n  }\n}'),
    '{\n  "mcpServers": {\n    "x": {}\n    // ours?\n     // yes\n  }\n}\n',
  ],
]

test.each(reformatted)(
  'an entry that an engine wrote anew (%s) is taken out, and only it',
  async (_name, text, anew, left) => {
    using home = new Home()
    home.write(home.claude, text)
    await home.registrar().add(thisHub, home.command)
    home.write(home.claude, anew(home.read(home.claude)))
    // A bridge, which needs to be sure, leaves it.
    const after = home.read(home.claude)
    expect(await home.registrar().remove(own, true)).toMatchObject([{ state: 'changed' }])
    expect(home.read(home.claude)).toBe(after)
    expect(home.ledger().entries).toHaveLength(1)
    expect(await home.registrar().remove(own)).toMatchObject([{ state: 'removed' }])
    expect(home.read(home.claude)).toBe(left)
  },
)

test('an entry that is byte for byte ours is taken out of a file that changed around it, also by a bridge', async () => {
  using home = new Home()
  home.write(home.claude, '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n')
  await home.registrar().add(thisHub, home.command)
  const value = JSON.parse(home.read(home.claude))
  value.mcpServers.y = { a: 1 }
  home.write(home.claude, JSON.stringify({ first: true, ...value }, null, 2))
  expect(await home.registrar().remove(own, true)).toMatchObject([{ state: 'removed' }])
  const left = { first: true, mcpServers: { x: {}, y: { a: 1 } } }
  expect(home.read(home.claude)).toBe(JSON.stringify(left, null, 2))
})

const rewrittenToml: [name: string, before: string, anew: (text: string) => string, left: string][] = [
  [
    'with comments in it',
    'a = 1\n',
    text => text.replace('command', '# mine\ncommand').replace(/\n$/, ' # end\n# bye\n'),
    'a = 1\n\n# mine\n# bye\n',
  ],
  [
    'as an inline pair',
    '[mcp_servers.x]\ncommand = "x"\n',
    () =>
      '[mcp_servers]\ngwt-agent-bridge = { command = "/usr/bin/node", args = ["/opt/toryo/dist/bridge.js"] }\n[mcp_servers.x]\ncommand = "x"\n',
    '[mcp_servers]\n[mcp_servers.x]\ncommand = "x"\n',
  ],
  [
    'as dotted keys, first in an inline table',
    'mcp_servers = { x = {} }\n',
    () =>
      'mcp_servers = { gwt-agent-bridge = { args = ["/opt/toryo/dist/bridge.js"], command = \'/usr/bin/node\' }, x = {} }\n',
    'mcp_servers = { x = {} }\n',
  ],
]

test.each(rewrittenToml)('the same in TOML (%s)', async (_name, text, anew, left) => {
  using home = new Home()
  home.write(home.codex, text)
  await home.registrar().add(thisHub, home.command)
  home.write(home.codex, anew(home.read(home.codex)))
  expect(await home.registrar().remove(own)).toMatchObject([{ state: 'removed' }])
  expect(home.read(home.codex)).toBe(left)
})

test("a comma in somebody's comment is not taken for the one that we put in", async () => {
  using home = new Home()
  home.write(home.claude, '{\n  "a": 1 // one\n}\n')
  await home.registrar().add(thisHub, home.command)
  // As far before our entry as our comma was there is one of theirs now.
  home.write(home.claude, home.read(home.claude).replace('1, // one', '1, //, // one'))
  expect(await home.registrar().remove(own, true)).toMatchObject([{ state: 'changed' }])
  expect(await home.registrar().remove(own)).toMatchObject([{ state: 'removed' }])
  expect(home.read(home.claude)).toBe('{\n  "a": 1 //, // one\n}\n')
})

test('an entry that is gone is only forgotten', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  home.write(home.gemini, '{}')
  await home.registrar().add(thisHub, home.command)
  home.write(home.claude, '{ "mcpServers": {} }')
  fs.rmSync(home.gemini)
  const outcomes = await home.registrar().remove(own)
  expect(outcomes.map(({ state }) => state)).toEqual(['gone', 'gone'])
  expect(home.read(home.claude)).toBe('{ "mcpServers": {} }')
  expect(fs.existsSync(home.gemini)).toBe(false)
  expect(home.ledger()).toEqual({ entries: [] })
})

test('a process is known by more than its number', () => {
  const mark = ownMark()
  expect(lifeOf(mark)).toBe('alive')
  expect(lifeOf({ ...mark, start: '1' })).toBe('dead')
  expect(lifeOf({ ...mark, boot: 'before' })).toBe('dead')
  expect(lifeOf({ ...mark, boot: 'x', host: 'another machine' })).toBe('unknown')
  expect(lifeOf({ ...mark, space: 'pid:[1]' })).toBe('unknown')
})

test('a ledger that is not to be trusted is refused, and nothing is touched', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  const before = home.picture()
  fs.writeFileSync(`${home.toryo}/registrations.json`, '{}', { mode: 0o644 })
  await expect(home.registrar().add(thisHub, home.command)).rejects.toThrow(/others can read it/)
  fs.rmSync(`${home.toryo}/registrations.json`)
  fs.symlinkSync(home.claude, `${home.toryo}/registrations.json`)
  await expect(home.registrar().add(thisHub, home.command)).rejects.toThrow(/symbolic link/)
  expect(home.picture()).toEqual(before)
})

test('a ledger that names a file of somebody’s as our draft does not make us remove it', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  const precious = `${home.folder}/precious.txt`
  home.write(precious, 'mine')
  const pending = { at: Date.now(), draft: precious, lock: `${home.folder}/folder` }
  fs.mkdirSync(`${home.folder}/folder`)
  home.write(`${home.folder}/folder/full`, 'mine')
  fs.writeFileSync(`${home.toryo}/registrations.json`, JSON.stringify({ entries: [], pending }), { mode: 0o600 })
  const before = home.picture()
  await home.registrar().add(thisHub, home.command)
  await home.registrar().remove(own)
  expect(home.picture()).toEqual(before)
  expect(home.ledger()).toEqual({ entries: [] })
})

test('a ledger that is damaged counts as empty: by it alone nothing is taken out', async () => {
  using home = new Home()
  home.write(home.claude, '{}')
  await home.registrar().add(thisHub, home.command)
  const after = home.read(home.claude)
  for (const text of ['', '{', '[]', '{"entries":[{"file":"relative"}, 3, null]}', '{"entries":{}}']) {
    fs.writeFileSync(`${home.toryo}/registrations.json`, text, { mode: 0o600 })
    expect(await home.registrar().remove(() => true)).toEqual([])
  }
  expect(home.read(home.claude)).toBe(after)
})
