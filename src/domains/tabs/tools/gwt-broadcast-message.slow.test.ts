import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { callBy, invoke } from '#test/scene.ts'
import { answer, launch, refusesTab, STRANGER, TabShop } from '#test/tabs.ts'

test('sends to every live tab that the caller may see, and to no other', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  expect(answer(await hub.call('gwt_broadcast_message', { message: 'anyone?' }))).toEqual({
    sent_count: 0,
    message_ids: [],
  })
  const [a, b, ended] = [await launch(hub, 'a'), await launch(hub, 'b'), await launch(hub, 'c')]
  answer(await hub.call('gwt_stop_tab', { tab_id: ended }))
  const { sent_count, message_ids } = answer(await hub.call('gwt_broadcast_message', { message: 'wait' }))
  expect([sent_count, new Set(message_ids as string[]).size]).toEqual([2, 2])
  await until(() => [a, b].every(tab => shop.lines(tab).length === 1))
  for (const tab of [a, b]) expect(shop.lines(tab)).toEqual(['[gwt msg from operator]: wait'])
  const stranger = await invoke(hub, 'gwt_broadcast_message', { message: 'x' }, callBy(STRANGER))
  expect(stranger).toMatchObject({ ok: true, value: { sent_count: 0 } })
  await refusesTab(hub, 'gwt_broadcast_message', [
    [{ message: '' }, 'INVALID_ARGUMENT', /nothing in it/],
    [{}, 'INVALID_ARGUMENT', /message/],
  ])
})
