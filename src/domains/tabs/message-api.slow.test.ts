// What a page asks of tabs and their messages: what is on a screen, what was said by whom to whom, and what can still be taken back.
import { expect, test } from 'vitest'
import { databases, type TestHub } from '#test/hub.ts'
import { until } from '#test/bridge/world.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { answer, becomes, git, launch, TabShop } from '#test/tabs.ts'

const send = async (hub: TestHub, tab_id: string, message: string) =>
  (await hub.api('tab.send', { tab_id, message })).messages[0]?.message_id ?? ''

const stateOf = async (hub: TestHub, tab_id: string, id: string) =>
  (await hub.api('message.list', { tab_id })).messages.find(({ message_id }) => message_id === id)?.state

async function refusal(hub: TestHub, operation: string, input: object): Promise<[status: number, code: string]> {
  const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
}

test.each(databases)('messages are listed newest first, by tab and by project, in pages (%s)', async database => {
  await using shop = new TabShop({ database })
  const hub = await shop.hub()
  const b = await launch(hub, 'b')
  const a = await launch(hub, 'a', {
    prompt: `!call gwt_send_message ${JSON.stringify({ target_tab_id: b, message: 'from a' })}`,
  })
  await until(() => shop.lines(b).length === 1)
  const sent = [await send(hub, a, 'one'), await send(hub, a, 'two')]
  await until(async () => (await stateOf(hub, a, sent[1] ?? '')) === 'delivered')

  // To a tab or by it; its first prompt is none.
  const ofA = (await hub.api('message.list', { tab_id: a })).messages
  expect(ofA.map(({ from, to, message }) => [from, to, message])).toEqual([
    ['operator', a, 'two'],
    ['operator', a, 'one'],
    [a, b, 'from a'],
  ])
  const first = await hub.api('message.list', { project_id: shop.projectId, limit: 2 })
  expect(first.messages.map(({ message }) => message)).toEqual(['two', 'one'])
  const rest = await hub.api('message.list', { project_id: shop.projectId, cursor: first.next_cursor ?? '' })
  expect(rest.messages.map(({ message }) => message)).toEqual(['from a'])
  expect(rest.next_cursor).toBeUndefined()
  await hub.api('project.add', { id: 'prj_other', name: 'other' })
  expect((await hub.api('message.list', { project_id: 'prj_other' })).messages).toEqual([])
  expect(await refusal(hub, 'message.list', { tab_id: 'tab_no' })).toEqual([404, 'TAB_NOT_FOUND'])
})

test.each(databases)('a queued message is cancelled once and never typed; a typed one is not (%s)', async database => {
  await using shop = new TabShop({ database })
  const hub = await shop.hub()
  const tab = await launch(hub, 'a')
  await becomes(hub, tab, 'idle')
  const delivered = await send(hub, tab, 'taken')
  await until(async () => (await stateOf(hub, tab, delivered)) === 'delivered')

  await shop.show(hub, tab, 'menu', 'Run this command?')
  const [first, second] = [await send(hub, tab, 'not this'), await send(hub, tab, 'but this')]
  expect(await hub.api('message.cancel', { message_id: first })).toMatchObject({
    state: 'undeliverable',
    reason: 'cancelled',
  })
  // Again: nothing more happens.
  expect(await hub.api('message.cancel', { message_id: first })).toMatchObject({ reason: 'cancelled' })
  expect(eventsOf(await rowsOf(hub, 'events'), 'message.undeliverable')).toEqual([
    { messageId: first, tabId: tab, from: 'operator', reason: 'cancelled' },
  ])
  expect(await refusal(hub, 'message.cancel', { message_id: delivered })).toEqual([409, 'MESSAGE_NOT_QUEUED'])
  expect(await refusal(hub, 'message.cancel', { message_id: 'msg_no' })).toEqual([404, 'MESSAGE_NOT_FOUND'])

  await shop.show(hub, tab, 'prompt', '> ')
  await until(async () => (await stateOf(hub, tab, second)) === 'delivered')
  expect(shop.lines(tab)).toEqual(['[gwt msg from operator]: taken', '[gwt msg from operator]: but this'])
  expect(await stateOf(hub, tab, first)).toBe('undeliverable')
})

test('a tab cannot cancel a message, nor look at a screen by these operations', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a')
  await becomes(hub, tab, 'idle')
  const { TORYO_TAB_TICKET = '' } = shop.notesOf<{ env: Record<string, string> }>(tab, 'start')[0]?.env ?? {}
  for (const operation of ['message.list', 'message.cancel', 'tab.screen', 'branch.list']) {
    const headers = { authorization: `Bearer ${TORYO_TAB_TICKET || 'ttk_none'}`, 'x-toryo-connection': 'c' }
    const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: '{}', headers })
    expect([401, 403], operation).toContain(response.status)
  }
})

test('the screen of a live tab is what it shows now, of an ended one what it showed last', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a')
  await becomes(hub, tab, 'idle')
  await shop.show(hub, tab, 'menu', 'Run this command?')
  await until(async () => (await hub.api('tab.screen', { tab_id: tab })).status === 'waiting')
  const { lines } = await hub.api('tab.screen', { tab_id: tab })
  expect(lines).toEqual(expect.arrayContaining(['Run this command?', '1. Yes', '2. No']))
  answer(await hub.call('gwt_stop_tab', { tab_id: tab }))
  const last = await hub.api('tab.screen', { tab_id: tab })
  expect(last.status).toBe('exited')
  expect(last.lines.join('\n')).toContain('Run this command?')
  expect(await refusal(hub, 'tab.screen', { tab_id: 'tab_no' })).toEqual([404, 'TAB_NOT_FOUND'])
})

test('branches are listed with the newest first, and what is checked out somewhere is marked', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  git(shop.repository, 'branch', '機能/ログイン')
  const later = ['-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'later']
  git(shop.repository, 'checkout', '-q', '-b', 'newer')
  process.env['GIT_COMMITTER_DATE'] = '2030-01-01T00:00:00Z'
  try {
    git(shop.repository, ...later)
  } finally {
    delete process.env['GIT_COMMITTER_DATE']
  }
  git(shop.repository, 'checkout', '-q', 'main')
  const { branches, current, truncated } = await hub.api('branch.list', { project_id: shop.projectId })
  expect([current, truncated]).toEqual(['main', false])
  expect(branches[0]).toEqual({ name: 'newer', committed_at: '2030-01-01T00:00:00.000Z', checked_out: false })
  expect(branches.map(({ name }) => name).toSorted()).toEqual(['main', 'newer', '機能/ログイン'])
  expect(branches.find(({ name }) => name === 'main')?.checked_out).toBe(true)
  await hub.api('project.add', { id: 'prj_bare', name: 'bare' })
  expect(await refusal(hub, 'branch.list', { project_id: 'prj_bare' })).toEqual([400, 'NOT_A_REPOSITORY'])
  expect(await refusal(hub, 'branch.list', { project_id: 'prj_no' })).toEqual([404, 'PROJECT_NOT_FOUND'])
})
