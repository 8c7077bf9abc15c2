// The process that moves a branch and its checkout, killed at every step: base, index and files are as before or as after.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bundleFile } from '../../scripts/bundle-file.js'
import { finishMove, moveBase } from '#kernel/git/base.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { type Repo, Yard } from '../git.ts'
import { HEAVY } from '../processes.ts'
import { byDay } from '../rounds.ts'

const MOST_STEPS = 60
const STRACE = '/usr/bin/strace'

function build(yard: Yard): { repo: Repo; from: string; to: string } {
  const repo = yard.repository()
  for (const name of ['a', 'dirty', 'staged', 'gone/deep/x', 'file to folder', 'folder to file/1', 'folder to file/2'])
    repo.write(name, 'one\n')
  const from = repo.commit('from')
  repo.git('checkout', '-q', '-b', 'work')
  repo.write('a', 'two\n')
  repo.write('新しい/ファイル', 'new\n', 0o755)
  symlinkSync('../out', repo.at('link'))
  rmSync(repo.at('gone'), { recursive: true })
  rmSync(repo.at('file to folder'))
  repo.write('file to folder/inside', 'two\n')
  rmSync(repo.at('folder to file'), { recursive: true })
  repo.write('folder to file', 'two\n')
  const to = repo.commit('to')
  repo.git('checkout', '-q', 'main')
  repo.write('dirty', 'mine\n')
  repo.write('staged', 'mine\n')
  repo.git('add', 'staged')
  repo.write('untracked', 'mine\n')
  return { repo, from, to }
}

/** What the person had before stays, whatever happens. */
function expectWhole(yard: Yard, repo: Repo, commits: readonly string[]): string {
  const now = repo.git('rev-parse', 'main').trim()
  expect(commits).toContain(now)
  expect(repo.git('status', '--porcelain', '-z')).toBe(' M dirty\0M  staged\0?? untracked\0')
  for (const name of ['dirty', 'staged', 'untracked']) expect(readFileSync(repo.at(name), 'utf8')).toBe('mine\n')
  expect(repo.git('diff', '--name-only', now)).toBe('dirty\nstaged\n')
  expect(existsSync(repo.at('.git/index.lock'))).toBe(false)
  expect(recordsIn(yard)).toEqual([])
  expect(existsSync(path.join(yard.git.folder, 'moves-set-aside'))).toBe(false)
  return now
}

/** A folder without a record is nothing yet, or nothing any more; it is removed when it is old enough to be abandoned. */
function recordsIn(yard: Yard): string[] {
  const moves = path.join(yard.git.folder, 'moves')
  return existsSync(moves) ? readdirSync(moves).filter(name => existsSync(path.join(moves, name, 'record.json'))) : []
}

test('killed at every step of a move', HEAVY, async () => {
  const program = await bundleFile('test/fixtures/base-mover.ts')
  const ends: string[] = []
  for (let step = 1; ; step++) {
    expect(step).toBeLessThan(MOST_STEPS)
    using yard = new Yard()
    const { repo, from, to } = build(yard)
    const args = [program, repo.root, path.join(yard.home, 'git'), from, to, String(step)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    const repository = await openRepository(yard.git, repo.root)
    await finishMove(yard.git, repository)
    const now = expectWhole(yard, repo, [from, to])
    ends.push(now === to ? 'after' : 'before')
    // And it can be done again, or is done already.
    expect(await moveBase(yard.git, repository, { ref: 'refs/heads/main', from, to, at: Date.now() })).toBe('moved')
    expect(expectWhole(yard, repo, [to])).toBe(to)
    if (signal === null) break
  }
  expect(ends.length).toBeGreaterThan(15)
  expect(ends).toContain('before')
  // Once it has moved it stays moved.
  expect(ends.lastIndexOf('before')).toBeLessThan(ends.indexOf('after'))
})

test('what a person did after the crash is not taken back', HEAVY, async () => {
  const program = await bundleFile('test/fixtures/base-mover.ts')
  using yard = new Yard()
  const { repo, from, to } = build(yard)
  // Into the middle of the files: the removed ones are gone, some new ones are there.
  const args = [program, repo.root, path.join(yard.home, 'git'), from, to, '10']
  await once(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  expect(existsSync(repo.at('.git/index.lock'))).toBe(true)
  rmSync(repo.at('.git/index.lock'))
  writeFileSync(repo.at('a'), 'edited after the crash\n')
  await finishMove(yard.git, await openRepository(yard.git, repo.root))
  expect(readFileSync(repo.at('a'), 'utf8')).toBe('edited after the crash\n')
  expect(repo.git('rev-parse', 'main').trim()).toBe(from)
  expect(repo.git('status', '--porcelain', '-z')).toBe(' M a\0 M dirty\0M  staged\0?? untracked\0')
})

if (!byDay && !existsSync(STRACE)) console.warn('NOT TESTED HERE: a kill at a chosen system call needs strace')

// Finer than the steps that it names. Every third change of a name, since each kill takes a repository of its own; at night.
test.skipIf(byDay || !existsSync(STRACE))('killed at every third rename, link, unlink and mkdir', HEAVY, async () => {
  const program = await bundleFile('test/fixtures/base-mover.ts')
  const calls = '?rename,?renameat,?renameat2,?link,?linkat,?unlink,?unlinkat,?rmdir,?mkdir,?mkdirat'
  let kills = 0
  for (let nth = 1; ; nth += 3) {
    expect(nth).toBeLessThan(400)
    using yard = new Yard()
    const { repo, from, to } = build(yard)
    const mover = [process.execPath, program, repo.root, path.join(yard.home, 'git'), from, to]
    const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${nth}`]
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }
    // Its git processes are killed at their nth call, too: then the mover itself takes back what it did.
    const child = spawn(STRACE, ['-f', '-o', '/dev/null', ...inject, ...mover], { stdio: 'ignore', env })
    const [code] = (await once(child, 'exit')) as [number | null]
    const repository = await openRepository(yard.git, repo.root)
    // Git's own lock on the ref is git's to leave behind; nothing is half done then.
    rmSync(repo.at('.git/refs/heads/main.lock'), { force: true })
    await finishMove(yard.git, repository)
    expectWhole(yard, repo, [from, to])
    if (code === 0) break
    kills++
  }
  expect(kills).toBeGreaterThan(5)
})
