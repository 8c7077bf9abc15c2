// Many worktrees: what a look costs is counted in calls of git, and follows from what has changed, not from how many pairs there are.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import { HUB } from '#hub/own-caller.ts'
import { systemClock } from '#kernel/clock.ts'
import { Git } from '#kernel/git/git.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { openRepository } from '#kernel/git/repository.ts'
import { quietLog } from '#test/database.ts'
import { Yard } from '#test/git.ts'
import { type Found } from './overlap-model.ts'
import { type Member, Radar } from './radar.ts'

class CountingGit extends Git {
  readonly calls: string[] = []

  override run(...args: Parameters<Git['run']>): ReturnType<Git['run']> {
    this.calls.push(args[0].find(word => /^[a-z]+(?:-[a-z]+)+$|^status$|^diff$/.test(word)) ?? String(args[0][0]))
    return super.run(...args)
  }
}

const MANY = 24
const CLASHING = 16
const READS = 8

async function crowd(yard: Yard) {
  const repo = yard.repository('shop')
  repo.write('shared', 'one\n')
  for (let n = 0; n < MANY; n++) repo.write(`own/${n}/file`, 'one\n')
  const base = repo.commit('base')
  const { commonDir, objectFormat } = await openRepository(yard.git, repo.root)
  const git = new CountingGit({
    folder: join(yard.home, 'counted'),
    env: { PATH: process.env['PATH'] ?? '', HOME: yard.home },
  })
  const checkouts: Checkout[] = []
  for (let n = 0; n < MANY; n++) {
    const path = join(yard.home, `tree${n}`)
    repo.git('worktree', 'add', '-q', '-b', `b${n}`, path)
    const { checkout } = await openRepository(yard.git, path)
    if (checkout) checkouts.push(checkout)
  }
  const members: Member[] = checkouts.map((_, n) => ({
    ...{ worktreeId: id(n), taskId: `tsk_${n}` as TaskId, tabId: null, projectId: 'prj_shop' as ProjectId },
    ...{ repository: { commonDir, objectFormat }, active: n < 2 },
  }))
  let found: readonly Found[] = []
  const radar = new Radar({
    ...{ git, log: quietLog() as never, clock: systemClock, by: HUB, pauseMs: 0, readsAtOnce: READS },
    members: async () => ({ home: 'here', members }),
    glance: (which, _what, read, signal) => read(git, checkouts[numberOf(which)] as Checkout, signal),
    baseOf: async () => base,
    become: async (_home, now) => {
      found = now
    },
  })
  /** Answers what git was asked for in one look. */
  const look = async () => {
    git.calls.length = 0
    await radar.look()
    return [...git.calls]
  }
  const write = (n: number, name: string, text: string) => writeFileSync(join(checkouts[n]?.path ?? '', name), text)
  return { radar, look, write, members, found: () => found }
}

const id = (n: number) => `wt_${String(n).padStart(3, '0')}` as WorktreeId
const numberOf = (which: WorktreeId) => Number(which.slice(3))
const merges = (calls: readonly string[]) => calls.filter(call => call === 'merge-tree').length

test('what a look costs follows from what has changed, and is bounded', async () => {
  using yard = new Yard()
  const { radar, look, write, members, found } = await crowd(yard)
  try {
    const first: string[][] = []
    for (let count = 0; count < Math.ceil(MANY / READS) + 1; count++) first.push(await look())
    // So many are read in one look, and the next goes on with others.
    const [one = [], two = []] = first
    expect(two.length).toBeLessThanOrEqual(one.length + 2)
    // Two of them are worked in: the others cost nothing any more.
    const idle = await look()
    expect(idle.length).toBeLessThanOrEqual(Math.ceil((one.length / READS) * 2))
    expect(merges(idle)).toBe(0)
    write(0, 'own/0/file', 'two\n')
    const changed = await look()
    expect(merges(changed)).toBe(0)
    expect(changed.length - idle.length).toBeLessThanOrEqual(10)
    expect((await look()).length).toBe(idle.length)
    // 120 pairs that would not merge: no more than 100 are tried in one look.
    for (const member of members) member.active = true
    for (let n = 0; n < CLASHING; n++) write(n, 'shared', `by ${n}\n`)
    const tried: number[] = []
    for (let count = 0; count < 6; count++) tried.push(merges(await look()))
    const pairs = (CLASHING * (CLASHING - 1)) / 2
    expect(tried.reduce((sum, each) => sum + each, 0)).toBe(pairs)
    expect(Math.max(...tried)).toBeLessThanOrEqual(100)
    expect(found().filter(({ kind }) => kind === 'conflict')).toHaveLength(pairs)
    for (const member of members) member.active = member.worktreeId === id(3)
    for (let count = 0; count < 4; count++) await look()
    write(3, 'shared', 'again by 3\n')
    expect(merges(await look())).toBe(CLASHING - 1)
    expect(merges(await look())).toBe(0)
    write(3, 'shared', 'one\n')
    await look()
    expect(found().filter(({ kind }) => kind === 'conflict')).toHaveLength(pairs - (CLASHING - 1))
  } finally {
    await radar.dispose()
  }
})

test('a project with more worktrees than one look reads does not keep the others from being looked at', async () => {
  using yard = new Yard()
  const { radar, look, write, members, found } = await crowd(yard)
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
})
