import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseCommand } from './runtime.ts'
import { configTargets } from './targets.ts'

let folder = ''
let bridge = ''
const node = fs.realpathSync(process.execPath)
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-runtime-')))
  bridge = path.join(folder, 'dist', 'bridge.js')
  fs.mkdirSync(path.dirname(bridge))
  fs.writeFileSync(bridge, '')
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function program(name: string, script: string, folderName = 'bin'): string {
  const file = path.join(folder, folderName, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}

const choose = (...folders: string[]) =>
  chooseCommand(bridge, { PATH: folders.map(one => path.join(folder, one)).join(':') })

test('takes bun where it can run the bridge, by its real path', async () => {
  const real = program('bun-1.4', 'echo 1.4.0', 'opt')
  fs.mkdirSync(path.join(folder, 'bin'))
  fs.symlinkSync(real, path.join(folder, 'bin', 'bun'))
  expect(await choose('bin')).toEqual({ runtime: real, bridge })
})

test.each([
  ['too old', 'echo 1.3.14'],
  ['much too old', 'echo 0.8.1'],
  ['broken', 'exit 1'],
])('takes node when bun is %s', async (_name, script) => {
  program('bun', script)
  expect((await choose('bin')).runtime).toBe(node)
})

test('T37: never takes the node that PATH finds first, nor a name without a folder', async () => {
  program('node', 'exit 1')
  const { runtime } = await choose('bin')
  expect(runtime).toBe(node)
  expect(path.isAbsolute(runtime)).toBe(true)
})

test('passes by a bun that others could change', async () => {
  program('bun', 'echo 2.0.0', 'open')
  fs.chmodSync(path.join(folder, 'open'), 0o777)
  expect((await choose('open')).runtime).toBe(node)
  fs.chmodSync(path.join(folder, 'open'), 0o755)
  fs.chmodSync(path.join(folder, 'open', 'bun'), 0o757)
  expect((await choose('open')).runtime).toBe(node)
})

test('registers no bridge that others could change, and none that is missing', async () => {
  fs.chmodSync(bridge, 0o646)
  await expect(choose('bin')).rejects.toThrow(/others may change it/)
  fs.chmodSync(bridge, 0o644)
  fs.chmodSync(path.dirname(bridge), 0o757)
  await expect(choose('bin')).rejects.toThrow(new RegExp(`${path.dirname(bridge)} cannot be trusted`))
  fs.chmodSync(path.dirname(bridge), 0o755)
  fs.rmSync(bridge)
  await expect(choose('bin')).rejects.toThrow(/it is missing/)
})

test('a link to the bridge is followed: the entry names the file itself', async () => {
  const link = path.join(folder, 'link.js')
  fs.symlinkSync(bridge, link)
  expect((await chooseCommand(link, {})).bridge).toBe(bridge)
})

test('T37: entries hold two absolute paths and no secret', async () => {
  const command = await choose('bin')
  for (const target of configTargets({}, '/home/u')) {
    const words = JSON.stringify(target.entry(command))
    expect(words).toContain(JSON.stringify(bridge))
    expect(words).not.toMatch(/token|ticket|secret|hub_|rtk_|ttk_|tkt_/i)
  }
})

test('a relative folder for settings is nowhere', () => {
  const env = { CLAUDE_CONFIG_DIR: 'c', CODEX_HOME: './x', XDG_CONFIG_HOME: '', COPILOT_HOME: 'p' }
  expect(configTargets(env, '/home/u')).toEqual(
    configTargets({}, '/home/u').map(target => ({ ...target, entry: expect.any(Function), format: expect.anything() })),
  )
})

test('an engine that keeps its settings elsewhere is found there', () => {
  const env = {
    CLAUDE_CONFIG_DIR: '/c',
    CODEX_HOME: '/x',
    XDG_CONFIG_HOME: '/g',
    GEMINI_CLI_HOME: '/m',
    COPILOT_HOME: '/p',
    QWEN_HOME: '/q',
  }
  const files = Object.fromEntries(configTargets(env, '/home/u').map(({ engine, file }) => [engine, file]))
  expect(files).toMatchObject({
    claude: '/c/.claude.json',
    codex: '/x/config.toml',
    opencode: '/g/opencode/opencode.jsonc',
    gemini: '/m/.gemini/settings.json',
    copilot: '/p/mcp-config.json',
    qwen: '/q/settings.json',
  })
})
