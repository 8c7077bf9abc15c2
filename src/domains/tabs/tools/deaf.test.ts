// A program that never reads what is written to it.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { rowsOf } from '#test/scene.ts'
import { answer, launch, TabShop } from '#test/tabs.ts'

const DEAF = fileURLToPath(new URL('../../../../test/fixtures/deaf-tui.js', import.meta.url))

test('a hub that is stopped does not wait for one that does not read', async () => {
  const engines = { deaf: { terminal: [process.execPath, DEAF] } }
  await using shop = new TabShop({ config: { engines, roles: [] } })
  const hub = await shop.hub()
  // Together more than a terminal takes without a reader.
  const tab = await launch(hub, 'work', { agent_id: 'deaf', prompt: 'x'.repeat(60_000) })
  for (const letter of 'abcd')
    answer(await hub.call('gwt_send_message', { target_tab_id: tab, message: letter.repeat(8000) }))
  const stuck = async () => {
    const rows = (await rowsOf(hub))['messages'] ?? []
    return rows.some(row => row['delivered_at'] === null && Date.now() - Number(row['typed_at'] ?? Infinity) > 4000)
  }
  await until(stuck)
  await hub.stop()
  const next = await shop.hub()
  const reasons = ((await rowsOf(next))['messages'] ?? []).map(row => row['reason'])
  // What it was typing would have been `stalled` half a minute after nothing was taken any more.
  expect(reasons).toContain('tab_ended')
  expect(reasons).not.toContain('stalled')
})
