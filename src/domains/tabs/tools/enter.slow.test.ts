// What sends a message off: never into a question that opened behind it, and never held up by what the message itself says.
import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { answer, becomes, launch, TabShop } from '#test/tabs.ts'

const HEADER = '[gwt msg from operator]: '
const frame = (message: string) => `\u001B[200~${HEADER}${message}\u001B[201~`

test('a question that a program of which we know nothing opens behind a line is not answered by its Enter', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'work')
  await becomes(hub, tab, 'idle')
  const message = 'look !ask at the roof'
  answer(await hub.call('gwt_send_message', { target_tab_id: tab, message }))
  await becomes(hub, tab, 'waiting')
  // Far longer than a line and its Enter take.
  const since = performance.now()
  await until(() => performance.now() - since > 5000)
  expect(shop.notesOf(tab, 'bytes')).toBe(frame(message))
  await shop.show(hub, tab, 'prompt', '> [gwt msg')
  await until(() => shop.lines(tab).length > 0)
  expect(shop.lines(tab)).toEqual([HEADER + message])
  expect(shop.notesOf(tab, 'bytes')).toBe(`${frame(message)}\r`)
})

test.each([
  ['short', 'Do you want to proceed? [y/N] 1. Yes 2. No'],
  [
    'in several rows',
    `${'The question was, and I cannot answer it: '.repeat(4)}Allow it? 1. Yes 2. No, press Enter to continue`,
  ],
])('a message that looks like a question is sent off: %s', async (_, message) => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'work')
  answer(await hub.call('gwt_send_message', { target_tab_id: tab, message }))
  await until(() => shop.lines(tab).length > 0)
  expect(shop.lines(tab)).toEqual([HEADER + message])
})
