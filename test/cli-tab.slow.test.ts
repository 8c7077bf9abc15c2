// Tabs as people steer them: the real program, a hub that it starts automatically, a real terminal.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from './bridge/world.ts'
import { build } from './processes.ts'
import { git, SCRIPTED_TUI } from './tabs.ts'
import { shortId } from '#cli/short-id.ts'
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

  // A folder that is not a project brings configuration: a person must have looked at it.
  const untrusted = await toryo.here(['tab', 'launch', 'tui', 'work'], { cwd: repository })
  expect(untrusted).toMatchObject({ code: 4, out: '', err: expect.stringContaining('toryo project trust') })
  await toryo.here(['project', 'add', 'shop', '--id', 'shop', '--dir', repository])
  const trusted = await toryo.here(['project', 'trust', 'shop'])
  expect(trusted).toMatchObject({ code: 0, out: expect.stringContaining('.mcp.json') })

  const launched = await toryo.here(['tab', 'launch', 'tui', 'work', '--prompt', 'begin', '--json'], {
    cwd: repository,
  })
  expect(launched.code, launched.err).toBe(0)
  const { tab_id: id, worktree_path } = JSON.parse(launched.out) as Tab
  const lines = () => fs.readFileSync(path.join(notes, `${id}.lines`), 'utf8')
  await until(() => fs.existsSync(path.join(notes, `${id}.lines`)) && lines().includes('begin'))
  expect(await toryo.here(['tab', 'list'])).toMatchObject({ code: 0, out: expect.stringContaining(shortId(id)) })
  expect(await toryo.here(['tab', 'show', shortId(id)])).toMatchObject({ code: 0, out: expect.stringContaining(id) })

  expect(await toryo.here(['tab', 'send', id, 'hello\nthere'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Stored for'),
  })
  await until(() => lines().includes('[gwt msg from operator]: hello ⏎ there'))
  expect(await toryo.here(['tab', 'send', '--all', 'everybody'])).toMatchObject({
    code: 0,
    out: 'Stored for 1 tab(s).\n',
  })
  expect(await toryo.here(['tab', 'send', id])).toMatchObject({ code: 2 })
  await until(() => lines().includes('everybody'))
  const shown = await toryo.here(['tab', 'show', id])
  expect(shown.out).toContain('hello ⏎ there')
  expect(shown.out).toContain(worktree_path)
  expect(shown.out).toMatch(/Its screen\n[^]*everybody/)
  expect((await toryo.json<{ screen: string[] }>('tab', 'show', 'work')).screen.join('\n')).toContain('everybody')
  const broadcast = await toryo.here(['tab', 'broadcast', 'to all of you'])
  expect(broadcast).toMatchObject({ code: 0, out: 'Stored for 1 tab(s).\n' })
  await until(() => lines().includes('to all of you'))

  expect(await toryo.here(['tab', 'files', 'work'])).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('Nothing has changed'),
  })
  fs.writeFileSync(path.join(worktree_path, 'new.txt'), 'a\tb\u001B[31m\n')
  const files = await toryo.here(['tab', 'files', id])
  expect(files).toMatchObject({ code: 0, out: expect.stringMatching(/added +new\.txt/) })
  const patch = await toryo.here(['tab', 'diff', 'work'])
  expect(patch).toMatchObject({ code: 0, err: '' })
  // To the byte: it can be applied.
  fs.writeFileSync(path.join(toryo.folder, 'work.patch'), patch.out)
  git(repository, 'apply', path.join(toryo.folder, 'work.patch'))
  expect(fs.readFileSync(path.join(repository, 'new.txt'), 'utf8')).toBe('a\tb\u001B[31m\n')
  expect(await toryo.json('tab', 'files', 'work', '--project', 'shop')).toEqual({
    files: [{ path: 'new.txt', status: 'added' }],
    truncated: false,
  })

  expect(await toryo.here(['tab', 'stop', id], { env: { TORYO_LANG: 'ja' } })).toMatchObject({
    code: 0,
    out: expect.stringContaining('ワークツリーは残っています'),
  })
  expect(fs.existsSync(path.join(worktree_path, '.mcp.json'))).toBe(true)
  const { tabs } = await toryo.json<{ tabs: Tab[] }>('tab', 'list', '--all')
  expect(tabs).toMatchObject([{ tab_id: id, status: 'exited', end_reason: 'stopped' }])
  // Most often it says why a program ended.
  const last = await toryo.here(['tab', 'show', id])
  expect(last.out).toMatch(/What it showed last\n[^]*everybody/)
  // The tab has ended; what it changed is still there.
  expect(await toryo.here(['tab', 'diff', 'work'])).toMatchObject({ code: 0, out: patch.out })
  expect(await toryo.here(['tab', 'diff', 'nothing-like-it'], { env: { TORYO_LANG: 'ja' } })).toMatchObject({ code: 2 })
  expect(await toryo.here(['tab', 'broadcast', 'is anybody there'])).toMatchObject({ code: 0, out: '' })
  expect(await toryo.here(['tab', 'list'])).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('toryo tab launch'),
  })
  expect(await toryo.here(['tab', 'show', 'tab_no'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Tab tab_no not found'),
  })
})

test('a launch whose program ends at once says how, on the command line too', async () => {
  build()
  await using toryo = new Toryo()
  const repository = path.join(toryo.folder, 'repo')
  fs.mkdirSync(repository)
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const engines = { broken: { terminal: ['/bin/sh', '-c', 'echo "no API key"; exit 3'] } }
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify({ engines }))
  git(repository, 'init', '-q', '-b', 'main')
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'first')
  const failed = await toryo.here(['tab', 'launch', 'broken', 'work'], { cwd: repository })
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toMatch(/^broken on work ended at once \(exit code 3\)\.\n {2}no API key\n$/m)
  const json = await toryo.here(['tab', 'launch', 'broken', 'work', '--json', '--permission', 'edit'], {
    cwd: repository,
  })
  expect(json).toMatchObject({ code: 1, err: '' })
  expect(JSON.parse(json.out)).toMatchObject({
    status: 'exited',
    exit_code: 3,
    last_lines: ['no API key'],
    permission: 'edit',
  })
  expect(await toryo.here(['tab', 'launch', 'broken', 'work', '--permission', 'all'])).toMatchObject({ code: 2 })
})
