import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SnapshotId, TaskId } from '#contract/id-types.ts'
import { HUB } from '#hub/own-caller.ts'
import { databases } from '../../../test/hub.ts'
import { type MergeTables, Queue } from '../../../test/queue.ts'

const messages = (queue: Queue) => queue.repo.git('log', '--first-parent', '--format=%s', 'main').trim().split('\n')
const stage = async (queue: Queue, id: TaskId) => {
  const { status, facts } = await queue.services(queue.database).tasks.get(id, HUB)
  return { status, accepted: facts.acceptedAt !== null, merged: facts.mergedAt !== null }
}
const undo = (queue: Queue, id: TaskId, redo = false) =>
  queue.database.tx(tx => queue.services(tx).merges.undo(id, redo, HUB))
const merged = async (queue: Queue, text: string) => {
  const id = await queue.task(folder => folder.write('a', text))
  await queue.enqueue(id)
  await queue.drive()
  return id
}

test.each(databases)('the merge of a task is undone through the queue, and brought back (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  const other = await queue.task(folder => folder.write('later', 'by another\n'))
  await queue.enqueue(other)
  await queue.drive()
  const trees: string[] = []
  queue.check = async ({ tree }) => {
    trees.push(queue.repo.git('cat-file', 'blob', `${tree}:a`).slice(0, 3))
    return { outcome: 'passed' }
  }
  // Two callers at once: one entry.
  const [first, second] = await Promise.all([undo(queue, id), undo(queue, id)])
  expect(first.id).toBe(second.id)
  expect((await queue.list()).map(({ handle, kind: what, position }) => [handle, what, position])).toEqual([
    ['shop-1', 'undo', 1],
  ])
  await queue.drive()
  expect(trees).toEqual(['one'])
  expect(messages(queue)[0]).toBe('Revert "Merge shop-1: Change 1"')
  expect(queue.repo.git('log', '-1', '--format=%B', 'main')).toContain('Toryo-Task: shop-1')
  expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('one\ntwo\nthree\nfour\nfive\n')
  // What another brought stays.
  expect(existsSync(queue.repo.at('later'))).toBe(true)
  expect(queue.repo.git('status', '--porcelain')).toBe('')
  expect(await stage(queue, id)).toEqual({ status: 'todo', accepted: false, merged: false })
  // Asked for again, it is undone already.
  expect(await undo(queue, id)).toMatchObject({ id: first.id, outcome: 'merged' })
  await queue.drive()
  expect(messages(queue)).toHaveLength(4)
  await undo(queue, id, true)
  await queue.drive()
  expect(messages(queue)[0]).toBe('Reapply "Merge shop-1: Change 1"')
  expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('1\ntwo\nthree\nfour\nfive\n')
  expect(await stage(queue, id)).toEqual({ status: 'done', accepted: true, merged: true })
  // And once more.
  await undo(queue, id)
  await queue.drive()
  expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('one\ntwo\nthree\nfour\nfive\n')
  expect(await queue.events('merge.ended')).toMatchObject([
    ...[
      { taskId: id, outcome: 'merged' },
      { taskId: other, outcome: 'merged' },
    ],
    ...[{ kind: 'undo' }, { kind: 'redo' }, { kind: 'undo', outcome: 'merged' }],
  ])
})

test.each(databases)('a squashed merge is undone as well, and its work is not merged again (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('new', 'file\n'))
  await queue.database.tx(tx => tx.tables<MergeTables>().updateTable('projects').set({ merge: 'squash' }).execute())
  await queue.enqueue(id)
  await queue.drive()
  await undo(queue, id)
  await queue.drive()
  expect(existsSync(queue.repo.at('new'))).toBe(false)
  const { tasks } = queue.services(queue.database)
  await tasks.move(id, 'done', HUB)
  await expect(queue.enqueue(id)).rejects.toMatchObject({ code: 'MERGE_UNDONE' })
})

test.each(databases)(
  'an undo that conflicts or fails its checks leaves base and task, and says so (%s)',
  async kind => {
    await using queue = await Queue.open(kind)
    const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
    queue.repo.write('a', 'uno\ntwo\nthree\nfour\nfive\n')
    queue.repo.commit('by hand')
    const tip = queue.repo.git('rev-parse', 'main')
    await undo(queue, id)
    await queue.drive()
    expect(queue.repo.git('rev-parse', 'main')).toBe(tip)
    expect(await stage(queue, id)).toEqual({ status: 'done', accepted: true, merged: true })
    expect((await queue.list(true))[0]).toMatchObject({ kind: 'undo', outcome: 'conflict', files: ['a'] })
    // It is no failure of its agent.
    expect(await queue.events('task.returned')).toEqual([])
    queue.repo.write('a', '1\ntwo\nthree\nfour\nfive\n')
    queue.repo.commit('back')
    queue.check = async () => ({ outcome: 'failed', check: 'test', tail: '1 failed' })
    await undo(queue, id)
    await queue.drive()
    expect((await queue.list(true)).find(({ outcome }) => outcome === 'failed')).toMatchObject({ check: 'test' })
    expect(await stage(queue, id)).toEqual({ status: 'done', accepted: true, merged: true })
    expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('1\ntwo\nthree\nfour\nfive\n')
  },
)

test.each(databases)('what cannot be undone is refused with the reason (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const fresh = await queue.task(() => {}, { accept: false })
  await expect(undo(queue, fresh)).rejects.toMatchObject({ code: 'NOT_MERGED' })
  const waits = await queue.task(folder => folder.write('b', 'two\n'))
  await queue.enqueue(waits)
  await expect(undo(queue, waits)).rejects.toMatchObject({ code: 'NOT_MERGED' })
  await queue.drive()
  await expect(undo(queue, waits, true)).rejects.toMatchObject({ code: 'NOT_UNDONE' })
  await undo(queue, waits)
  // Opened again before its turn: its work is wanted there.
  const { tasks } = queue.services(queue.database)
  await tasks.move(waits, 'in_progress', HUB)
  await queue.drive()
  expect(readFileSync(queue.repo.at('b'), 'utf8')).toBe('two\n')
  expect((await queue.list(true))[0]).toMatchObject({ kind: 'undo', outcome: 'withdrawn' })
  await expect(undo(queue, waits)).rejects.toMatchObject({ code: 'NOT_MERGED' })
})

test.each(databases)('work that a pull request merged is reverted where that was merged (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  const elsewhere = { base_before: null, commit_id: null }
  await queue.database.tx(tx => tx.tables<MergeTables>().updateTable('merges').set(elsewhere).execute())
  await expect(undo(queue, id)).rejects.toMatchObject({ code: 'MERGED_ELSEWHERE' })
  expect(await queue.list()).toEqual([])
})

test.each(databases)('a base that lost the merge has nothing to undo, and the queue goes on (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  queue.repo.git('reset', '-q', '--hard', 'HEAD~1')
  await undo(queue, id)
  const tip = queue.repo.git('rev-parse', 'main')
  await queue.drive()
  expect(queue.repo.git('rev-parse', 'main')).toBe(tip)
  expect((await queue.list(true))[0]).toMatchObject({ kind: 'undo', outcome: 'withdrawn' })
  expect(await queue.list()).toEqual([])
})

test.each(databases)('a hub that was killed after the base moved finishes the undo (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  await undo(queue, id)
  await expect(
    queue
      .hub('here', step => {
        if (step === 'merge-moved') throw new Error('killed')
      })
      .step(),
  ).resolves.toBeDefined()
  const again = queue.hub()
  await again.recover()
  await queue.drive(again)
  expect(messages(queue)).toHaveLength(3)
  expect(await stage(queue, id)).toEqual({ status: 'todo', accepted: false, merged: false })
})

test.each(databases)('a task that was called done without its undone merge can have it back (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  const first = await undo(queue, id)
  await queue.drive()
  const { tasks } = queue.services(queue.database)
  await tasks.move(id, 'done', HUB)
  expect(await undo(queue, id)).toMatchObject({ id: first.id, outcome: 'merged' })
  await undo(queue, id, true)
  await queue.drive()
  expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('1\ntwo\nthree\nfour\nfive\n')
  expect(await stage(queue, id)).toEqual({ status: 'done', accepted: true, merged: true })
})

test.each(databases)('an undo that waits when rows are imported leaves its task merged (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  const imported = () => queue.database.tx(tx => queue.services(tx).merges.imported(tx))
  await undo(queue, id)
  await imported()
  expect((await queue.list(true))[0]).toMatchObject({ kind: 'undo', outcome: 'withdrawn' })
  expect(await stage(queue, id)).toEqual({ status: 'done', accepted: true, merged: true })
  await undo(queue, id)
  await queue.drive()
  await undo(queue, id, true)
  await imported()
  expect(await stage(queue, id)).toEqual({ status: 'todo', accepted: false, merged: false })
})

test.each(databases)('a task that is deleted while its undo waits is not open afterwards (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  const { tasks } = queue.services(queue.database)
  await undo(queue, id)
  await tasks.delete(id, HUB)
  await queue.drive()
  expect(readFileSync(queue.repo.at('a'), 'utf8')).toBe('one\ntwo\nthree\nfour\nfive\n')
  expect(await stage(queue, id)).toEqual({ status: 'cancelled', accepted: false, merged: false })
})

test.each(databases)('accepted work that is deleted before it is queued is not merged (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await queue.task(folder => folder.write('b', 'two\n'))
  const { tasks } = queue.services(queue.database)
  await tasks.delete(id, HUB)
  await expect(queue.enqueue(id)).rejects.toMatchObject({ code: 'TASK_DELETED' })
  await expect(queue.enqueue(id, 'snp_1' as SnapshotId)).rejects.toMatchObject({ code: 'TASK_DELETED' })
  await tasks.restore(id, HUB)
  await queue.enqueue(id)
  await queue.drive()
  expect(readFileSync(queue.repo.at('b'), 'utf8')).toBe('two\n')
})

test.each(databases)('a merge of another machine is still there when its undo failed (%s)', async kind => {
  await using queue = await Queue.open(kind)
  const id = await merged(queue, '1\ntwo\nthree\nfour\nfive\n')
  const { merges } = queue.services(queue.database)
  queue.elsewhere.add('wt_1')
  const [there] = await merges.mergedAway([id])
  expect(there).toMatchObject({ taskId: id })
  queue.elsewhere.clear()
  queue.check = async () => ({ outcome: 'failed', check: 'test' })
  await undo(queue, id)
  await queue.drive()
  queue.elsewhere.add('wt_1')
  expect(await merges.mergedAway([id])).toEqual([there])
})
