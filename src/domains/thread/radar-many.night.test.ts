// Many worktrees: what a look costs is counted in calls of git, and follows from what has changed, not from how many pairs there are.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import { HUB } from '#hub/own-caller.ts'
import { systemClock } from '#kernel/clock.ts'
import { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { quietLog } from '#test/database.ts'
import { Yard } from '#test/git.ts'
import { type Found } from './overlap-model.ts'
import { type Member, Radar } from './radar.ts'

class CountingGit extends Git {
  readonly calls: string[] = []
  /** How many pairs each process merged. */
  readonly merged: number[] = []
  mostMerges = Number.POSITIVE_INFINITY

  override run(...args: Parameters<Git['run']>): ReturnType<Git['run']> {
    const [words, options] = args
    this.calls.push(words.find(word => /^[a-z]+(?:-[a-z]+)+$|^status$|^diff$/.test(word)) ?? String(words[0]))
    if (words.includes('--stdin') && words.includes('merge-tree')) {
      const pairs = String(options?.stdin).trimEnd().split('\n').length
      if (pairs > this.mostMerges) return Promise.reject(new GitError('failed', 'one of them cannot be merged'))
      this.merged.push(pairs)
    }
    return super.run(...args)
  }
}

const MANY = 24
const CLASHING = 16
const READS = 8
/** Hundreds of processes of git, on a machine that may be busy. */
const LONG = { timeout: 240_000 }

/** Made once for all tests here: each worktree takes several processes of git. */
const yard = new Yard()
afterAll(() => yard[Symbol.dispose]())
let made: ReturnType<typeof worktrees> | undefined

async function worktrees() {
  const repo = yard.repository('shop')
  repo.write('shared', 'one\n')
  for (let n = 0; n < MANY; n++) repo.write(`own/${n}/file`, 'one\n')
  const base = repo.commit('base')
  const { commonDir, objectFormat } = await openRepository(yard.git, repo.root)
  const checkouts: Checkout[] = []
  for (let n = 0; n < MANY; n++) {
    const path = join(yard.home, `tree${n}`)
    repo.git('worktree', 'add', '-q', '-b', `b${n}`, path)
    const { checkout } = await openRepository(yard.git, path)
    if (checkout) checkouts.push(checkout)
  }
  return { base, repository: { commonDir, objectFormat }, checkouts }
}

/** `many`: members, more than there are folders: then several are in one. Their files are as they were at first. */
async function crowd(many = MANY, readsAtOnce: number | undefined = READS) {
  made ??= worktrees()
  const { base, repository, checkouts } = await made
  const write = (n: number, name: string, text: string) => writeFileSync(join(checkouts[n]?.path ?? '', name), text)
  for (let n = 0; n < MANY; n++) for (const name of ['shared', `own/${n}/file`]) write(n, name, 'one\n')
  const git = new CountingGit({
    folder: mkdtempSync(join(yard.home, 'counted-')),
    env: { PATH: process.env['PATH'] ?? '', HOME: yard.home },
  })
  const members: Member[] = Array.from({ length: many }, (_, n) => ({
    ...{ worktreeId: id(n), taskId: `tsk_${n}` as TaskId, tabId: null, projectId: 'prj_shop' as ProjectId },
    ...{ repository, active: n < 2 },
  }))
  let found: readonly Found[] = []
  const radar = new Radar({
    ...{ git, log: quietLog() as never, clock: systemClock, by: HUB, pauseMs: 0, readsAtOnce },
    members: async () => ({ home: 'here', members }),
    readNow: (which, _what, read, signal) => read(git, checkouts[numberOf(which) % MANY] as Checkout, signal),
    baseOf: async () => base,
    record: async (_home, now) => {
      found = now
    },
  })
  /** Answers what git was asked for in one look. */
  const look = async (): Promise<Look> => {
    git.calls.length = 0
    git.merged.length = 0
    await radar.look()
    return { calls: [...git.calls], pairs: git.merged.reduce((sum, each) => sum + each, 0) }
  }
  return { git, radar, look, write, members, found: () => found }
}

const id = (n: number) => `wt_${String(n).padStart(3, '0')}` as WorktreeId
const numberOf = (which: WorktreeId) => Number(which.slice(3))
type Look = { calls: string[]; pairs: number }
const processes = ({ calls }: Look) => calls.length
const mergers = ({ calls }: Look) => calls.filter(call => call === 'merge-tree').length

test('what a look costs follows from what has changed, and is bounded', LONG, async () => {
  const { radar, look, write, members, found } = await crowd()
  try {
    const first: number[] = []
    for (let count = 0; count < Math.ceil(MANY / READS) + 1; count++) first.push(processes(await look()))
    // So many are read in one look, and the next goes on with others.
    const [one = 0, two = 0] = first
    expect(two).toBeLessThanOrEqual(one + 2)
    // Two of them are worked in, which is one process each: the others cost nothing any more.
    const idle = await look()
    expect(idle).toEqual({ calls: ['status', 'status'], pairs: 0 })
    write(0, 'own/0/file', 'two\n')
    const changed = await look()
    expect(changed.pairs).toBe(0)
    expect(processes(changed) - processes(idle)).toBeLessThanOrEqual(4)
    expect(await look()).toEqual(idle)
    // 120 pairs that would not merge: no more than 100 are tried in one look.
    for (const member of members) member.active = true
    for (let n = 0; n < CLASHING; n++) write(n, 'shared', `by ${n}\n`)
    const tried: number[] = []
    for (let count = 0; count < 6; count++) tried.push((await look()).pairs)
    const pairs = (CLASHING * (CLASHING - 1)) / 2
    expect(tried.reduce((sum, each) => sum + each, 0)).toBe(pairs)
    expect(Math.max(...tried)).toBeLessThanOrEqual(100)
    expect(found().filter(({ kind }) => kind === 'conflict')).toHaveLength(pairs)
    for (const member of members) member.active = member.worktreeId === id(3)
    for (let count = 0; count < 4; count++) await look()
    write(3, 'shared', 'again by 3\n')
    // With all others in one process.
    const again = await look()
    expect(again.pairs).toBe(CLASHING - 1)
    expect(mergers(again)).toBe(1)
    expect((await look()).pairs).toBe(0)
    write(3, 'shared', 'one\n')
    await look()
    expect(found().filter(({ kind }) => kind === 'conflict')).toHaveLength(pairs - (CLASHING - 1))
  } finally {
    await radar.dispose()
  }
})

test(
  'a project with more worktrees than one look reads does not keep the others from being looked at',
  LONG,
  async () => {
    const { radar, look, write, members, found } = await crowd()
    try {
      for (const member of members) {
        member.active = true
        if (numberOf(member.worktreeId) >= MANY - 2) member.projectId = 'prj_small' as ProjectId
      }
      write(MANY - 2, 'shared', 'mine\n')
      write(MANY - 1, 'shared', 'theirs\n')
      for (let count = 0; count < 2; count++) await look()
      expect(found().map(({ projectId, kind }) => [projectId, kind])).toContainEqual(['prj_small', 'conflict'])
      // Nor does the small one the large one.
      write(0, 'shared', 'mine\n')
      write(1, 'shared', 'theirs\n')
      for (let count = 0; count < 2 * Math.ceil(MANY / READS); count++) await look()
      expect(found().map(({ projectId, kind }) => [projectId, kind])).toContainEqual(['prj_shop', 'conflict'])
    } finally {
      await radar.dispose()
    }
  },
)

test('where many cannot be merged in one process each pair is tried alone', LONG, async () => {
  const { git, radar, look, write, found } = await crowd(4)
  try {
    git.mostMerges = 1
    for (let n = 0; n < 4; n++) write(n, 'shared', `by ${n}\n`)
    expect((await look()).pairs).toBe(6)
    expect(found().filter(({ kind }) => kind === 'conflict')).toHaveLength(6)
  } finally {
    await radar.dispose()
  }
})

test('a look at 200 worktrees, of which every two clash, is bounded as one at a few is', LONG, async () => {
  const { radar, look, write, members, found } = await crowd(200, undefined)
  try {
    for (const member of members) member.active = true
    for (let n = 0; n < MANY; n++) write(n, 'shared', `by ${n}\n`)
    for (let count = 0; count < 4; count++) {
      const { calls, pairs } = await look()
      // Fifty are read, and a hundred pairs merged by four processes or a few more where one worktree has only some of them left.
      expect(calls.filter(call => call === 'status').length).toBeLessThanOrEqual(2 * 50)
      expect(calls.length).toBeLessThanOrEqual(5 * 50 + 100)
      expect(pairs).toBeGreaterThan(0)
      expect(pairs).toBeLessThanOrEqual(100)
    }
    // A hundred pairs a look, except those in one folder, which are the same work.
    expect(found().filter(({ kind }) => kind === 'conflict').length).toBeGreaterThanOrEqual(300)
    // All of them were read by now: one process each, and the pairs that are still due.
    const { calls, pairs } = await look()
    expect(calls.length).toBeLessThanOrEqual(50 + 100)
    expect(pairs).toBeLessThanOrEqual(100)
  } finally {
    await radar.dispose()
  }
})
