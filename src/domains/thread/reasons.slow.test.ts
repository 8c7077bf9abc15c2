// Why a task or a merge stands still is stored as a fact, and said at every door in the language of its reader.
import { expect, test } from 'vitest'
import { Blocked, MergeNeeds } from '#contract/why.ts'
import { databases, type TestHub } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, put, reached, report, rows } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

/** As a page or a command line that reads Japanese asks. */
async function inJapanese<T>(hub: TestHub, operation: string, input: object): Promise<T> {
  const body = JSON.stringify(input)
  const answer = await hub.fetch(`/api/${operation}`, { method: 'POST', headers: { 'accept-language': 'ja' }, body })
  return (await answer.json()) as T
}

type Said = { blocked_reason: string | null }

test.each(databases)('why a task is blocked is a fact, and each door says it in its language (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
    put(path, 'cart', 'x')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    await report(shop)
    const en = (await reached(hub, 'blocked')).blocked_reason
    expect(en).toMatch(/^Check test failed twice on the same files: .* `toryo run logs shop-1 --check test` shows/)
    const [row] = await rows(hub, 'tasks')
    const evidence = (await rows(hub, 'evidence')).at(-1)
    expect(row).toMatchObject({ blocked_reason: null })
    expect(Blocked.parse(JSON.parse(String(row?.['blocked_facts'])))).toEqual({
      ...{ kind: 'check-unchanged', handle: 'shop-1', check: 'test' },
      evidence: evidence?.['id'],
    })
    const moved = eventsOf(await rowsOf(hub, 'events'), 'task.moved').at(-1)
    expect(moved).toMatchObject({ to: 'blocked', reason: en, why: { kind: 'check-unchanged' } })

    const ja = expect.stringMatching(/^チェック test が同じファイルに対して 2 回失敗しました。/)
    const shown = await inJapanese<Said>(hub, 'task.show', { task_id })
    expect(shown.blocked_reason).toEqual(ja)
    const { cards } = await inJapanese<{ cards: Said[] }>(hub, 'task.cards', { ids: [task_id] })
    expect(cards).toMatchObject([{ blocked_reason: ja }])
    const { tasks } = await inJapanese<{ tasks: Said[] }>(hub, 'task.list', { status: 'blocked' })
    expect(tasks).toMatchObject([{ blocked_reason: ja }])
    const { items } = await inJapanese<{ items: unknown[] }>(hub, 'inbox.list', {})
    expect(items).toMatchObject([{ kind: 'blocked', detail: ja, check: { name: 'test' } }])
    expect((await hub.api('task.cards', { ids: [task_id] as never })).cards).toMatchObject([{ blocked_reason: en }])
    const reader = await hub.connect({ lang: 'ja' })
    expect((await reader.call('get_task', { task_id })).body).toMatchObject({ task: { blocked_reason: ja } })
    expect((await hub.call('get_task', { task_id })).body).toMatchObject({ task: { blocked_reason: en } })

    await hub.api('task.answer', { task_id, answer: 'Leave the cart alone.' })
    const asked = await inJapanese<{ answers: unknown[] }>(hub, 'task.show', { task_id })
    expect(asked.answers).toMatchObject([{ question: ja, answer: 'Leave the cart alone.' }])
    expect((await hub.api('task.show', { task_id })).answers).toMatchObject([{ question: en }])

    // In words it stays as it was written, whoever reads it.
    await hub.api('task.move', { task_id, status: 'blocked', reason: 'Ask Kim first' })
    expect((await rows(hub, 'tasks'))[0]).toMatchObject({ blocked_reason: 'Ask Kim first', blocked_facts: null })
    expect(await inJapanese(hub, 'task.show', { task_id })).toMatchObject({ blocked_reason: 'Ask Kim first' })
  })
})

test.each(databases)('what the hub says of a check, and what a merge waits for, are facts (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path, repo } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['no-such-program'] })
    put(path, 'README', 'shop, by the agent\n')
    await report(shop)
    expect((await reached(hub, 'blocked')).blocked_reason).toMatch(
      /^Check test .*: no-such-program was not found\. Fix/,
    )
    const [evidence] = await rows(hub, 'evidence')
    expect(evidence).toMatchObject({ tail: '', outcome: 'not_started' })
    expect(JSON.parse(String(evidence?.['remark']))).toEqual({ kind: 'not-found', program: 'no-such-program' })
    const shown = await inJapanese<Said & { evidence: unknown[] }>(hub, 'task.show', { task_id })
    expect(shown.blocked_reason).toMatch(
      /^チェック test を開始できませんでした: no-such-program が見つかりません。原因/,
    )
    expect(shown.evidence).toMatchObject([{ tail: 'no-such-program が見つかりません' }])

    await hub.api('project.check.remove', { project_id, name: 'test' })
    repo.write('README', 'unsaved by a person')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await until(async () => (await hub.api('merge.list', {})).merges[0]?.waits)
    const [merge] = await rows(hub, 'merges')
    const needs = MergeNeeds.parse(JSON.parse(String(merge?.['waits'])))
    expect(needs).toMatchObject({ kind: 'dirty', base: 'main', files: ['README'], more: false })
    const { merges } = await inJapanese<{ merges: { waits: string }[] }>(hub, 'merge.list', {})
    expect(merges[0]?.waits).toContain('マージで上書きされるファイルに未保存の変更があります: README')
    const waited = eventsOf(await rowsOf(hub, 'events'), 'merge.waits').at(-1)
    expect(waited).toMatchObject({ reason: expect.stringContaining('is checked out in'), needs: { kind: 'dirty' } })
  })
})

test.each(databases)('an undo that failed is no reason why its task comes back, or waits (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path, repo } = shop
    put(path, 'cart', 'one\n')
    await report(shop)
    await reached(hub, 'review')
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    repo.write('cart', 'by hand\n')
    repo.commit('by hand')
    await hub.api('task.undo_merge', { task_id })
    await until(async () => (await hub.api('task.show', { task_id })).merge?.outcome === 'conflict')
    await hub.api('task.move', { task_id, status: 'blocked' })
    expect((await hub.api('inbox.list', {})).items.filter(({ kind }) => kind === 'blocked')).toMatchObject([
      { task_id, merge: null },
    ])
    await hub.api('task.move', { task_id, status: 'in_progress' })
    expect((await hub.api('task.show', { task_id })).returned).toBeNull()
    expect((await report(shop))['returned']).toBeUndefined()
    await reached(hub, 'review')
    const { items } = await hub.api('inbox.list', {})
    expect(items.filter(({ kind }) => kind === 'review')).toMatchObject([{ task_id, merge: null, detail: null }])
  })
})
