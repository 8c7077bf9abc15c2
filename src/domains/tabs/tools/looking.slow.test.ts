// Who is there, what changed, and the end (FR-007, FR-008, FR-012, FR-013, FR-014).
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { isRunning } from '#test/scripted.ts'
import { answer, becomes, git, launch, TabShop } from '#test/tabs.ts'

test.each(databases)(
  'three live tabs are listed, as a bare array for the model; an ended one is not (%s)',
  async database => {
    await using shop = new TabShop({ database })
    const hub = await shop.hub()
    const tabs = [await launch(hub, 'a'), await launch(hub, 'b'), await launch(hub, 'c')]
    for (const tab of tabs) await becomes(hub, tab, 'idle')
    const { text, result } = await hub.call('gwt_list_tabs')
    const expected = tabs.map((tab_id, n) => ({
      tab_id,
      agent_type: 'tui',
      branch: 'abc'[n],
      status: 'idle',
      project_id: shop.projectId,
    }))
    expect(JSON.parse(text)).toEqual(expected)
    expect(result['structuredContent']).toEqual({ tabs: expected })
    const [first = ''] = tabs
    const info = answer(await hub.call('gwt_get_tab_info', { tab_id: first }))
    for (const field of ['agent_type', 'branch', 'worktree_path', 'session_id', 'status'])
      expect(info).toHaveProperty(field)
    const pid = shop.pidOf(first)
    expect(answer(await hub.call('gwt_stop_tab', { tab_id: first }))).toEqual({ success: true, tab_id: first })
    // It answers when the tab has ended, not before.
    expect(isRunning(pid)).toBe(false)
    expect(fs.existsSync(path.join(String(info['worktree_path']), 'README.md'))).toBe(true)
    expect((JSON.parse((await hub.call('gwt_list_tabs')).text) as unknown[]).length).toBe(2)
    expect(answer(await hub.call('gwt_get_tab_info', { tab_id: first }))).toMatchObject({
      status: 'exited',
      end_reason: 'stopped',
    })
    // Again: it has ended.
    expect(answer(await hub.call('gwt_stop_tab', { tab_id: first }))).toEqual({ success: true, tab_id: first })
  },
)

test('a program that ends by itself is told with its exit code', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a', { prompt: '!exit 7' })
  await becomes(hub, tab, 'exited')
  expect(answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))).toMatchObject({
    end_reason: 'exited',
    exit_code: 7,
  })
  // The branch is free again, and its worktree is used again.
  const again = await launch(hub, 'a')
  expect(again).not.toBe(tab)
})

test('what changed since the base is told, committed or not, as files and as a diff', async () => {
  await using shop = new TabShop({ files: { 'old.txt': 'old\n', 'gone.txt': 'gone\n' } })
  const hub = await shop.hub()
  const tab = await launch(hub, 'work')
  const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  const worktree = String(info['worktree_path'])
  fs.writeFileSync(path.join(worktree, '日本語.txt'), 'new\n')
  fs.writeFileSync(path.join(worktree, 'old.txt'), 'changed\n')
  fs.rmSync(path.join(worktree, 'gone.txt'))
  git(worktree, 'add', 'old.txt')
  git(worktree, 'commit', '-q', '-m', 'changed')
  const { text, result } = await hub.call('gwt_get_changed_files', { tab_id: tab })
  const files = JSON.parse(text) as { path: string; status: string }[]
  expect(files.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'gone.txt', status: 'deleted' },
    { path: 'old.txt', status: 'modified' },
    { path: '日本語.txt', status: 'added' },
  ])
  expect(result['structuredContent']).toMatchObject({ truncated: false })
  const diff = answer(await hub.call('gwt_get_worktree_diff', { tab_id: tab }))
  expect(diff['truncated']).toBe(false)
  for (const part of ['-old', '+changed', '+new', '-gone']) expect(String(diff['diff'])).toContain(part)
  // The text for the model is shorter than what a program may have.
  fs.writeFileSync(path.join(worktree, 'long.txt'), `${'x'.repeat(99)}\n`.repeat(5000))
  const long = await hub.call('gwt_get_worktree_diff', { tab_id: tab })
  expect(Buffer.byteLength(long.text)).toBeLessThan(300 * 1024)
  expect(JSON.parse(long.text)).toMatchObject({ truncated: true })
  const whole = long.result['structuredContent'] as { diff: string; truncated: boolean }
  expect(whole.truncated).toBe(false)
  expect(whole.diff.length).toBeGreaterThan(500_000)
})
