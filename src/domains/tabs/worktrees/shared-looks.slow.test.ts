import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { Git } from '#kernel/git/git.ts'
import { testHub } from '#test/hub.ts'
import { Yard } from '#test/git.ts'

test('many who ask for the same diff share a few looks, of few processes, and none gets what was before it asked', async () => {
  using yard = new Yard()
  const repo = yard.repository('shop')
  repo.write('README', 'shop\n')
  repo.commit()
  await using hub = await testHub()
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  const { worktree_id, path: folder } = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'b' })
  const diff = async () => (await hub.api('worktree.diff', { worktree_id })).diff
  await diff()
  const runs = vi.spyOn(Git.prototype, 'run')
  try {
    const early = Promise.all(Array.from({ length: 24 }, diff))
    writeFileSync(path.join(folder, 'README'), 'changed\n')
    const late = await Promise.all(Array.from({ length: 24 }, diff))
    for (const text of late) expect(text).toContain('+changed')
    await early
    const commands = runs.mock.calls.map(([args]) => args[0])
    const looks = commands.filter(command => command === 'diff-index').length
    // Three or four where all 48 arrive while the first runs; a busy machine may hand them over more slowly.
    expect(looks).toBeLessThan(24)
    expect(commands.length / looks).toBeLessThanOrEqual(3)
  } finally {
    runs.mockRestore()
  }
})
