import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Yard } from '../../../test/git.ts'
import { commitTree, OWN_NAME } from './merge.ts'
import { writeCommit, writeOwnRef } from './own-objects.ts'
import { openRepository } from './repository.ts'
import { keepCommit } from './worktrees.ts'

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
  // Somebody has the lock, or something is in the way: git says what it is.
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
