// Review by people: what they see, comments gathered and sent with a verdict, and what reaches the agent.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, newTask, put, reached, report, rows } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

test.each(databases)('comments go out with the verdict, reach the agent, and are answered (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['echo', 'all', 'good'] })
    put(path, 'src/cart.ts', 'export const cart = []\n')
    put(path, 'package-lock.json', '{}\n')
    await report(shop, { summary: 'A cart' })
    await reached(hub, 'review')
    const review = await hub.api('task.review', { task_id })
    expect(review).toMatchObject({
      stage: 'review',
      snapshot: {
        summary: 'A cart',
        taken: true,
        changed_files: 2,
        flagged: [{ path: 'package-lock.json', why: 'lock' }],
      },
      evidence: [{ check: 'test', outcome: 'passed', tail: 'all good' }],
      files: [
        { path: 'package-lock.json', status: 'added' },
        { path: 'src/cart.ts', status: 'added' },
      ],
      untrusted: [],
      remarks: [],
      truncated: false,
    })
    expect(review.diff).toContain('+export const cart = []')

    const first = await hub.api('task.comment', { task_id, path: 'src/cart.ts', from_line: 1, text: 'Name it items' })
    const wrong = await hub.api('task.comment', { task_id, text: 'Never mind' })
    await hub.api('task.uncomment', { comment_id: wrong.comment_id })
    expect(await hub.api('task.comments', { task_id })).toMatchObject({
      comments: [{ draft: true, from_line: 1, to_line: 1 }],
    })
    // A draft is visible to its author only.
    const back = await hub.api('task.verdict', { task_id, decision: 'changes', summary: 'Almost' })
    expect(back).toMatchObject({
      status: 'in_progress',
      stage: 'working',
      verdict: { decision: 'changes', by: 'operator' },
    })
    put(path, 'src/cart.ts', 'export const items = []\n')
    const got = await report(shop, { answers: [{ comment_id: first.comment_id, answer: 'Renamed' }] })
    expect(got['returned']).toEqual({
      why: 'changes',
      summary: 'Almost',
      comments: [{ comment_id: first.comment_id, path: 'src/cart.ts', lines: '1', text: 'Name it items' }],
    })
    await reached(hub, 'review')
    const again = await hub.api('task.review', { task_id })
    expect(again.comments).toMatchObject([{ text: 'Name it items', draft: false, answer: 'Renamed' }])
    expect(again.diff).toContain('+export const items = []')
    // A reviewer who still has the first report on the screen decides nothing about the second.
    const seen = { task_id, decision: 'accept', commit: review.snapshot?.commit }
    const stale = { task_id, path: 'src/cart.ts', from_line: 1, text: 'Of the first', commit: seen.commit ?? '' }
    await expect(hub.api('task.comment', stale)).rejects.toThrow('REVIEW_OUTDATED')
    const late = await hub.fetch('/api/task.verdict', { method: 'POST', body: JSON.stringify(seen) })
    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ error: { code: 'REVIEW_OUTDATED' } })
    expect(await rows(hub, 'verdicts')).toHaveLength(1)
    const accepted = await hub.api('task.verdict', {
      ...{ task_id, decision: 'accept', summary: 'Thanks' },
      commit: again.snapshot?.commit ?? undefined,
    })
    expect(accepted).toMatchObject({ status: 'done', verdict: { decision: 'accept' } })
    const told = await rowsOf(hub)
    expect(eventsOf(told, 'task.returned')).toEqual([{ taskId: task_id, why: 'changes', count: 1 }])
    expect(eventsOf(told, 'verdict.given').map(fact => fact['decision'])).toEqual(['changes', 'accept'])
    expect(eventsOf(told, 'comment.answered')).toHaveLength(1)
  })
})

test('a held file that a person lets in comes into a new snapshot, which is checked again', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    put(path, 'fixtures/server.pem', 'not a real one')
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    const before = await hub.api('task.review', { task_id })
    expect(before.snapshot?.held).toMatchObject([{ path: 'fixtures/server.pem', why: 'secret' }])
    expect(before.remarks.join()).toContain('--include')
    await hub.api('task.include', { task_id, paths: ['fixtures/server.pem'] })
    await reached(hub, 'review')
    const after = await hub.api('task.review', { task_id })
    expect(after.snapshot).toMatchObject({ cause: 'asked', held: [], summary: 'Done' })
    expect(after.evidence).toMatchObject([{ outcome: 'passed', tree: after.snapshot?.tree }])
    expect(repo.git('ls-tree', '-r', '--name-only', String(after.snapshot?.commit))).toContain('fixtures/server.pem')
    // And stays in at the next report.
    await hub.api('task.verdict', { task_id, decision: 'changes', summary: 'More' })
    await report(shop)
    await reached(hub, 'review')
    expect((await hub.api('task.review', { task_id })).snapshot?.held).toEqual([])
  })
})

test('a person may accept what a check keeps back, and nothing that was not reported', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    const verdict = (decision: 'accept' | 'changes', summary?: string) =>
      hub.api('task.verdict', { task_id, decision, summary })
    await expect(verdict('accept')).rejects.toThrow('NOTHING_TO_REVIEW')
    await expect(hub.api('task.review', { task_id })).rejects.toThrow('NOTHING_TO_REVIEW')
    await hub.api('project.check.add', { project_id, name: 'test', command: ['no-such-program'] })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'blocked')
    await expect(verdict('changes')).rejects.toThrow('Say what should change')
    expect(await verdict('accept', 'Checked by hand')).toMatchObject({ status: 'done', blocked_reason: null })
    await expect(verdict('accept')).rejects.toThrow('NOTHING_TO_REVIEW')
    expect(await rows(hub, 'verdicts')).toHaveLength(1)
  })
})

test('a check that is added changes nothing that a person looks at: the work that was seen is kept, and goes back', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    put(path, 'cart', 'seen by the person')
    await report(shop)
    await reached(hub, 'review')
    const { snapshot } = await hub.api('task.review', { task_id })
    const commit = String(snapshot?.commit)
    put(path, 'cart', 'swapped in')
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    await until(async () => (await rows(hub, 'evidence'))[0]?.['ended_at'])
    expect(await rows(hub, 'snapshots')).toMatchObject([{ commit_id: commit }])
    expect(repo.git('for-each-ref', '--points-at', commit)).toContain('refs/toryo/snapshots/')
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    await expect(hub.api('task.verdict', { task_id, decision: 'accept', commit })).rejects.toThrow('NOTHING_TO_REVIEW')
    expect(await rows(hub, 'merges')).toEqual([])
  })
})

test('files that change before they are checked make a snapshot of their own, and a verdict on the other is refused', async () => {
  let folder: string | undefined
  const swap = (step: string) => {
    if (step !== 'snapshot-stored' || folder === undefined) return
    put(folder, 'cart', 'written later')
    folder = undefined
  }
  await inShop({ thread: { reached: swap } }, async shop => {
    const { hub, path, repo } = shop
    put(path, 'cart', 'reported')
    folder = path
    await report(shop)
    await reached(hub, 'review')
    const all = await rows(hub, 'snapshots')
    const [first, second] = all.map(row => String(row['commit_id']))
    expect(all).toHaveLength(2)
    // Nothing is lost: both are kept.
    expect(repo.git('show', `refs/toryo/snapshots/${String(all[0]?.['id'])}:cart`)).toBe('reported')
    expect(repo.git('show', `refs/toryo/snapshots/${String(all[1]?.['id'])}:cart`)).toBe('written later')
    expect((await hub.api('task.review', { task_id })).snapshot?.commit).toBe(second)
    for (const decision of ['accept', 'changes'] as const)
      await expect(hub.api('task.verdict', { task_id, decision, summary: 'Seen', commit: first })).rejects.toThrow(
        'REVIEW_OUTDATED',
      )
    const comment = { task_id, path: 'cart', from_line: 1, text: 'Of the other' }
    await expect(hub.api('task.comment', { ...comment, commit: first })).rejects.toThrow('REVIEW_OUTDATED')
    expect(await rows(hub, 'comments')).toEqual([])
    await hub.api('task.comment', { ...comment, commit: second?.slice(0, 12) })
    expect((await rows(hub, 'comments')).map(row => row['snapshot_id'])).toEqual([all[1]?.['id']])
    const accepted = await hub.api('task.verdict', { task_id, decision: 'accept', commit: second?.slice(0, 12) })
    expect(accepted.verdict.decision).toBe('accept')
    // It holds for what was seen, whatever is written after it.
    put(path, 'cart', 'after the verdict')
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('written later')
  })
})

test('comments that name no place, and those of others, are refused', async () => {
  await inShop({}, async ({ hub }) => {
    await expect(hub.api('task.comment', { task_id, from_line: 3, text: 'x' })).rejects.toThrow('INVALID_ARGUMENT')
    const lines = { path: 'a', from_line: 3, to_line: 2 }
    await expect(hub.api('task.comment', { task_id, ...lines, text: 'x' })).rejects.toThrow('INVALID_ARGUMENT')
    await expect(hub.api('task.uncomment', { comment_id: 'cmt_none' })).rejects.toThrow('COMMENT_NOT_FOUND')
    await expect(hub.api('evidence.show', { evidence_id: 'evd_none' })).rejects.toThrow('EVIDENCE_NOT_FOUND')
  })
})

test('the log of a check is read as that of a run', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['echo', 'hello'] })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    const [evidence] = await rows(hub, 'evidence')
    expect(await hub.api('run.logs', { run_id: String(evidence?.['id']) })).toMatchObject({ text: 'hello\n' })
    expect(await hub.api('evidence.show', { evidence_id: String(evidence?.['id']) })).toMatchObject({
      check: 'test',
      tail: 'hello',
    })
    await expect(hub.api('run.logs', { run_id: 'evd_none' })).rejects.toThrow('EVIDENCE_NOT_FOUND')
  })
})

test.each(databases)(
  'a conflict reaches the agent with both sides; so does a check that fails merged (%s)',
  async database => {
    await inShop({ database, settings: { accept: 'checks' } }, async shop => {
      const { hub, path, repo } = shop
      // It does not name the file: work that changes what a check names waits for a person.
      const command = ['sh', '-c', 'test ! -e car? || test ! -e person || { echo not together; exit 3; }']
      await hub.api('project.check.add', { project_id, name: 'test', command })
      repo.write('README', 'by a person\n')
      repo.commit()
      put(path, 'README', 'by the agent\n')
      await report(shop)
      await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
      put(path, 'README', 'shop\n')
      put(path, 'cart', 'x')
      repo.write('person', 'x')
      repo.commit()
      const first = await report(shop)
      expect(first['returned']).toEqual({
        why: 'conflict',
        summary: null,
        base: 'main',
        conflicts: [
          { path: 'README', kind: 'contents', ours: '@@ 1 @@\nby a person\n', theirs: '@@ 1 @@\nby the agent\n' },
        ],
      })
      expect(first['instruction']).toContain('`git merge main`')
      await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 2)
      const second = await report(shop)
      const ran = { name: 'test', command, ran_in: 'clean_checkout', outcome: 'failed', exit_code: 3 }
      const failed = { ...ran, tail: expect.stringMatching(/^not together\nIt ran in a clean checkout/) }
      expect(second['returned']).toEqual({ why: 'checks', summary: null, base: 'main', checks: [failed] })
    })
  },
)

test('a task that depends on accepted work begins when that is on the base', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    await newTask(shop, 'tsk_till')
    await hub.api('task.link', { task_id: 'tsk_till', depends_on: [task_id] })
    put(path, 'README', 'with a cart\n')
    repo.write('README', 'not saved\n')
    await report(shop)
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await until(async () => (await rows(hub, 'merges'))[0]?.['waits'])
    const waiting = await hub.api('task.show', { task_id: 'tsk_till' })
    expect(waiting.stage).toBe('waiting')
    expect(waiting.not_started).toBe('It waits for shop-1 (queued) and is started when that is accepted and merged.')
    expect((await hub.call('should_start', { agent_id: 'agt_kim', project_id })).body['should_start']).toBe(false)
    repo.git('checkout', '-q', 'README')
    await hub.api('task.merge', { task_id })
    await reached(hub, 'merged')
    expect((await hub.api('task.show', { task_id: 'tsk_till' })).stage).toBe('working')
  })
})
