// What a config file is besides its text: links, modes, owners, missing, locked away.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Home, person } from './home.ts'

const isRoot = process.getuid?.() === 0

test('a link stays a link; what it leads to is edited where it is', async () => {
  using home = new Home()
  const real = path.join(home.folder, 'dotfiles', 'claude.json')
  home.write(real, '{\n  "a": 1\n}\n', 0o600)
  fs.symlinkSync(real, home.claude)
  const folder = path.join(home.folder, 'dotfiles', 'codex')
  home.write(path.join(folder, 'config.toml'), 'a = 1\n', 0o640)
  fs.symlinkSync(path.join('dotfiles', 'codex'), path.join(home.folder, '.codex'))
  const before = home.picture()
  const added = await home.registrar().add(person, home.command)
  expect(added.filter(({ state }) => state === 'added').map(({ engine }) => engine)).toEqual(['claude', 'codex'])
  expect(fs.readlinkSync(home.claude)).toBe(real)
  expect(home.read(real)).toContain('gwt-agent-bridge')
  expect(fs.statSync(real).mode & 0o777).toBe(0o600)
  await home.registrar().remove(() => true)
  expect(home.picture()).toEqual(before)
})

test('mode and owner stay', async () => {
  using home = new Home()
  home.write(home.gemini, '{}', 0o640)
  if (isRoot) fs.chownSync(home.gemini, 1234, 4321)
  const before = home.picture()
  await home.registrar().add(person, home.command)
  const { mode, uid, gid } = fs.statSync(home.gemini)
  expect(mode & 0o7777).toBe(0o640)
  if (isRoot) expect([uid, gid]).toEqual([1234, 4321])
  await home.registrar().remove(() => true)
  expect(home.picture()).toEqual(before)
})

const traps: [name: string, lay: (home: Home) => void, says: RegExp][] = [
  ['a folder', home => fs.mkdirSync(home.claude), /not a regular file/],
  ['a pipe', home => execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', home.claude]), /not a regular file/],
  ['a read-only file', home => home.write(home.claude, '{}', 0o444), /read-only/],
  ['a link that leads nowhere', home => fs.symlinkSync('/nowhere/x.json', home.claude), /leads nowhere/],
  ['a link that leads to itself', home => fs.symlinkSync(home.claude, home.claude), /leads nowhere/],
  [
    'a file with a second name',
    home => {
      home.write(home.claude, '{}')
      fs.linkSync(home.claude, path.join(home.folder, 'second.json'))
    },
    /hard link/,
  ],
]

test.each(traps)('%s is left alone, with a sentence', async (_name, lay, says) => {
  using home = new Home()
  home.install('claude')
  lay(home)
  home.write(home.gemini, '{}')
  const before = home.picture()
  const [own, , gemini] = await home.registrar().add(person, home.command)
  expect(own).toMatchObject({ state: 'skipped', warning: true })
  expect(own?.text.en).toMatch(says)
  expect(gemini).toMatchObject({ state: 'added' })
  await home.registrar().remove(() => true)
  expect(home.picture()).toEqual(before)
})

test('a missing file is made for an engine that is installed, and for no other', async () => {
  using home = new Home()
  home.install('claude', 'codex', 'cursor-agent', 'opencode', 'copilot', 'qwen')
  const added = await home.registrar().add(person, home.command)
  expect(added.flatMap(({ state, engine }) => (state === 'added' ? [engine] : []))).toEqual(['claude', 'codex'])
  expect(fs.statSync(home.claude).mode & 0o777).toBe(0o600)
  expect(fs.statSync(path.dirname(home.codex)).mode & 0o777).toBe(0o700)
  expect(JSON.parse(home.read(home.claude))).toEqual({
    mcpServers: { 'gwt-agent-bridge': { command: '/usr/bin/node', args: ['/opt/toryo/dist/bridge.js'], env: {} } },
  })
  expect(home.read(home.codex)).toBe(
    '[mcp_servers.gwt-agent-bridge]\ncommand = "/usr/bin/node"\nargs = ["/opt/toryo/dist/bridge.js"]\n',
  )
  expect(fs.existsSync(home.gemini)).toBe(false)
  await home.registrar().remove(() => true)
  expect(home.picture()).toEqual({})
})

test('a file that we made stays when something of others is in it', async () => {
  using home = new Home()
  home.install('claude', 'codex')
  await home.registrar().add(person, home.command)
  const claude = { numStartups: 1, ...JSON.parse(home.read(home.claude)) }
  home.write(home.claude, JSON.stringify(claude, null, 2))
  home.write(home.codex, `model = "x"\n\n${home.read(home.codex)}`)
  await home.registrar().remove(() => true)
  expect(JSON.parse(home.read(home.claude))).toEqual({ numStartups: 1 })
  expect(home.read(home.codex)).toBe('model = "x"\n\n')
})

test('a file that we made and the engine only formatted anew is removed', async () => {
  using home = new Home()
  home.install('claude')
  await home.registrar().add(person, home.command)
  home.write(home.claude, JSON.stringify(JSON.parse(home.read(home.claude))))
  await home.registrar().remove(() => true)
  expect(home.picture()).toEqual({})
})

test('the other engines are told in their own words, where they have a file', async () => {
  using home = new Home()
  const files = {
    '.config/opencode/opencode.json': '{ "$schema": "x" }',
    '.config/opencode/opencode.jsonc': '{\n  // mine\n  "mcp": {}\n}\n',
    '.cursor/mcp.json': '{\n  "mcpServers": {}\n}\n',
    '.copilot/mcp-config.json': '{"mcpServers":{}}',
    '.qwen/settings.json': '{}\n',
  }
  for (const [name, text] of Object.entries(files)) home.write(path.join(home.folder, name), text)
  const before = home.picture()
  await home.registrar().add(person, home.command)
  const read = (name: string) =>
    JSON.parse(home.read(path.join(home.folder, name)).replace('// mine', '')) as Record<
      string,
      Record<string, unknown>
    >
  const [runtime, bridge] = ['/usr/bin/node', '/opt/toryo/dist/bridge.js']
  const local = { type: 'local', enabled: true, command: [runtime, bridge] }
  expect(read('.config/opencode/opencode.json')['mcp']).toEqual({ 'gwt-agent-bridge': local })
  expect(read('.config/opencode/opencode.jsonc')['mcp']).toEqual({ 'gwt-agent-bridge': local })
  const plain = { command: runtime, args: [bridge] }
  expect(read('.cursor/mcp.json')['mcpServers']).toEqual({ 'gwt-agent-bridge': plain })
  expect(read('.qwen/settings.json')['mcpServers']).toEqual({ 'gwt-agent-bridge': plain })
  expect(read('.copilot/mcp-config.json')['mcpServers']).toEqual({
    'gwt-agent-bridge': { type: 'local', ...plain, tools: ['*'] },
  })
  await home.registrar().remove(() => true)
  expect(home.picture()).toEqual(before)
})

test('a folder where we may not write leaves the file alone', async () => {
  using home = new Home()
  home.write(home.gemini, '{}')
  // Root may write everywhere, so that the refusal is made here.
  const openSync = (file: string, ...rest: never[]) => {
    if (file.endsWith('.tmp') && file.startsWith(home.gemini)) throw Object.assign(new Error(), { code: 'EACCES' })
    return (fs.openSync as (...args: unknown[]) => number)(file, ...rest)
  }
  const outcomes = await home.registrar({ ...fs, openSync } as typeof fs).add(person, home.command)
  expect(outcomes).toContainEqual(expect.objectContaining({ file: home.gemini, state: 'skipped' }))
  expect(home.read(home.gemini)).toBe('{}')
  expect(home.ledger()).toEqual({ entries: [] })
})

test('a disk that is full leaves everything as it was', async () => {
  using home = new Home()
  home.write(home.claude, '{\n  "a": 1\n}\n')
  const before = home.picture()
  const disk = {
    ...fs,
    writeSync: (fd: number, bytes: Buffer, at: number) => {
      const file = fs.readlinkSync(`/proc/self/fd/${fd}`)
      if (!file.includes('.claude.json.')) return fs.writeSync(fd, bytes, at)
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  } as typeof fs
  const [own] = await home.registrar(disk).add(person, home.command)
  expect(own).toMatchObject({ state: 'skipped', text: { en: expect.stringContaining('ENOSPC') } })
  expect(home.picture()).toEqual(before)
  expect(home.ledger()).toEqual({ entries: [] })
})

test('the new text is on the disk before it takes the name, and the name before we go on', async () => {
  using home = new Home()
  home.write(home.gemini, '{}')
  const steps: string[] = []
  const names = new Map<number, string>()
  const disk = new Proxy(fs, {
    get(_, name: 'openSync' | 'fsyncSync' | 'renameSync') {
      const real = fs[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        const result = real(...args)
        if (name === 'openSync') names.set(result as number, String(args[0]))
        const file = typeof args[0] === 'number' ? names.get(args[0]) : String(args[0])
        if (file?.startsWith(path.dirname(home.gemini)) && /writeSync|fsyncSync|renameSync|lstatSync/.test(name))
          steps.push(`${name} ${path.basename(file).replace(/[0-9a-f]{16}/, 'N')}`)
        return result
      }
    },
  })
  await home.registrar(disk).add(person, home.command)
  const draft = 'settings.json.toryo-N.tmp'
  const order = steps.slice(steps.indexOf(`writeSync ${draft}`))
  expect(order).toEqual([
    `writeSync ${draft}`,
    `fsyncSync ${draft}`,
    'lstatSync settings.json',
    'lstatSync settings.json',
    `renameSync ${draft}`,
    'fsyncSync .gemini',
  ])
})
