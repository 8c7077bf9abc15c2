import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Repo, run, Yard } from '../../../test/git.ts'
import { commitTree, mergeTrees, treeChanges, treeDiff } from './merge.ts'
import { sameLines } from './overlap.ts'
import { openRepository, type Repository } from './repository.ts'
import { Scratch } from './scratch.ts'

const AT = Date.UTC(2026, 10, 17)

type Site = { repo: Repo; repository: Repository; ours: string; theirs: string; base: string }

/** Two branches from one commit. */
async function site(
  yard: Yard,
  make: { base?: (repo: Repo) => void; ours?: (repo: Repo) => void; theirs?: (repo: Repo) => void },
): Promise<Site> {
  const repo = yard.repository()
  repo.write('a', 'one\ntwo\nthree\nfour\nfive\n')
  make.base?.(repo)
  const base = repo.commit('base')
  repo.git('checkout', '-q', '-b', 'theirs')
  make.theirs?.(repo)
  const theirs = repo.commit('theirs')
  repo.git('checkout', '-q', 'main')
  make.ours?.(repo)
  const ours = repo.commit('ours')
  return { repo, repository: await openRepository(yard.git, repo.root), ours, theirs, base }
}

test('a clean merge is the tree that git merge would make, and touches no checkout', async () => {
  using yard = new Yard()
  const { repo, repository, ours, theirs } = await site(yard, {
    theirs: here => here.write('a', 'one\ntwo\nthree\nfour\n5\n'),
    ours: here => here.write('a', '1\ntwo\nthree\nfour\nfive\n'),
  })
  repo.write('a', 'unsaved\n')
  const merged = await mergeTrees(yard.git, repository, { ours, theirs })
  if (!('tree' in merged)) throw new Error('conflict')
  expect(repo.git('cat-file', 'blob', `${merged.tree}:a`)).toBe('1\ntwo\nthree\nfour\n5\n')
  expect(repo.git('status', '--porcelain')).toBe(' M a\n')
  expect(readdirSync(yard.git.folder)).toEqual([])
})

test('a conflict names the files, its kind and both sides', async () => {
  using yard = new Yard()
  const { repository, ours, theirs } = await site(yard, {
    base: here => {
      here.write('deleted by us', 'x\n')
      here.write('binary', '\0one')
      here.write('日本語\n名', 'one\n')
    },
    theirs: here => {
      here.write('a', 'one\ntwo\ntheirs 3\nfour\nfive\n')
      here.write('deleted by us', 'changed\n')
      here.write('binary', '\0two')
      here.write('日本語\n名', 'theirs\n')
      here.write('clash', 'a file\n')
      here.write('added', 'theirs\n')
    },
    ours: here => {
      here.write('a', 'one\ntwo\nours 3\nfour\nfive\n')
      rmSync(here.at('deleted by us'))
      here.write('binary', '\0three')
      here.write('日本語\n名', 'ours\n')
      here.write('clash/inside', 'a folder\n')
      here.write('added', 'ours\n')
    },
  })
  const merged = await mergeTrees(yard.git, repository, { ours, theirs })
  if (!('conflicts' in merged)) throw new Error('clean')
  const found = new Map(merged.conflicts.map(one => [one.path, one]))
  expect(found.get('a')).toEqual({
    path: 'a',
    kind: 'contents',
    ours: '@@ 3 @@\nours 3\n',
    theirs: '@@ 3 @@\ntheirs 3\n',
  })
  expect(found.get('日本語\n名')).toMatchObject({ ours: '@@ 1 @@\nours\n', theirs: '@@ 1 @@\ntheirs\n' })
  expect(found.get('deleted by us')).toEqual({ path: 'deleted by us', kind: 'modify/delete', theirs: 'changed\n' })
  expect(found.get('binary')).toEqual({ path: 'binary', kind: 'binary' })
  expect(found.get('added')).toMatchObject({ kind: 'contents', ours: '@@ 1 @@\nours\n' })
  expect([...found.values()].some(({ kind }) => kind.startsWith('file/directory'))).toBe(true)
})

test('a conflict in a file whose name is not UTF-8 names it, with both sides, and so does the radar', async () => {
  using yard = new Yard()
  const write = (repo: Repo, text: string) =>
    writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), Buffer.from('caf\xe9', 'latin1')]), text)
  const { repository, ours, theirs, base } = await site(yard, {
    base: here => write(here, 'one\n'),
    ours: here => write(here, 'mine\n'),
    theirs: here => write(here, 'yours\n'),
  })
  expect(await mergeTrees(yard.git, repository, { ours, theirs })).toEqual({
    conflicts: [{ path: 'caf\\xe9', kind: 'contents', ours: 'mine\n', theirs: 'yours\n' }],
  })
  const scratch = await Scratch.open(yard.git, repository)
  try {
    expect(await scratch.conflicts(ours, theirs)).toEqual(['caf\\xe9'])
    expect(await scratch.differing(ours, theirs, ['caf\\xe9', 'a'])).toEqual(['caf\\xe9'])
    const touched = await scratch.touched(base, ours, ['caf\\xe9'])
    expect(sameLines(touched, await scratch.touched(base, theirs))).toEqual(['caf\\xe9'])
  } finally {
    await scratch.dispose()
  }
})

test('sides are cut off, however long they are', async () => {
  using yard = new Yard()
  const { repository, ours, theirs } = await site(yard, {
    theirs: here => here.write('a', '日本\n'.repeat(50_000)),
    ours: here => here.write('a', 'ours\n'),
  })
  const merged = await mergeTrees(yard.git, repository, { ours, theirs })
  if (!('conflicts' in merged)) throw new Error('clean')
  expect(merged.conflicts[0]?.theirs?.length).toBeLessThan(2100)
})

test('no merge driver, textconv or external diff of the repository is run', async () => {
  using yard = new Yard()
  const { repo, repository, ours, theirs } = await site(yard, {
    base: here => here.write('.gitattributes', 'a merge=song diff=song\n'),
    theirs: here => here.write('a', 'theirs\n'),
    ours: here => here.write('a', 'ours\n'),
  })
  repo.git('config', 'merge.song.driver', `touch ${yard.canary}; true`)
  repo.git('config', 'merge.default', 'song')
  repo.git('config', 'diff.song.textconv', `touch ${yard.canary}; cat`)
  repo.git('config', 'diff.external', `touch ${yard.canary}`)
  repo.git('config', 'commit.gpgSign', 'true')
  repo.git('config', 'gpg.program', `touch ${yard.canary}`)
  repo.git('config', 'user.name', 'not this one')
  const merged = await mergeTrees(yard.git, repository, { ours, theirs })
  expect(merged).toMatchObject({ conflicts: [{ path: 'a', kind: 'contents' }] })
  const tree = repo.git('rev-parse', `${ours}^{tree}`).trim()
  const author = { name: '山田', email: 'y@example.org' }
  const message = 'Title\n\nbody 日本語\n'
  const commit = await commitTree(yard.git, repository, { tree, parents: [ours, theirs], message, author, at: AT })
  expect(repo.git('log', '-1', '--format=%an|%ae|%cn|%ct|%P|%G?|%B', commit).trim()).toBe(
    `山田|y@example.org|山田|${AT / 1000}|${ours} ${theirs}|N|Title\n\nbody 日本語`,
  )
  expect((await treeDiff(yard.git, repository, ours, theirs, 100_000)).diff).toContain('-ours\n+theirs\n')
  expect(yard.sang).toBe(false)
})

test('changes and the diff between two commits', async () => {
  using yard = new Yard()
  const { repo, repository, base, theirs } = await site(yard, {
    base: here => here.write('moves', 'a long text that moves\n'.repeat(20)),
    theirs: here => {
      here.write('a', 'changed\n')
      here.git('mv', 'moves', '移動\n先')
      symlinkSync('../out', here.at('link'))
    },
  })
  expect(await treeChanges(yard.git, repository, base, theirs)).toEqual({
    files: [
      { path: 'a', status: 'modified' },
      { path: 'link', status: 'added' },
      { path: '移動\n先', status: 'renamed', from: 'moves' },
    ],
    truncated: false,
  })
  const all = await treeDiff(yard.git, repository, base, theirs, 1_000_000)
  expect(all.diff).toBe(
    repo
      .git('diff', '--full-index', '--find-renames', base, theirs)
      .replaceAll('\\347\\247\\273\\345\\213\\225\\n\\345\\205\\210', '移動\\n先'),
  )
  const one = await treeDiff(yard.git, repository, base, theirs, 1_000_000, ['a'])
  expect(one.diff).not.toContain('link')
  const cut = await treeDiff(yard.git, repository, base, theirs, 100)
  expect(cut).toMatchObject({ truncated: true })
  expect(cut.diff.endsWith('\n')).toBe(true)
})

test('a shallow clone, longer hashes and submodules', async () => {
  using yard = new Yard()
  const long = yard.repository('long', '--object-format=sha256')
  long.write('a', '1\n')
  const first = long.commit()
  long.write('b', '2\n')
  const second = long.commit()
  const longer = await openRepository(yard.git, long.root)
  const tree = long.git('rev-parse', 'HEAD^{tree}').trim()
  expect(await mergeTrees(yard.git, longer, { ours: first, theirs: second })).toEqual({ tree })
  const repo = yard.repository()
  for (const n of [1, 2, 3]) {
    repo.write('a', `${n}\n`)
    repo.commit()
  }
  run(yard.home, ['clone', '-q', '--depth', '1', `file://${repo.root}`, 'shallow'])
  const shallow = new Repo(path.join(yard.home, 'shallow'))
  const ours = shallow.git('rev-parse', 'HEAD').trim()
  shallow.git('checkout', '-q', '-b', 'other')
  shallow.write('b', 'b\n')
  shallow.git('update-index', '--add', '--cacheinfo', `160000,${ours},sub`)
  const theirs = shallow.commit()
  const merged = await mergeTrees(yard.git, await openRepository(yard.git, shallow.root), { ours, theirs })
  expect(merged).toEqual({ tree: shallow.git('rev-parse', 'HEAD^{tree}').trim() })
})
