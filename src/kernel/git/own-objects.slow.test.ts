import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Yard } from '../../../test/git.ts'
import { commitTree, OWN_NAME } from './merge.ts'
import { writeCommit, writeOwnRef } from './own-objects.ts'
import { openRepository } from './repository.ts'
import { keepCommit } from './worktrees.ts'

/** What happens to a disk at the wrong moment. */
const disk = vi.hoisted(() => ({ isFull: false, isCollected: false }))

vi.mock('node:fs/promises', async original => {
  const fs = await original<typeof import('node:fs/promises')>()
  const open: typeof fs.open = async (path, flags, mode) => {
    // With what is in it: another object may have a name that begins alike.
    if (flags === 'wx' && disk.isCollected) await fs.rm(dirname(String(path)), { recursive: true })
    const handle = await fs.open(path, flags, mode)
    if (flags === 'wx' && disk.isFull)
      handle.writeFile = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
    return handle
  }
  return { ...fs, open }
})

afterEach(() => {
  Object.assign(disk, { isFull: false, isCollected: false })
})

const AT = 1_780_000_000_123
const messages = [
  'plain\n',
  '日本語の件名\n\n本文 – 🎌\n\nToryo-Task: shop-1\n',
  'without an end',
  '\n leading\n\n\n',
  '',
]

test.each(['sha1', 'sha256'])('a commit that is written without git is the one that git makes (%s)', async format => {
  using yard = new Yard()
  const repo = yard.repository('shop', `--object-format=${format}`)
  repo.write('a', '1')
  const parent = repo.commit('base')
  const tree = repo.git('rev-parse', 'HEAD^{tree}').trim()
  const repository = await openRepository(yard.git, repo.root)
  for (const message of messages)
    for (const parents of [[], [parent], [parent, parent]]) {
      const wish = { tree, parents, message, at: AT }
      const own = await writeCommit(repository, { ...wish, author: OWN_NAME })
      // Another name that is the same: by git.
      expect(own).toBe(await commitTree(yard.git, repository, { ...wish, author: { ...OWN_NAME } }))
    }
  expect(repo.git('fsck', '--strict', '--no-dangling').trim()).toBe('')
  const commit = await commitTree(yard.git, repository, { tree, parents: [parent], message: 'x\n', at: AT })
  await keepCommit(yard.git, repository.commonDir, 'refs/toryo/snapshots/snp_1', commit)
  expect(repo.git('log', '-1', '--format=%an %ae %aI %s', 'refs/toryo/snapshots/snp_1').trim()).toBe(
    'Toryo toryo@localhost 2026-05-28T20:26:40+00:00 x',
  )
  repo.git('gc', '-q', '--prune=now')
  repo.git('pack-refs', '--all')
  expect(repo.git('rev-parse', 'refs/toryo/snapshots/snp_1').trim()).toBe(commit)
  // Written again over a packed one, and nothing is left lying about.
  await keepCommit(yard.git, repository.commonDir, 'refs/toryo/snapshots/snp_1', parent)
  expect(repo.git('rev-parse', 'refs/toryo/snapshots/snp_1').trim()).toBe(parent)
  const left = readdirSync(repository.commonDir, { recursive: true, encoding: 'utf8' })
  expect(left.filter(name => /tmp_obj|\.lock$/.test(name))).toEqual([])
})

test('objects cannot be written over, and what is not plain is left to git', async () => {
  using yard = new Yard()
  const repo = yard.repository('shop')
  repo.write('a', '1')
  const parent = repo.commit('base')
  const tree = repo.git('rev-parse', 'HEAD^{tree}').trim()
  const repository = await openRepository(yard.git, repo.root)
  const { commonDir } = repository
  const wish = { tree, parents: [parent], message: 'x\n', author: OWN_NAME, at: AT }
  const commit = (await writeCommit(repository, wish)) ?? ''
  expect(statSync(join(commonDir, 'objects', commit.slice(0, 2), commit.slice(2))).mode & 0o777).toBe(0o444)
  expect(await writeCommit(repository, wish)).toBe(commit)
  expect(await writeCommit(repository, { ...wish, message: 'a\0b' })).toBeUndefined()
  expect(await writeCommit(repository, { ...wish, tree: 'HEAD' })).toBeUndefined()
  expect(await writeOwnRef(commonDir, 'refs/heads/main', commit)).toBe(false)
  expect(await writeOwnRef(commonDir, 'refs/toryo/../heads/main', commit)).toBe(false)
  // The lock is taken, or something is in the way: git says which.
  mkdirSync(join(commonDir, 'refs/toryo/snapshots'), { recursive: true })
  writeFileSync(join(commonDir, 'refs/toryo/snapshots/one.lock'), '')
  expect(await writeOwnRef(commonDir, 'refs/toryo/snapshots/one', commit)).toBe(false)
  await expect(keepCommit(yard.git, commonDir, 'refs/toryo/snapshots/one', commit)).rejects.toThrow(/lock/)
  repo.git('config', 'core.sharedRepository', 'group')
  expect(await writeCommit(repository, wish)).toBeUndefined()
  expect(await writeOwnRef(commonDir, 'refs/toryo/two', commit)).toBe(false)
  await keepCommit(yard.git, commonDir, 'refs/toryo/two', commit)
  expect(repo.git('rev-parse', 'refs/toryo/two').trim()).toBe(commit)
  expect(repo.git('rev-parse', 'main').trim()).toBe(parent)
})

const modeOf = (path: string) => statSync(path).mode & 0o777

test('what is written is as readable for others as what git writes, although our own umask is narrow', async () => {
  using yard = new Yard()
  const { repository, commonDir, wish } = await shop(yard)
  chmodSync(join(commonDir, 'refs'), 0o750)
  const before = process.umask(0o077)
  try {
    const commit = (await writeCommit(repository, wish)) ?? ''
    expect(modeOf(join(commonDir, 'objects', commit.slice(0, 2)))).toBe(0o755)
    expect(await writeOwnRef(commonDir, 'refs/toryo/snapshots/deep/one', commit)).toBe(true)
    for (const folder of ['refs/toryo', 'refs/toryo/snapshots', 'refs/toryo/snapshots/deep'])
      expect([folder, modeOf(join(commonDir, folder))]).toEqual([folder, 0o755])
    expect(modeOf(join(commonDir, 'refs/toryo/snapshots/deep/one'))).toBe(0o644)
    // What was there keeps the rights that its owner gave it.
    expect(modeOf(join(commonDir, 'refs'))).toBe(0o750)
  } finally {
    process.umask(before)
  }
})

test('a lock that a killed hub left is removed after a minute, and another one is waited for', async () => {
  using yard = new Yard()
  const { repo, commonDir, base } = await shop(yard)
  const ref = 'refs/toryo/snapshots/one'
  const lock = join(commonDir, `${ref}.lock`)
  mkdirSync(join(commonDir, 'refs/toryo/snapshots'), { recursive: true })
  writeFileSync(lock, '')
  const ago = (seconds: number) =>
    utimesSync(lock, new Date(Date.now() - seconds * 1000), new Date(Date.now() - seconds * 1000))
  ago(30)
  expect(await writeOwnRef(commonDir, ref, base)).toBe(false)
  expect(existsSync(lock)).toBe(true)
  ago(61)
  expect(await writeOwnRef(commonDir, ref, base)).toBe(true)
  expect(existsSync(lock)).toBe(false)
  expect(repo.git('rev-parse', ref).trim()).toBe(base)
})

test('a full disk leaves no lock behind', async () => {
  using yard = new Yard()
  const { repo, repository, commonDir, wish, base } = await shop(yard)
  const ref = 'refs/toryo/snapshots/one'
  disk.isFull = true
  await expect(writeOwnRef(commonDir, ref, base)).rejects.toThrow('ENOSPC')
  await expect(writeCommit(repository, wish)).rejects.toThrow('ENOSPC')
  const left = readdirSync(commonDir, { recursive: true, encoding: 'utf8' })
  expect(left.filter(name => /tmp_obj|\.lock$/.test(name))).toEqual([])
  disk.isFull = false
  expect(await writeOwnRef(commonDir, ref, base)).toBe(true)
  expect(readFileSync(join(commonDir, ref), 'utf8')).toBe(`${base}\n`)
  expect(repo.git('rev-parse', ref).trim()).toBe(base)
})

test('a folder that git gc removes as it is empty leaves the commit to git', async () => {
  using yard = new Yard()
  const { repository, wish } = await shop(yard)
  disk.isCollected = true
  expect(await writeCommit(repository, wish)).toBeUndefined()
  disk.isCollected = false
  expect(await writeCommit(repository, wish)).toMatch(/^[0-9a-f]{40}$/)
})

async function shop(yard: Yard) {
  const repo = yard.repository('shop')
  repo.write('a', '1')
  const base = repo.commit('base')
  const tree = repo.git('rev-parse', 'HEAD^{tree}').trim()
  const repository = await openRepository(yard.git, repo.root)
  const wish = { tree, parents: [base], message: 'x\n', author: OWN_NAME, at: AT }
  return { repo, repository, commonDir: repository.commonDir, base, wish }
}
