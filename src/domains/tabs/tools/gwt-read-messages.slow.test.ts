import { expect, test } from 'vitest'
import { callBy, invoke } from '#test/scene.ts'
import { answer, launch, refusesTab, STRANGER, TabShop } from '#test/tabs.ts'

test('reads what was sent to a tab, also before it is typed there, from where one left off', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a')
  await shop.show(hub, tab, 'menu', '1. Yes')
  const ids: unknown[] = []
  for (const message of ['one', 'two', 'three'])
    ids.push(answer(await hub.call('gwt_send_message', { target_tab_id: tab, message }))['message_id'])
  const read = async (args: Record<string, unknown>) => {
    const { messages, truncated } = answer(await hub.call('gwt_read_messages', { tab_id: tab, ...args }))
    return [(messages as { message: string }[]).map(({ message }) => message), truncated]
  }
  expect(await read({})).toEqual([['one', 'two', 'three'], false])
  expect(await read({ limit: 1 })).toEqual([['three'], false])
  expect(await read({ after: ids[0], limit: 1 })).toEqual([['two'], true])
  expect(await read({ after: ids[2] })).toEqual([[], false])
  await refusesTab(hub, 'gwt_read_messages', [
    [{ tab_id: 'tab_no' }, 'TAB_NOT_FOUND', /Tab tab_no not found/],
    [{}, 'INVALID_ARGUMENT', /name one with tab_id/],
    [{ tab_id: tab, after: 'msg_no' }, 'INVALID_ARGUMENT', /not a message of this tab/],
    [{ tab_id: tab, limit: 0 }, 'INVALID_ARGUMENT', /limit/],
  ])
  const other = await invoke(hub, 'gwt_read_messages', { tab_id: tab }, callBy(STRANGER))
  expect(other).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } })
})
