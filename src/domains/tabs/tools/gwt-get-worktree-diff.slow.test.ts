import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { answer, launch, refusesTab, TabShop } from '#test/tabs.ts'

test('gives what changed since the base as a diff, shorter for a model than for a program', async () => {
  await using shop = new TabShop({ files: { 'old.txt': 'old\n' } })
  const hub = await shop.hub()
  const tab = await launch(hub, 'work')
  expect(answer(await hub.call('gwt_get_worktree_diff', { tab_id: tab }))).toEqual({ diff: '', truncated: false })
  const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  const worktree = String(info['worktree_path'])
  fs.writeFileSync(path.join(worktree, 'old.txt'), 'changed\n')
  const { diff } = answer(await hub.call('gwt_get_worktree_diff', { tab_id: tab }))
  for (const part of ['-old', '+changed']) expect(String(diff)).toContain(part)
  fs.writeFileSync(path.join(worktree, 'long.txt'), `${'x'.repeat(99)}\n`.repeat(5000))
  const long = await hub.call('gwt_get_worktree_diff', { tab_id: tab })
  expect(Buffer.byteLength(long.text)).toBeLessThan(300 * 1024)
  expect(JSON.parse(long.text)).toMatchObject({ truncated: true })
  expect(long.result['structuredContent']).toMatchObject({ truncated: false })
  await refusesTab(hub, 'gwt_get_worktree_diff', [
    [{ tab_id: 'tab_no' }, 'TAB_NOT_FOUND', /Tab tab_no not found/],
    [{}, 'INVALID_ARGUMENT', /tab_id/],
  ])
})
