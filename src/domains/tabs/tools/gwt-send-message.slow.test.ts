import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { answer, becomes, launch, refusesTab, TabShop } from '#test/tabs.ts'

test('a message is stored, and typed as one line once the tab is ready for it', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const [tab, ended] = [await launch(hub, 'a'), await launch(hub, 'b')]
  answer(await hub.call('gwt_stop_tab', { tab_id: ended }))
  await becomes(hub, tab, 'idle')
  const sent = answer(await hub.call('gwt_send_message', { target_tab_id: tab, message: 'please\nrebase' }))
  expect(sent).toEqual({ success: true, message_id: expect.stringMatching(/^msg_/), state: 'queued' })
  await until(() => shop.lines(tab).length === 1)
  expect(shop.lines(tab)[0]).toMatch(/^\[gwt msg from operator\]: please.*rebase$/)
  await refusesTab(hub, 'gwt_send_message', [
    [{ target_tab_id: 'tab_no', message: 'x' }, 'TAB_NOT_FOUND', /Tab tab_no not found/],
    [{ target_tab_id: ended, message: 'x' }, 'TAB_NOT_FOUND', /has ended/],
    [{ target_tab_id: tab, message: '\u200B' }, 'INVALID_ARGUMENT', /nothing in it that can be shown/],
    [{ target_tab_id: tab, message: 'x'.repeat(8193) }, 'INVALID_ARGUMENT', /longer than 8192 bytes/],
    [{ target_tab_id: tab }, 'INVALID_ARGUMENT', /message/],
  ])
})
