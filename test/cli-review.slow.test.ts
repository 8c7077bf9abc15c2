// Checks, reviews and merges, as people enter and see them, in both languages.
import { expect, test } from 'vitest'
import inbox from '#cli/commands/inbox.ts'
import overlaps from '#cli/commands/overlaps.ts'
import queue from '#cli/commands/queue.ts'
import runList from '#cli/commands/run-list.ts'
import runShow from '#cli/commands/run-show.ts'
import taskReview from '#cli/commands/task-review.ts'
import taskShow from '#cli/commands/task-show.ts'
import type { Operation } from '#contract/api.ts'
import { tabFindings } from '#cli/doctor/tabs.ts'
import { fakeIo } from './fake-io.ts'
import { Yard } from './git.ts'
import type { TestHub } from './hub.ts'
import { inShop, put, reached, report } from './thread.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

const ja = { env: { TORYO_LANG: 'ja' } }

/** A project whose folder is a repository with one commit. */
async function addShop(toryo: Toryo, yard: Yard): Promise<void> {
  const repo = yard.repository('shop')
  repo.write('README', 'shop\n')
  repo.commit()
  await toryo.here(['project', 'add', 'shop', '--id', 'shop', '--dir', repo.root])
}

test('checks are added, listed, changed and removed, and a policy without any says what follows', async () => {
  using yard = new Yard()
  await using toryo = new Toryo()
  await addShop(toryo, yard)
  const edit = ['project', 'edit', 'shop', '--accept', 'checks']
  expect((await toryo.here(edit)).out).toContain('It has no required check, so all reported work waits for a person.')
  expect((await toryo.here(edit, ja)).out).toContain(
    '必須のチェックがないため、報告された作業はすべて人の承認を待ちます。',
  )
  const add = ['project', 'check', 'add', 'test', '--project', 'shop', '--', 'npm', 'test']
  expect(await toryo.here(add)).toMatchObject({ code: 0, out: expect.stringContaining('test') })
  expect((await toryo.here(add)).err).toContain('The project has a check test already')
  expect((await toryo.here(add, ja)).err).toContain('既にチェック test があります')
  expect((await toryo.here(edit)).out).not.toContain('no required check')
  const list = ['project', 'check', 'list', '--project', 'shop']
  expect((await toryo.here(list)).out).toMatch(/test +.*npm test/)
  expect((await toryo.here(list, ja)).out).toContain('npm test')
  expect(await toryo.json(...list)).toMatchObject({ checks: [{ name: 'test', command: ['npm', 'test'] }] })
  const change = ['project', 'check', 'edit', 'test', '--project', 'shop']
  expect((await toryo.here(change)).err).toContain('Say what to change: --required, --optional, --minutes')
  const slower = await toryo.here([...change, '--optional', '--minutes', '20', '--', 'npm', 'run', 'test:all'])
  expect(slower).toMatchObject({ code: 0, out: 'Changed check test: npm run test:all (optional, 20 min)\n' })
  expect((await toryo.here([...change, '--required'], ja)).out).toContain('npm run test:all (必須、20 分)')
  expect(await toryo.json(...list)).toMatchObject({
    checks: [{ name: 'test', command: ['npm', 'run', 'test:all'], required: true, minutes: 20 }],
  })
  expect(await toryo.json('project', 'check', 'remove', 'test', '--project', 'shop')).toMatchObject({ name: 'test' })
  const named = ['project', 'check', 'add', 'shop', 'lint', '--', 'npm', 'run', 'lint']
  expect(await toryo.here(named)).toMatchObject({ code: 0, out: 'Added check lint: npm run lint\n' })
  expect(await toryo.here(['project', 'check', 'add', 'shop', 'a', 'b', '--', 'npm'])).toMatchObject({ code: 2 })
  const none = ['project', 'check', 'remove', 'test', '--project', 'shop']
  expect((await toryo.here(none, ja)).err).toContain('チェック test が見つかりません')
})

test('checks of a repository are shown first, and trusted only as they were shown', async () => {
  using yard = new Yard()
  const repo = yard.repository('shop')
  const propose = (...command: string[]) =>
    repo.write('.toryo/config.json', JSON.stringify({ checks: { test: { command } } }))
  propose('npm', 'test')
  repo.commit()
  await using toryo = new Toryo()
  await toryo.here(['project', 'add', 'shop', '--id', 'shop', '--dir', repo.root])
  const trust = ['project', 'check', 'trust', '--project', 'shop']
  const shown = await toryo.here(trust)
  expect(shown).toMatchObject({ code: 1, out: expect.stringMatching(/test +npm test/) })
  const all = shown.out + shown.err
  expect(all).toContain('Nothing has been trusted yet.')
  const seen = /--seen ([0-9a-f]{16})/.exec(all)?.[1] ?? ''
  expect((await toryo.here(trust, ja)).code).toBe(1)
  propose('npm', 'run', 'evil')
  const refused = await toryo.here([...trust, '--seen', seen])
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/test +npm run evil/) })
  expect(refused.out + refused.err).toContain('The checks are not what was shown to you, so nothing was trusted.')
  propose('npm', 'test')
  expect(await toryo.here([...trust, '--seen', seen])).toMatchObject({ code: 0 })
  expect(await toryo.json('project', 'check', 'list', '--project', 'shop')).toMatchObject({
    checks: [{ trusted: true }],
  })
  expect((await toryo.here(trust)).code).toBe(0)
})

test('what was not reported is not reviewed or merged, and says so; comments are drafts', async () => {
  using yard = new Yard()
  await using toryo = new Toryo()
  await addShop(toryo, yard)
  await toryo.here(['agent', 'add', 'Rei', '--id', 'rei', '--engine', 'claude'])
  await toryo.here(['project', 'assign', 'shop', 'rei'])
  await toryo.here(['task', 'add', 'Cart', '--project', 'shop', '--id', 'cart'])
  expect((await toryo.here(['task', 'review', 'shop-1'])).err).toContain('no reported work waits for a verdict')
  expect((await toryo.here(['task', 'review', 'shop-1', '--by', 'rei'], ja)).err).toContain(
    '判定を待っている報告はありません',
  )
  const both = ['task', 'review', 'shop-1', '--accept', '--by', 'rei']
  expect((await toryo.here(both)).err).toContain('Give one of --accept, --changes, --include and --by.')
  expect((await toryo.here(['task', 'merge', 'shop-1'])).err).toContain('not accepted')
  expect((await toryo.here(['task', 'merge', 'shop-1'], ja)).err).toContain('まだ承認されていません')
  const comment = ['task', 'comment', 'shop-1', 'src/a.ts:3-4', 'Use slate']
  expect(await toryo.json(...comment)).toMatchObject({ path: 'src/a.ts', from_line: 3, to_line: 4, draft: true })
  expect((await toryo.here(['queue'])).code).toBe(0)
  expect(await toryo.json('queue')).toMatchObject({ merges: [] })
})

test('`--accept` alone accepts the snapshot that was there when it was asked, and nothing that comes in meanwhile', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    const task_id = 'tsk_cart'
    put(path, 'src/cart.ts', 'export {}\n')
    put(path, '.env', 'TOKEN=1\n')
    await report(shop)
    await reached(hub, 'review')
    let isLate = true
    const call = async (operation: Operation, input: never) => {
      if (operation === 'task.verdict' && isLate) {
        isLate = false
        await hub.api('task.include', { task_id, paths: ['.env'] })
      }
      return hub.api(operation, input)
    }
    const cx = { io: fakeIo(), connect: async () => ({ call }) } as unknown as Parameters<typeof taskReview.run>[0]
    await expect(taskReview.run(cx, { accept: true }, task_id)).rejects.toThrow(/REVIEW_OUTDATED/)
    expect((await hub.api('task.show', { task_id })).verdicts).toEqual([])
    await until(async () => (await hub.api('task.review', { task_id })).snapshot?.taken)
    await taskReview.run(cx, { accept: true }, task_id)
    const { snapshot, verdicts } = await hub.api('task.review', { task_id })
    expect(verdicts).toMatchObject([{ decision: 'accept', snapshot_id: snapshot?.snapshot_id }])
  })
})

/** What a command prints at this hub. */
const saidAt =
  (hub: TestHub) =>
  async (command: { run: unknown }, options: object, ...words: string[]): Promise<string> => {
    const io = fakeIo()
    const cx = { io, global: {}, connect: async () => ({ call: hub.api.bind(hub) }) }
    const run = command.run as (...given: unknown[]) => Promise<{ text: string | (() => string); note?: string }>
    const { text, note = '' } = await run(cx, options, ...words)
    return `${typeof text === 'function' ? text() : text}${note}`
  }

test('what a person changes in the workspace after the report is taken in, or left with a word and kept', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    const said = saidAt(hub)
    const task_id = 'tsk_cart'
    const tree = async () => (await hub.api('task.review', { task_id })).snapshot?.tree
    put(path, 'cart.ts', 'export {}\n')
    await report(shop)
    await reached(hub, 'review')
    const reported = await tree()
    expect(await said(taskReview, {}, task_id)).not.toContain('after the report')
    put(path, 'cart.ts', 'export const mended = 1\n')
    expect(await said(taskReview, {}, task_id)).toContain(
      'Changed in its workspace after the report, and not merged: cart.ts',
    )
    await expect(said(taskReview, { accept: true }, task_id)).rejects.toThrow(/cart\.ts/)
    expect((await hub.api('task.show', { task_id })).stage).toBe('review')
    // Taken in, it is a snapshot of its own, which is checked and reviewed.
    await said(taskReview, { retake: true }, task_id)
    await until(async () => (await tree()) !== reported && (await tree()))
    await reached(hub, 'review')
    expect((await hub.api('task.review', { task_id })).changed_since).toEqual([])

    put(path, 'notes.md', 'not a part of it\n')
    await said(taskReview, { accept: true, anyway: true }, task_id)
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart.ts')).toContain('mended')
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('notes.md')
    const trash = async () => (await hub.api('worktree.list', { trashed: true })).worktrees
    const [kept] = await until(async () => (await trash()).length > 0 && trash())
    expect(kept).toMatchObject({ branch: 'toryo/shop-1-build-the-cart', purge_at: null })
    const findings = await tabFindings({ call: hub.api.bind(hub) } as never, Date.now())
    expect(findings.find(({ check }) => check === `worktree.${kept?.worktree_id}`)?.text.en).toContain(
      'had changes that no report has',
    )
  })
})

test('work that does not merge says so wherever one decides, and is accepted only by a second word', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    put(path, 'README', 'shop, by the agent\n')
    await report(shop)
    await reached(hub, 'review')
    repo.write('README', 'shop, by a person\n')
    repo.commit()
    const said = saidAt(hub)
    // Before anybody has tried: with both sides.
    const review = await said(taskReview, {}, 'tsk_cart')
    for (const text of ['Does not merge with main', 'README: contents', 'shop, by a person', 'shop, by the agent'])
      expect(review).toContain(text)
    await expect(said(taskReview, { accept: true }, 'tsk_cart')).rejects.toThrow(/does not merge with main/)
    expect((await hub.api('task.show', { task_id: 'tsk_cart' })).stage).toBe('review')

    await said(taskReview, { accept: true, anyway: true }, 'tsk_cart')
    await until(async () => (await hub.api('task.show', { task_id: 'tsk_cart' })).merge?.outcome === 'conflict')
    const project = { project: 'prj_shop' }
    for (const command of [queue, overlaps])
      expect(await said(command, project)).toContain('↩ shop-1: does not merge with main (README); back to Kim')
    expect(await said(taskShow, {}, 'tsk_cart')).toContain('it conflicts with main in README')

    await report(shop, { summary: 'Once more' })
    await reached(hub, 'review')
    expect(await said(inbox, project)).toContain('Before this report it did not merge with main (README).')
    expect(await said(taskShow, {}, 'tsk_cart')).toContain(
      'Its last merge failed: it does not merge with main (README).',
    )
    expect(await said(queue, project)).toContain('(README); reported again')
    await hub.api('task.move', { task_id: 'tsk_cart', status: 'cancelled' })
    expect(await said(queue, project)).not.toContain('↩')
  })
})

test('a question is no failure of its run, and a failed check offers what a person can do', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    const said = saidAt(hub)
    await report(shop, { result: 'blocked', summary: 'Cookie or bearer?' })
    const project = { project: 'prj_shop', limit: 20 }
    const list = await said(runList, project)
    expect(list).toMatch(/asked +/)
    expect(list).not.toContain('failed')
    const show = await said(runShow, {}, 'tsk_cart')
    expect(show).toMatch(/status +asked/)
    expect((await hub.api('work.list', { ended: 1 })).work[0]).toMatchObject({ status: 'failed', result: 'blocked' })

    await hub.api('project.check.add', { project_id: 'prj_shop', name: 'test', command: ['false'] })
    await hub.api('task.answer', { task_id: 'tsk_cart', answer: 'Cookie' })
    for (const count of [1, 2, 3, 4]) {
      put(path, 'src/cart.ts', `export const n = ${count}\n`)
      await report(shop)
      await reached(hub, count === 4 ? 'blocked' : 'working')
    }
    const inboxText = await said(inbox, project)
    for (const command of ['task answer shop-1 "…"', 'run logs shop-1 --check test', 'task review shop-1 --accept'])
      expect(inboxText).toContain(`→ toryo ${command}`)
    expect(inboxText).toContain('→ toryo task start shop-1 --agent <agent>')
    const [evidence] = (await hub.api('task.show', { task_id: 'tsk_cart' })).evidence
    const check = await said(runShow, {}, evidence?.evidence_id ?? '')
    expect(check).toMatch(/^test\n/)
    expect(check.split('\n')[0]).not.toContain('evd_')
    // Each of them does what it says.
    await said(taskReview, { accept: true }, 'tsk_cart')
    await until(async () => (await hub.api('task.show', { task_id: 'tsk_cart' })).merge?.outcome === 'failed')
  })
})
