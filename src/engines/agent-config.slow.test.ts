import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hashOf, isCovered } from '#domains/trust/model.ts'
import { parseConfig } from '#kernel/config.ts'
import { Yard } from '#test/git.ts'
import { Scout } from './agent-config.ts'

function put(folder: string, name: string, content = 'x'): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), content)
}

function scoutIn(yard: Yard, config: unknown = {}, home = '/nobody'): Scout {
  const parsed = parseConfig(JSON.stringify(config), 'test')
  return new Scout({ config: () => parsed, git: yard.git, env: { HOME: home } })
}

async function filesIn(yard: Yard, folder = yard.home): Promise<Readonly<Record<string, string>>> {
  return (await scoutIn(yard).look(folder)).files
}

async function hashIn(yard: Yard, folder?: string): Promise<string> {
  return hashOf(await filesIn(yard, folder))
}

test('a directory without agent configuration brings none', async () => {
  using yard = new Yard()
  put(yard.home, 'README')
  put(yard.home, 'CLAUDE.md')
  put(yard.home, '.github/copilot-instructions.md')
  put(yard.home, '.github/workflows/ci.yml')
  put(yard.home, 'sub/.mcp.json')
  mkdirSync(path.join(yard.home, '.codex'))
  put(yard.home, '.claude/worktrees/one/.claude/settings.json')
  expect(await scoutIn(yard).look(yard.home)).toEqual({ files: {} })
})

test.each([
  '.claude/settings.json',
  '.mcp.json',
  '.env',
  '.codex/config.toml',
  '.agents/skills/deploy/run.sh',
  '.gemini/.env',
  '.cursor/hooks.json',
  '.github/hooks/start.json',
  '.github/copilot/settings.json',
  '.github/mcp.json',
  '.opencode/plugin/x.js',
  'opencode.jsonc',
  'tui.json',
  '.qwen/settings.json',
])('%s counts, to the byte', async name => {
  using yard = new Yard()
  put(yard.home, name, 'one')
  const one = await hashIn(yard)
  expect(Object.keys(await filesIn(yard))).toEqual([name])
  expect(await hashIn(yard)).toBe(one)
  put(yard.home, name, 'two')
  expect(await hashIn(yard)).not.toBe(one)
  put(yard.home, name, 'one')
  chmodSync(path.join(yard.home, name), 0o755)
  expect(await hashIn(yard)).not.toBe(one)
  rmSync(path.join(yard.home, name))
  expect(await filesIn(yard)).toEqual({})
})

test('an engine of the configuration names its own files, and one that takes the place of another forgets none', async () => {
  using yard = new Yard()
  const names = ['.mine/hooks', '!.mine/hooks/cache']
  const engines = { claude: { headless: ['x'] }, mine: { headless: ['x'], projectConfig: names } }
  for (const name of ['.mine/hooks/start', '.mine/hooks/cache/big', '.mine/notes', '.claude/settings.json'])
    put(yard.home, name)
  const { files } = await scoutIn(yard, { engines }).look(yard.home)
  expect(Object.keys(files).sort()).toEqual(['.claude/settings.json', '.mine/hooks/start'])
  for (const wrong of ['../up', '/etc', 'a/../../b', '', '.'])
    expect(() => scoutIn(yard, { engines: { mine: { headless: ['x'], projectConfig: [wrong] } } })).toThrow(/inside of/)
})

test('in a repository every folder up to its top counts, and its top is where paths begin', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  put(yard.home, '.mcp.json')
  for (const name of ['.claude/settings.json', 'packages/.env', 'packages/app/.mcp.json', 'packages/other/.env'])
    put(repo.root, name)
  const app = repo.at('packages/app')
  const expected = ['.claude/settings.json', 'packages/.env', 'packages/app/.mcp.json']
  expect(Object.keys(await filesIn(yard, app)).sort()).toEqual(expected)
  expect((await scoutIn(yard).placeOf(app)).directory).toBe(repo.root)
})

test('outside of a repository programs look in every folder above, but a home is its owner’s own', async () => {
  using yard = new Yard()
  const [home, sub] = [path.join(yard.home, 'me'), path.join(yard.home, 'me', 'plain', 'sub')]
  mkdirSync(sub, { recursive: true })
  put(yard.home, '.env')
  put(home, '.claude/settings.json')
  put(home, 'plain/.mcp.json')
  const keys = async (whose: string) => Object.keys((await scoutIn(yard, {}, whose).look(sub)).files).sort()
  expect(await keys(home)).toEqual(['../.mcp.json'])
  expect(await keys('/nobody')).toEqual(['../../.claude/settings.json', '../../../.env', '../.mcp.json'].sort())
  expect((await scoutIn(yard, {}, home).look(home)).files).toEqual({})
  // A folder of a project is named from the project's own.
  const looked = await scoutIn(yard, {}, home).look(sub, path.join(home, 'plain'))
  expect(Object.keys(looked.files)).toEqual(['.mcp.json'])
})

test('where a link leads counts, and what is there', async () => {
  using yard = new Yard()
  const folder = path.join(yard.home, 'project')
  put(yard.home, 'shared/settings.json', 'one')
  put(yard.home, 'other/settings.json', 'one')
  mkdirSync(folder)
  symlinkSync('../shared', path.join(folder, '.claude'))
  symlinkSync('nowhere', path.join(folder, '.env'))
  symlinkSync('.', path.join(yard.home, 'shared', 'loop'))
  const one = await hashIn(yard, folder)
  put(yard.home, 'shared/settings.json', 'two')
  const two = await hashIn(yard, folder)
  put(yard.home, 'shared/settings.json', 'one')
  expect(await hashIn(yard, folder)).toBe(one)
  rmSync(path.join(folder, '.claude'))
  symlinkSync('../other', path.join(folder, '.claude'))
  expect(new Set([one, two, await hashIn(yard, folder)]).size).toBe(3)
})

test('a pipe in the place of a file holds nobody up', async () => {
  using yard = new Yard()
  execFileSync('/usr/bin/mkfifo', [path.join(yard.home, '.env')])
  expect(Object.keys(await filesIn(yard))).toEqual(['.env'])
})

test('too much of it is not looked through, nor is more than one request can tell', async () => {
  using yard = new Yard()
  put(yard.home, '.mcp.json', 'x'.repeat(65 * 1024 * 1024))
  expect((await scoutIn(yard).look(yard.home)).excess).toBe('.mcp.json')
  rmSync(path.join(yard.home, '.mcp.json'))
  const long = `.claude/${'n'.repeat(200)}`
  for (let at = 0; at < 4000; at++) put(yard.home, `${long}/${'m'.repeat(200)}${at}`)
  const told = await scoutIn(yard).look(yard.home)
  expect(told.excess).toContain(long)
  expect(JSON.stringify(told).length).toBeLessThan(1024 * 1024)
})

test('fewer files than were trusted are trusted, others and changed ones are not', async () => {
  using yard = new Yard()
  put(yard.home, '.claude/settings.json', 'one')
  put(yard.home, '.env', 'secret')
  const all = await filesIn(yard)
  rmSync(path.join(yard.home, '.env'))
  expect(isCovered(await filesIn(yard), all)).toBe(true)
  put(yard.home, '.claude/settings.json', 'two')
  expect(isCovered(await filesIn(yard), all)).toBe(false)
  put(yard.home, '.claude/settings.json', 'one')
  put(yard.home, '.mcp.json')
  expect(isCovered(await filesIn(yard), all)).toBe(false)
})
