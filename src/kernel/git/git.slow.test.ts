import { chmodSync, lchownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Yard } from '../../../test/git.ts'
import { Git } from './git.ts'
import { openRepository } from './repository.ts'
import { branchProblem, folderFor, folderNamed, isRevision } from './names.ts'

function programSaying(yard: Yard, script: string): Git {
  const bin = path.join(yard.home, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(bin, 'git'), 0o755)
  return new Git({ folder: path.join(yard.home, 'git'), env: { PATH: bin } })
}

test('says so when there is no git', async () => {
  using yard = new Yard()
  const env = { PATH: `${yard.home}:.:relative` }
  await expect(new Git({ folder: yard.home, env }).run(['status'])).rejects.toMatchObject({ problem: 'missing' })
  await expect(new Git({ folder: yard.home, env: {} }).run(['status'])).rejects.toMatchObject({ problem: 'missing' })
})

test('says so when git is too old, and takes a newer one', async () => {
  for (const [said, problem] of [
    ['git version 2.38.9', 'too-old'],
    ['git version 1.9', 'too-old'],
    ['something else', 'missing'],
  ]) {
    using yard = new Yard()
    await expect(programSaying(yard, `echo "${said}"`).program()).rejects.toMatchObject({ problem })
  }
  for (const said of ['git version 2.39.0', 'git version 2.50.1 (Apple Git-155)', 'git version 3.0.0']) {
    using yard = new Yard()
    await expect(programSaying(yard, `echo "${said}"`).program()).resolves.toMatchObject({ version: said.slice(12) })
  }
})

test('a git that was missing is found once it is there', async () => {
  using yard = new Yard()
  const git = new Git({ folder: yard.home, env: { PATH: path.join(yard.home, 'bin') } })
  await expect(git.program()).rejects.toMatchObject({ problem: 'missing' })
  programSaying(yard, 'echo "git version 2.47.3"')
  await expect(git.program()).resolves.toMatchObject({ version: '2.47.3' })
})

test('ends one that says too much, takes too long, or is no longer wanted', async () => {
  using yard = new Yard()
  const git = programSaying(
    yard,
    'case "$*" in --version) echo "git version 2.40.0";; *flood*) yes;; *) sleep 600;; esac',
  )
  await expect(git.run(['flood'], { maxBytes: 100_000 })).rejects.toMatchObject({ problem: 'too-much' })
  const cut = await git.run(['flood'], { maxBytes: 100_000, cut: true })
  expect([cut.stdout.length, cut.cut]).toEqual([100_000, true])
  await expect(git.run(['wait'], { ms: 50 })).rejects.toMatchObject({ problem: 'time' })
  const stopping = new AbortController()
  const waiting = git.run(['wait'], { signal: stopping.signal })
  stopping.abort()
  await expect(waiting).rejects.toMatchObject({ problem: 'cancelled' })
  const last = git.run(['wait'])
  await git.program()
  git.dispose()
  await expect(last).rejects.toMatchObject({ problem: 'cancelled' })
  await expect(git.run(['wait'])).rejects.toMatchObject({ problem: 'cancelled' })
})

test('gives the program nothing of our environment', async () => {
  using yard = new Yard()
  const git = programSaying(yard, 'case "$*" in --version) echo "git version 2.40.0";; *) env;; esac')
  const { stdout } = await git.run(['x'])
  const names = stdout
    .toString()
    .split('\n')
    .map(line => line.split('=')[0] as string)
  expect(names.filter(name => name && !/^(GIT_|LC_ALL|HOME|PATH|TORYO_MARK|PWD|SHLVL|_$|OLDPWD)/.test(name))).toEqual(
    [],
  )
  expect(stdout.toString()).toContain('GIT_ALLOW_PROTOCOL=none')
})

test('takes names that people give branches', () => {
  for (const name of [
    'main',
    'feature/auth',
    '機能/ログイン',
    'fix_#12',
    'v1.2+rc',
    'a@b',
    'große-Änderung',
    '✨-new',
    'é',
  ])
    expect([name, branchProblem(name)]).toEqual([name, undefined])
})

test('takes revisions, not ranges, paths or options', () => {
  for (const name of ['HEAD', 'HEAD~2', 'v1^', 'origin/main', 'refs/tags/v1', '機能'])
    expect([name, isRevision(name)]).toEqual([name, true])
  for (const name of ['', '-x', 'a..b', 'a:b', 'a@{1}', 'a b', 'a\nb', ':/text', 'x'.repeat(300)])
    expect([name, isRevision(name)]).toEqual([name, false])
})

test('a folder is named after its branch and belongs to it alone', () => {
  expect(folderFor('p', 'feature/認証 x')).toMatch(/^feature-認証-x-[0-9a-f]{10}$/)
  expect(folderFor('p', '///')).toMatch(/^branch-[0-9a-f]{10}$/)
  expect(folderFor('p', 'a'.repeat(200)).length).toBeLessThan(60)
  expect(folderFor('p', 'A')).not.toBe(folderFor('p', 'a'))
  expect(folderFor('p', 'a')).not.toBe(folderFor('q', 'a'))
  for (const [text, name] of [
    ['prj_1', 'prj_1'],
    ['../..', 'project'],
    ['..', 'project'],
    ['a/b', 'a-b'],
    ['', 'project'],
  ])
    expect(folderNamed(text as string, 'project')).toBe(name)
})

// Only root can give a folder to another user.
test.skipIf(process.getuid?.() !== 0)(
  'a repository of another user is refused unless the user calls it safe',
  async () => {
    using yard = new Yard()
    const repo = yard.repository()
    lchownSync(repo.at('.git'), 65534, 65534)
    await expect(openRepository(yard.git, repo.root)).rejects.toMatchObject({ problem: 'foreign' })
    const safe = (value: string) => {
      writeFileSync(path.join(yard.home, '.gitconfig'), `[safe]\n\tdirectory = ${value}\n`)
      return new Git({ folder: yard.home, env: { PATH: process.env['PATH'], HOME: yard.home } })
    }
    await expect(openRepository(safe('/elsewhere'), repo.root)).rejects.toMatchObject({ problem: 'foreign' })
    for (const value of ['*', repo.root])
      expect((await openRepository(safe(value), repo.root)).commonDir).toBe(repo.at('.git'))
  },
)
