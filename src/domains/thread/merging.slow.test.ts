import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MergeId, TaskId } from '#contract/id-types.ts'
import type { Blocked } from '#contract/why.ts'
import { blockedText } from '#contract/why-text.ts'
import { commitTree } from '#kernel/git/merge.ts'
import { MergeStore } from '#domains/thread/merges-store.ts'
import { SnapshotStore } from '#domains/thread/snapshot-store.ts'
import { HUB } from '#hub/own-caller.ts'
import { databases } from '../../../test/hub.ts'
import { type MergeTables, Queue } from '../../../test/queue.ts'

const messages = (queue: Queue) => queue.repo.git('log', '--first-parent', '--format=%s', 'main').trim().split('\n')
const stage = async (queue: Queue, id: TaskId) => {
  const { status, facts } = await queue.services(queue.database).tasks.get(id, HUB)
  return { status, merged: facts.mergedAt !== null, queued: facts.queuedAt !== null }
}

test.each(databases)('accepted work is merged in the order of the queue, also into the checkout (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const first = await queue.task(folder => folder.write('a', '1\ntwo\nthree\nfour\nfive\n'))
  const second = await queue.task(folder => {
    folder.write('a', 'one\ntwo\nthree\nfour\n5\n')
    folder.commit('by the agent')
    folder.write('new', 'untracked\n')
  })
  for (const id of [first, second]) await queue.enqueue(id)
  expect((await queue.list()).map(({ handle, position, waits }) => [handle, position, waits])).toEqual([
    ['shop-1', 1, null],
    ['shop-2', 2, 'shop-1 is merged first.'],
  ])
  expect(await stage(queue, second)).toMatchObject({ queued: true })
  await queue.drive()
  expect(messages(queue)).toEqual(['Merge shop-2: Change 2', 'Merge shop-1: Change 1', 'base'])
  expect(queue.repo.git('log', '-1', '--format=%B%an%n%(trailers:key=Toryo-Task,valueonly)', 'main')).toContain(
    'Did 2.\n\nToryo-Task: shop-2\n',
  )
  expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('1\ntwo\nthree\nfour\n5\n')
  expect(queue.repo.git('status', '--porcelain')).toBe('')
  expect(await stage(queue, second)).toEqual({ status: 'done', merged: true, queued: true })
  expect(await queue.list()).toEqual([])
  expect((await queue.events('merge.ended')).map(({ outcome }) => outcome)).toEqual(['merged', 'merged'])
  expect(queue.repo.git('for-each-ref', 'refs/toryo/merges')).toBe('')
  // Asked for again, it is merged already.
  expect(await queue.enqueue(second)).toMatchObject({ outcome: 'merged' })
  await queue.drive()
  expect(messages(queue)).toHaveLength(3)
})

test.each(databases)('a squash has one parent (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('a', 'squashed\n'))
  const { projects } = queue.services(queue.database)
  await queue.database.tx(tx => tx.tables<MergeTables>().updateTable('projects').set({ merge: 'squash' }).execute())
  expect((await projects.list(0, 1))[0]?.merge).toBe('squash')
  await queue.enqueue(id)
  await queue.drive()
  expect(queue.repo.git('log', '-1', '--format=%s|%p', 'main').trim()).toMatch(/^Change 1\|[0-9a-f]+$/)
})

test.each(databases)('a conflict sends the task back with both sides, and the queue goes on (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const ids = []
  for (const text of ['mine', 'yours']) ids.push(await queue.task(folder => folder.write('b', `${text}\n`)))
  const third = await queue.task(folder => folder.write('c', 'c\n'))
  for (const id of [...ids, third]) await queue.enqueue(id)
  await queue.drive()
  const [, second] = ids as [TaskId, TaskId]
  expect(messages(queue)).toEqual(['Merge shop-3: Change 3', 'Merge shop-1: Change 1', 'base'])
  expect(await stage(queue, second)).toEqual({ status: 'in_progress', merged: false, queued: false })
  expect((await new MergeStore(queue.database).findLatest(second))?.details).toMatchObject({
    conflicts: [{ path: 'b', kind: 'contents', ours: '@@ 1 @@\nmine\n', theirs: '@@ 1 @@\nyours\n' }],
  })
  expect(await queue.events('task.returned')).toEqual([{ taskId: second, why: 'conflict', count: 1 }])
  // Who changed the base meanwhile; what was merged after it has nothing to do with it.
  const { merges } = queue.services(queue.database)
  const latest = await merges.newest(second, HUB, 'en')
  expect(await merges.show(latest?.merge_id as MergeId, HUB, 'en')).toMatchObject({
    stage: 'working',
    base_changed_by: [{ task_id: ids[0], handle: 'shop-1', title: 'Change 1' }],
  })
})

test.each(databases)('the fourth time in a row that it does not merge is for a person (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'mine\n'))
  queue.repo.write('b', 'yours\n')
  queue.repo.commit()
  const { tasks } = queue.services(queue.database)
  for (const status of ['in_progress', 'in_progress', 'in_progress', 'blocked', 'in_progress']) {
    await queue.enqueue(id)
    await queue.drive()
    const task = await tasks.get(id, HUB)
    expect(task.status).toBe(status)
    if (status === 'blocked') {
      const { merge_id: merge } = (await queue.services(queue.database).merges.newest(id, HUB, 'en')) ?? {}
      expect(task.blocked).toEqual({ kind: 'conflicts', base: 'main', merge, count: 4, files: ['b'] })
      const said = blockedText(task.blocked as Blocked)
      expect(said.en).toMatch(/^It could not be merged into main 4 times in a row, .* conflicts in b\. Settle/)
      expect(said.ja).toContain('4 回続けて失敗しました (最後: b で競合)')
    }
    await tasks.move(id, 'done', HUB)
  }
})

test.each(databases)('checks run on the merged tree; a failure sends the task back (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const good = await queue.task(folder => folder.write('c', 'c\n'))
  const bad = await queue.task(folder => folder.write('d', 'd\n'))
  const trees: string[] = []
  queue.check = async ({ tree, taskId }) => {
    trees.push(queue.repo.git('ls-tree', '--name-only', tree).trim().replaceAll('\n', ' '))
    return taskId === bad ? { outcome: 'failed', check: 'test' } : { outcome: 'passed' }
  }
  for (const id of [good, bad]) await queue.enqueue(id)
  await queue.drive()
  expect(trees).toEqual(['a b c', 'a b c d'])
  expect(await stage(queue, bad)).toMatchObject({ status: 'in_progress', merged: false })
  expect((await queue.list(true)).map(({ handle, outcome }) => [handle, outcome])).toEqual([
    ['shop-2', 'failed'],
    ['shop-1', 'merged'],
  ])
  expect(queue.repo.git('for-each-ref', 'refs/toryo/merges')).toBe('')
})

test.each(databases)(
  'a check that is added while the files are placed is run before the base moves (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const id = await queue.task(folder => folder.write('c', 'c\n'))
    const main = queue.repo.git('rev-parse', 'main')
    let checks = 0
    queue.check = async () => (++checks === 1 ? { outcome: 'passed' } : { outcome: 'failed', check: 'new' })
    queue.isPassed = () => false
    await queue.enqueue(id)
    await queue.drive()
    expect(checks).toBe(2)
    expect(await stage(queue, id)).toMatchObject({ status: 'in_progress', merged: false })
    expect(queue.repo.git('rev-parse', 'main')).toBe(main)
    expect(queue.repo.git('status', '--porcelain')).toBe('')
  },
)

test.each(databases)('unsaved changes in the checkout are waited for, and said once (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'))
  queue.repo.write('b', 'mine\n')
  await queue.enqueue(id)
  await queue.drive()
  await queue.drive()
  const [entry] = await queue.list()
  expect(entry?.waits).toContain(`main is checked out in ${queue.repo.root}, where these files have changes`)
  expect(await queue.events('merge.waits')).toHaveLength(1)
  expect(readFileSync(queue.repo.at('b'), 'utf8')).toBe('mine\n')
  queue.repo.git('checkout', '-q', 'b')
  await queue.drive()
  expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'base'])
})

test.each(databases)('a checkout under another name is held back for and brought along (%s)', async kind => {
  await using queue = await Queue.open(kind)
  queue.repo.git('symbolic-ref', 'refs/heads/trunk', 'refs/heads/main')
  queue.repo.git('symbolic-ref', 'refs/heads/master', 'refs/heads/main')
  queue.repo.git('checkout', '-q', 'master')
  const id = await queue.task(folder => folder.write('b', 'two\n'), { base: 'refs/heads/trunk' })
  queue.repo.write('b', 'mine\n')
  await queue.enqueue(id)
  await queue.drive()
  expect((await queue.list())[0]?.waits).toContain(`trunk is checked out in ${queue.repo.root}, where these files`)
  queue.repo.git('checkout', '-q', 'b')
  await queue.drive()
  expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'base'])
  expect(queue.repo.git('status', '--porcelain')).toBe('')
})

test.each(databases)('where it cannot be told what is checked out, a merge waits and says so (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'))
  const git = queue.repo.at('.git/worktrees/work-1')
  writeFileSync(`${git}/HEAD`, 'ref: refs/heads/.invalid\n')
  await queue.enqueue(id)
  await queue.drive()
  expect((await queue.list())[0]?.waits).toContain(`It cannot be told which branch is checked out where ${git}/HEAD`)
  expect(messages(queue)).toEqual(['base'])
  writeFileSync(`${git}/HEAD`, 'ref: refs/heads/toryo/shop-1\n')
  await queue.drive()
  expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'base'])
})

test.each(databases)(
  'work whose base lost what it was reviewed on waits for a person, who is told why (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    queue.repo.write('dropped', 'x\n')
    const base = queue.repo.commit('dropped')
    const id = await queue.task(folder => folder.write('b', 'two\n'))
    await queue.database.tx(tx =>
      tx.tables<MergeTables>().updateTable('snapshots').set({ base_commit: base }).execute(),
    )
    const next = await queue.task(folder => folder.write('c', 'x\n'))
    for (const one of [id, next]) await queue.enqueue(one)
    queue.repo.git('reset', '-q', '--hard', 'HEAD~1')
    await queue.drive()
    const { tasks } = queue.services(queue.database)
    const { status, facts, blocked } = await tasks.get(id, HUB)
    expect({ status, accepted: facts.acceptedAt }).toEqual({ status: 'blocked', accepted: null })
    expect(blocked).toMatchObject({ kind: 'base-lacks', base: 'main', commit: base })
    expect(blockedText(blocked as Blocked).ja).toContain('main に、レビュー時の起点だった')
    const snapshots = await new SnapshotStore(queue.database).list(id, 9)
    expect(snapshots.filter(({ takenAt }) => takenAt === null)).toHaveLength(1)
    // What it was reviewed on was not written down.
    expect(await stage(queue, next)).toMatchObject({ merged: true })
  },
)

test.each(databases)('a base that a person moves meanwhile is merged with as it is then (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'))
  let times = 0
  queue.check = async () => {
    if (times++ === 0) {
      queue.repo.write('person', 'x\n')
      queue.repo.commit('by a person')
    }
    return { outcome: 'passed' }
  }
  await queue.enqueue(id)
  await queue.drive()
  expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'by a person', 'base'])
  expect(times).toBe(2)
  expect(queue.repo.git('status', '--porcelain')).toBe('')
})

test.each(databases)('two hubs merge it once (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'))
  const checkedBy: string[] = []
  const [one, other] = [queue.hub('one'), queue.hub('other')]
  queue.check = async () => {
    checkedBy.push('x')
    expect(await other.step()).toBe(false)
    return { outcome: 'passed' }
  }
  await queue.enqueue(id)
  await Promise.all([queue.drive(one), queue.drive(other)])
  await queue.drive(other)
  expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'base'])
  expect(await queue.events('merge.ended')).toHaveLength(1)
})

test.each(databases)(
  'a hub that was stopped while it worked loses its entry to another and moves nothing (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const id = await queue.task(folder => folder.write('b', 'two\n'))
    const [one, other] = [queue.hub('one'), queue.hub('other')]
    let times = 0
    queue.check = async () => {
      if (times++ === 0) {
        queue.clock.advance(120_000)
        await queue.drive(other)
      }
      return { outcome: 'passed' }
    }
    await queue.enqueue(id)
    await queue.drive(one)
    expect(times).toBe(2)
    expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'base'])
    expect(await queue.events('merge.ended')).toHaveLength(1)
  },
)

test.each(databases)(
  'cut off after the commit, and after the move: the next hub goes on from there (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const id = await queue.task(folder => folder.write('b', 'two\n'))
    await queue.enqueue(id)
    queue.check = () => Promise.reject(new Error('cut off'))
    expect(await queue.hub().step()).toBe(false)
    const [prepared] = await queue.list()
    expect(prepared).toMatchObject({ outcome: null, commit: expect.any(String) })
    expect(prepared?.waits).toContain('Something went wrong inside the hub')
    queue.check = async () => ({ outcome: 'passed' })
    // Another life of the same hub, which finds the base moved already.
    const next = queue.hub()
    await next.recover()
    queue.repo.git('merge', '-q', '--ff-only', prepared?.commit as string)
    await queue.drive(next)
    expect((await queue.list(true))[0]).toMatchObject({ outcome: 'merged', commit: prepared?.commit })
    expect(messages(queue)).toEqual(['Merge shop-1: Change 1', 'base'])
  },
)

test.each(databases)('a task that is opened again leaves the queue (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'))
  await queue.enqueue(id)
  await queue.services(queue.database).tasks.move(id, 'in_progress', HUB)
  await queue.drive()
  expect(messages(queue)).toEqual(['base'])
  expect((await queue.list(true)).map(({ outcome }) => outcome)).toEqual(['withdrawn'])
})

test.each(databases)('what cannot be merged is refused, and nothing is queued (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const open = await queue.task(folder => folder.write('b', 'two\n'), { accept: false })
  const same = await queue.task(() => {})
  const detached = await queue.task(folder => folder.write('b', 'x\n'), { base: null })
  await expect(queue.enqueue(open)).rejects.toMatchObject({ code: 'NOT_ACCEPTED' })
  await expect(queue.enqueue(detached)).rejects.toMatchObject({ code: 'NO_BASE' })
  expect(await queue.enqueue(same)).toBeUndefined()
  await queue.database.tx(tx =>
    tx.tables<MergeTables>().deleteFrom('workspaces').where('task_id', '=', detached).execute(),
  )
  await expect(queue.enqueue(detached)).rejects.toMatchObject({ code: 'NO_WORKSPACE' })
  expect(await queue.list(true)).toEqual([])
})

test.each(databases)(
  'an entry that cannot be merged is tried later and later, and the others go on (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const broken = await queue.task(folder => folder.write('c', 'c\n'))
    const fine = await queue.task(folder => folder.write('d', 'd\n'))
    for (const id of [broken, fine]) await queue.enqueue(id)
    await queue.database.tx(tx =>
      tx
        .tables<MergeTables>()
        .updateTable('snapshots')
        .set({ commit_id: 'd'.repeat(40) })
        .where('task_id', '=', broken)
        .execute(),
    )
    const hub = queue.hub()
    await queue.drive(hub)
    expect(messages(queue)).toEqual(['Merge shop-2: Change 2', 'base'])
    expect((await queue.list()).map(({ handle, waits }) => [handle, waits])).toEqual([
      ['shop-1', expect.stringContaining('git')],
    ])
    for (const _ of Array.from({ length: 360 })) {
      queue.clock.advance(10_000)
      await hub.step()
    }
    expect(queue.log.lines.length).toBeGreaterThan(5)
    expect(queue.log.lines.length).toBeLessThan(15)
  },
)

test.each(databases)('a base that is gone is waited for (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'), { base: 'refs/heads/missing' })
  await queue.enqueue(id)
  await queue.drive()
  expect((await queue.list())[0]?.waits).toContain('The base branch missing does not exist.')
})

test.each(databases)(
  'afterwards the worktree is released, and the branch goes if it has not gone on (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const ids = []
    for (const name of ['c', 'd']) ids.push(await queue.task(folder => folder.write(name, 'x\n')))
    for (const id of ids) await queue.enqueue(id)
    await queue.drive()
    const retiring = queue.retiring()
    for (const number of [1, 2]) queue.repo.git('worktree', 'remove', '--force', queue.folderOf(number))
    const branches = () =>
      queue.repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/toryo').trim().split('\n')
    expect(branches()).toEqual(['toryo/shop-1', 'toryo/shop-2'])
    const wentOn = await commitTree(
      queue.yard.git,
      { commonDir: queue.repo.at('.git'), objectFormat: 'sha1' },
      {
        tree: queue.repo.git('rev-parse', 'main^{tree}').trim(),
        parents: [queue.repo.git('rev-parse', 'toryo/shop-2').trim()],
        message: 'went on',
        at: 0,
      },
    )
    queue.repo.git('update-ref', 'refs/heads/toryo/shop-2', wentOn)
    await retiring.step()
    await retiring.step()
    expect(queue.released).toEqual(ids)
    expect(branches()).toEqual(['toryo/shop-2'])
  },
)

test.each(databases)('a branch of merged work that leads to another goes without the other (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('c', 'x\n'))
  queue.repo.git('branch', 'kept', 'main')
  await queue.enqueue(id)
  await queue.drive()
  queue.repo.git('worktree', 'remove', '--force', queue.folderOf(1))
  queue.repo.git('symbolic-ref', 'refs/heads/toryo/shop-1', 'refs/heads/kept')
  await queue.retiring().step()
  expect(queue.repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim()).toBe('kept\nmain')
})

test.each(databases)('the workspace of a task that is opened again after its merge stays (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const [early, late] = [
    await queue.task(folder => folder.write('c', 'x\n')),
    await queue.task(folder => folder.write('d', 'x\n')),
  ]
  for (const id of [early, late]) await queue.enqueue(id)
  await queue.drive()
  const { tasks } = queue.services(queue.database)
  // Before its folder was moved to the trash.
  await tasks.move(early, 'in_progress', HUB)
  await queue.retiring().step()
  expect(queue.released).toEqual([late])
  // And afterwards, with a new folder.
  queue.clock.advance(1000)
  const made = { released_at: null, made_at: queue.clock.now() }
  await queue.database.tx(tx =>
    tx.tables<MergeTables>().updateTable('workspaces').set(made).where('task_id', '=', late).execute(),
  )
  await queue.retiring().step()
  expect(queue.released).toEqual([late])
})

test.each(databases)('a workspace in which somebody works, or that is still to be read, stays (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const ids = []
  for (const name of ['c', 'd', 'e']) ids.push(await queue.task(folder => folder.write(name, 'x\n')))
  for (const id of ids) await queue.enqueue(id)
  await queue.drive()
  const [held, unread, free] = ids as [TaskId, TaskId, TaskId]
  queue.held.add(held)
  const settle = (settled_at: number | null) =>
    queue.database.tx(tx =>
      tx.tables<MergeTables>().updateTable('snapshots').set({ settled_at }).where('task_id', '=', unread).execute(),
    )
  await settle(null)
  await queue.retiring().step()
  expect(queue.released).toEqual([free])
  queue.held.clear()
  await settle(queue.clock.now())
  await queue.retiring().step()
  expect(queue.released).toEqual([free, held, unread])
})

test.each(databases)('workspaces of cancelled and of unchanged work are released, others stay (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const given = await queue.task(folder => folder.write('c', 'x\n'), { accept: false })
  const same = await queue.task(() => {})
  await queue.task(folder => folder.write('d', 'x\n'), { base: null })
  await queue.task(() => {}, { accept: false })
  await queue.services(queue.database).tasks.move(given, 'cancelled', HUB)
  await queue.retiring().step()
  expect(queue.released).toEqual([given, same])
})

test.each(databases)('work of a hub that is away holds up nobody else, and is left to it (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const away = await queue.task(folder => folder.write('c', 'x\n'))
  const ours = await queue.task(folder => folder.write('d', 'x\n'))
  queue.elsewhere.add('wt_1')
  await queue.database.tx(tx =>
    tx
      .tables<{ worktrees: { id: string; home: string } }>()
      .updateTable('worktrees')
      .set({ home: 'elsewhere' })
      .where('id', '=', 'wt_1')
      .execute(),
  )
  for (const id of [away, ours]) await queue.enqueue(id)
  expect((await queue.list()).map(({ position, waits }) => [position, waits])).toEqual([
    [1, null],
    [1, null],
  ])
  await queue.drive()
  expect(messages(queue)).toEqual(['Merge shop-2: Change 2', 'base'])
  await queue.services(queue.database).tasks.move(away, 'cancelled', HUB)
  await queue.retiring().step()
  expect(queue.released).toEqual([ours])
})

test.each(databases)(
  'what waits in an imported queue is taken out, and waits to be accepted again (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const id = await queue.task(folder => folder.write('c', 'x\n'))
    await queue.enqueue(id)
    await queue.database.tx(tx => queue.services(tx).merges.imported(tx))
    expect((await queue.list(true)).map(({ outcome }) => outcome)).toEqual(['withdrawn'])
    expect(await stage(queue, id)).toEqual({ status: 'blocked', merged: false, queued: false })
    await queue.services(queue.database).tasks.move(id, 'done', HUB)
    await queue.enqueue(id)
    // Deleted before its entry was taken out: nobody is asked about it.
    const gone = await queue.task(folder => folder.write('d', 'x\n'))
    await queue.enqueue(gone)
    await queue.services(queue.database).tasks.delete(gone, HUB)
    await queue.database.tx(tx => queue.services(tx).merges.imported(tx))
    expect((await stage(queue, gone)).status).toBe('cancelled')
    await queue.services(queue.database).tasks.move(id, 'done', HUB)
    await queue.enqueue(id)
    await queue.drive()
    expect(await stage(queue, id)).toMatchObject({ merged: true })
  },
)

test.each(databases)('failures before a merge do not count after it (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('c', 'x\n'))
  const { tasks } = queue.services(queue.database)
  const fails = [true, true, true, false, true]
  for (const isBad of fails) {
    queue.check = async () => (isBad ? { outcome: 'failed', check: 'test' } : { outcome: 'passed' })
    // Asked for again after its merge, it is other work.
    if (isBad) await queue.anew(id)
    queue.clock.advance(1000)
    await queue.enqueue(id)
    await queue.drive()
    expect((await tasks.get(id, HUB)).status).toBe(isBad ? 'in_progress' : 'done')
    await tasks.move(id, isBad ? 'done' : 'in_progress', HUB)
    if (!isBad) await tasks.move(id, 'done', HUB)
  }
  expect((await queue.events('task.returned')).map(({ count }) => count)).toEqual([1, 2, 3, 1])
})

test.each(databases)('a check that cannot be started on the merged files is for a person at once (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('c', 'x\n'))
  queue.check = async () => ({
    outcome: 'failed',
    check: 'test',
    unable: true,
    remark: { kind: 'not-found', program: 'nope' },
  })
  await queue.enqueue(id)
  await queue.drive()
  const { status, blocked } = await queue.services(queue.database).tasks.get(id, HUB)
  expect(status).toBe('blocked')
  const said = blockedText(blocked as Blocked)
  expect(said.en).toContain('Check test could not be started on the files merged with main: nope was not found. Fix it')
  expect(said.ja).toContain('チェック test を開始できませんでした: nope が見つかりません。原因')
})

test.each(databases)('work that is accepted anew replaces what waits in the queue (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('c', 'x\n'))
  await queue.enqueue(id)
  const next = await queue.anew(id)
  await queue.enqueue(id, next)
  await queue.drive()
  expect(new Set((await queue.list(true)).map(({ outcome }) => outcome))).toEqual(new Set(['merged', 'withdrawn']))
  expect((await new MergeStore(queue.database).findLatest(id))?.snapshotId).toBe(next)
})
