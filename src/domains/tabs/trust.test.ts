import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { Yard } from '../../../test/git.ts'
import { agentConfigHash, type AgentConfig, isCovered } from './trust.ts'

function put(folder: string, name: string, content = 'x'): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), content)
}

async function hashOf(folder: string): Promise<string | undefined> {
  return (await agentConfigHash(folder))?.hash
}

test('a directory without agent configuration brings none', async () => {
  using yard = new Yard()
  put(yard.home, 'README')
  put(yard.home, 'CLAUDE.md')
  put(yard.home, 'sub/.mcp.json')
  mkdirSync(path.join(yard.home, '.codex'))
  expect(await agentConfigHash(yard.home)).toBeUndefined()
})

test.each([
  '.claude/settings.json',
  '.mcp.json',
  '.env',
  '.codex/config.toml',
  '.gemini/.env',
  '.opencode/plugin/x.js',
])('%s counts, to the byte', async name => {
  using yard = new Yard()
  put(yard.home, name, 'one')
  const one = await hashOf(yard.home)
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(await hashOf(yard.home)).toBe(one)
  put(yard.home, name, 'two')
  const two = await hashOf(yard.home)
  expect(two).not.toBe(one)
  put(yard.home, name, 'one')
  chmodSync(path.join(yard.home, name), 0o755)
  expect(await hashOf(yard.home)).not.toBe(one)
  rmSync(path.join(yard.home, name))
  expect(await hashOf(yard.home)).toBeUndefined()
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
  const one = await hashOf(folder)
  put(yard.home, 'shared/settings.json', 'two')
  const two = await hashOf(folder)
  put(yard.home, 'shared/settings.json', 'one')
  expect(await hashOf(folder)).toBe(one)
  rmSync(path.join(folder, '.claude'))
  symlinkSync('../other', path.join(folder, '.claude'))
  expect(new Set([one, two, await hashOf(folder)]).size).toBe(3)
})

test('a pipe in the place of a file holds nobody up', async () => {
  using yard = new Yard()
  execFileSync('/usr/bin/mkfifo', [path.join(yard.home, '.env')])
  expect(await hashOf(yard.home)).toMatch(/^[0-9a-f]{64}$/)
})

test('too much of it cannot be trusted', async () => {
  using yard = new Yard()
  put(yard.home, '.mcp.json', 'x'.repeat(65 * 1024 * 1024))
  await expect(agentConfigHash(yard.home)).rejects.toThrow(/too much/)
})

test('fewer files than were trusted are trusted, others and changed ones are not', async () => {
  using yard = new Yard()
  put(yard.home, '.claude/settings.json', 'one')
  put(yard.home, '.env', 'secret')
  const all = (await agentConfigHash(yard.home)) as AgentConfig
  rmSync(path.join(yard.home, '.env'))
  expect(isCovered((await agentConfigHash(yard.home)) as AgentConfig, all)).toBe(true)
  put(yard.home, '.claude/settings.json', 'two')
  expect(isCovered((await agentConfigHash(yard.home)) as AgentConfig, all)).toBe(false)
  put(yard.home, '.claude/settings.json', 'one')
  put(yard.home, '.mcp.json')
  expect(isCovered((await agentConfigHash(yard.home)) as AgentConfig, all)).toBe(false)
})
