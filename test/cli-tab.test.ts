// Tabs as people steer them: the real program, a hub that it starts by itself, a real terminal.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from './bridge/world.ts'
import { build } from './processes.ts'
import { git, SCRIPTED_TUI } from './tabs.ts'
import { Toryo } from './toryo.ts'

type Tab = { tab_id: string; status: string; worktree_path: string; end_reason: string | null }

test('a tab is launched, written to, shown and stopped from the command line', async () => {
  build()
  await using toryo = new Toryo()
  const repository = path.join(toryo.folder, 'repo')
  const notes = path.join(toryo.folder, 'notes')
  for (const folder of [repository, notes]) fs.mkdirSync(folder)
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const engines = { tui: { terminal: [process.execPath, SCRIPTED_TUI, notes] } }
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify({ engines }))
  fs.writeFileSync(path.join(repository, '.mcp.json'), '{}')
  git(repository, 'init', '-q', '-b', 'main')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'first')

  // A folder that nobody added brings configuration: a person must have looked at it.
  const untrusted = await toryo.run(['tab', 'launch', 'tui', 'work'], { cwd: repository })
  expect(untrusted).toMatchObject({ code: 4, out: '', err: expect.stringContaining('toryo project trust') })
  await toryo.run(['project', 'add', 'shop', '--id', 'shop', '--dir', repository])
  const trusted = await toryo.run(['project', 'trust', 'shop'])
  expect(trusted).toMatchObject({ code: 0, out: expect.stringContaining('.mcp.json') })

  const launched = await toryo.run(['tab', 'launch', 'tui', 'work', '--prompt', 'begin', '--json'], { cwd: repository })
  expect(launched.code, launched.err).toBe(0)
  const { tab_id: id, worktree_path } = JSON.parse(launched.out) as Tab
  const lines = () => fs.readFileSync(path.join(notes, `${id}.lines`), 'utf8')
  await until(() => fs.existsSync(path.join(notes, `${id}.lines`)) && lines().includes('begin'))
  expect(await toryo.run(['tab', 'list'])).toMatchObject({ code: 0, out: expect.stringContaining(id) })

  expect(await toryo.run(['tab', 'send', id, 'hello\nthere'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Stored for'),
  })
  await until(() => lines().includes('[gwt msg from operator]: hello ⏎ there'))
  expect(await toryo.run(['tab', 'send', '--all', 'everybody'])).toMatchObject({
    code: 0,
    out: 'Stored for 1 tab(s).\n',
  })
  expect(await toryo.run(['tab', 'send', id])).toMatchObject({ code: 2 })
  await until(() => lines().includes('everybody'))
  const shown = await toryo.run(['tab', 'show', id])
  expect(shown.out).toContain('hello ⏎ there')
  expect(shown.out).toContain(worktree_path)

  expect(await toryo.run(['tab', 'stop', id], { env: { TORYO_LANG: 'ja' } })).toMatchObject({
    code: 0,
    out: expect.stringContaining('ワークツリーは残っています'),
  })
  expect(fs.existsSync(path.join(worktree_path, '.mcp.json'))).toBe(true)
  const { tabs } = await toryo.json<{ tabs: Tab[] }>('tab', 'list', '--all')
  expect(tabs).toMatchObject([{ tab_id: id, status: 'exited', end_reason: 'stopped' }])
  // Most often it tells why a program ended.
  const last = await toryo.run(['tab', 'show', id])
  expect(last.out).toMatch(/What it showed last\n[^]*everybody/)
  expect(await toryo.run(['tab', 'list'])).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('toryo tab launch'),
  })
  expect(await toryo.run(['tab', 'show', 'tab_no'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no tab tab_no'),
  })
})
