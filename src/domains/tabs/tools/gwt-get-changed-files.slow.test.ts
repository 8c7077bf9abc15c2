import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { answer, git, launch, refusesTab, TabShop } from '#test/tabs.ts'

test('lists what changed since the base, committed or not, with untracked files', async () => {
  await using shop = new TabShop({ files: { 'old.txt': 'old\n', 'gone.txt': 'gone\n' } })
  const hub = await shop.hub()
  const tab = await launch(hub, 'work')
  expect(JSON.parse((await hub.call('gwt_get_changed_files', { tab_id: tab })).text)).toEqual([])
  const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  const worktree = String(info['worktree_path'])
  fs.writeFileSync(path.join(worktree, 'new.txt'), 'new\n')
  fs.writeFileSync(path.join(worktree, 'old.txt'), 'changed\n')
  fs.rmSync(path.join(worktree, 'gone.txt'))
  git(worktree, 'commit', '-q', '-m', 'changed', 'old.txt')
  const { text, result } = await hub.call('gwt_get_changed_files', { tab_id: tab })
  const files = [
    { path: 'gone.txt', status: 'deleted' },
    { path: 'new.txt', status: 'added' },
    { path: 'old.txt', status: 'modified' },
  ]
  expect((JSON.parse(text) as { path: string }[]).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(files)
  expect(result['structuredContent']).toMatchObject({ truncated: false })
  await refusesTab(hub, 'gwt_get_changed_files', [
    [{ tab_id: 'tab_no' }, 'TAB_NOT_FOUND', /Tab tab_no not found/],
    [{}, 'INVALID_ARGUMENT', /tab_id/],
  ])
})
