import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { callBy, invoke } from '#test/scene.ts'
import { answer, becomes, launch, refusesTab, STRANGER, TabShop } from '#test/tabs.ts'

test('tells engine, branch, worktree and status of a tab, and how it ended', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a')
  await becomes(hub, tab, 'idle')
  const live = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  expect(live).toMatchObject({
    tab_id: tab,
    agent_type: 'tui',
    branch: 'a',
    status: 'idle',
    project_id: shop.projectId,
  })
  expect(fs.existsSync(path.join(String(live['worktree_path']), 'README.md'))).toBe(true)
  answer(await hub.call('gwt_stop_tab', { tab_id: tab }))
  const ended = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  expect(ended).toMatchObject({ status: 'exited', end_reason: 'stopped', worktree_path: live['worktree_path'] })
  await refusesTab(hub, 'gwt_get_tab_info', [
    [{ tab_id: 'tab_no' }, 'TAB_NOT_FOUND', /^Tab tab_no not found/],
    [{}, 'INVALID_ARGUMENT', /tab_id/],
  ])
  const stranger = await invoke(hub, 'gwt_get_tab_info', { tab_id: tab }, callBy(STRANGER))
  expect(stranger).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } })
})
