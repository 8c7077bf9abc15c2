import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { callBy, invoke } from '#test/scene.ts'
import { isRunning } from '#test/scripted.ts'
import { answer, becomes, launch, refusesTab, STRANGER, TabShop } from '#test/tabs.ts'

test('ends the program of a tab and answers when it has ended; its worktree stays', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a')
  await becomes(hub, tab, 'idle')
  const pid = shop.pidOf(tab)
  const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  const stranger = await invoke(hub, 'gwt_stop_tab', { tab_id: tab }, callBy(STRANGER))
  expect(stranger).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } })
  expect(isRunning(pid)).toBe(true)
  for (const _ of ['the first time', 'again'])
    expect(answer(await hub.call('gwt_stop_tab', { tab_id: tab }))).toEqual({ success: true, tab_id: tab })
  expect(isRunning(pid)).toBe(false)
  expect(fs.existsSync(path.join(String(info['worktree_path']), 'README.md'))).toBe(true)
  const events = (await hub.running.hub.events.since(0)).filter(({ type }) => type === 'tab.stop_requested')
  expect(events.map(({ payload }) => payload)).toEqual([{ tabId: tab }])
  await refusesTab(hub, 'gwt_stop_tab', [
    [{ tab_id: 'tab_no' }, 'TAB_NOT_FOUND', /Tab tab_no not found/],
    [{}, 'INVALID_ARGUMENT', /tab_id/],
  ])
})
