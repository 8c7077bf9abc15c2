// A program that does not read what is written to it.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { until } from '#test/bridge/world.ts'
import { HEAVY } from '#test/processes.ts'
import { rowsOf } from '#test/scene.ts'
import { answer, launch, TabShop } from '#test/tabs.ts'

const DEAF = fileURLToPath(new URL('../../../../test/fixtures/deaf-tui.js', import.meta.url))

const engines = { deaf: { terminal: [process.execPath, DEAF] } }
const config = { engines, roles: [] }

test('what a program did not read to its end does not swallow what comes next', HEAVY, async () => {
  await using shop = new TabShop({ config })
  const hub = await shop.hub()
  const tab = await launch(hub, 'work', { agent_id: 'deaf', prompt: 'x'.repeat(60_000) })
  const first = async () => ((await rowsOf(hub, 'messages'))['messages'] ?? [])[0]
  await until(async () => (await first())?.['reason'] === 'stalled')
  const { worktree_path } = await hub.api('tab.show', { tab_id: tab })
  const heard = path.join(worktree_path ?? '', 'heard')
  fs.writeFileSync(path.join(worktree_path ?? '', 'listen'), '')
  answer(await hub.call('gwt_send_message', { target_tab_id: tab, message: 'and now' }))
  await until(() => fs.existsSync(heard) && fs.readFileSync(heard, 'utf8').includes('\r'))
  const line = '\u001B[200~[gwt msg from operator]: and now\u001B[201~\r'
  expect(fs.readFileSync(heard, 'utf8').replace(/x+/, 'x…')).toBe(`\u001B[200~x…\u001B[201~${line}`)
})

test('a hub that is stopped does not wait for one that does not read', async () => {
  await using shop = new TabShop({ config })
  const hub = await shop.hub()
  // Together more than a terminal takes without a reader.
  const tab = await launch(hub, 'work', { agent_id: 'deaf', prompt: 'x'.repeat(60_000) })
  for (const letter of 'abcd')
    answer(await hub.call('gwt_send_message', { target_tab_id: tab, message: letter.repeat(8000) }))
  const stuck = async () => {
    const rows = (await rowsOf(hub, 'messages'))['messages'] ?? []
    return rows.some(row => row['delivered_at'] === null && Date.now() - Number(row['typed_at'] ?? Infinity) > 4000)
  }
  await until(stuck)
  await hub.stop()
  const next = await shop.hub()
  const reasons = ((await rowsOf(next, 'messages'))['messages'] ?? []).map(row => row['reason'])
  // What it was typing would have been `stalled` half a minute after nothing was taken any more.
  expect(reasons).toContain('tab_ended')
  expect(reasons).not.toContain('stalled')
})
