import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run, Yard } from '#test/git.ts'
import { testHub } from '#test/hub.ts'

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`

test('files have their lines counted, committed or not, and a diff is of one file, with as many lines around as asked for', async () => {
  using yard = new Yard()
  const repo = yard.repository('shop')
  repo.write('edited', text(LINES))
  repo.write('moved', text(LINES))
  repo.write('gone', 'a\nb\n')
  repo.write('run.sh', 'echo\n')
  repo.write('logo.png', Uint8Array.of(0, 1))
  repo.commit()
  await using hub = await testHub()
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  const { worktree_id, path: folder } = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'b' })
  const at = (name: string) => path.join(folder, name)
  writeFileSync(at('edited'), text(LINES.with(19, 'LINE 20')))
  renameSync(at('moved'), at('新しい 名前'))
  writeFileSync(at('新しい 名前'), text([...LINES, 'one more']))
  rmSync(at('gone'))
  chmodSync(at('run.sh'), 0o755)
  writeFileSync(at('logo.png'), Uint8Array.of(0, 2, 3))
  writeFileSync(at('new'), 'x\ny\nz')
  const counted = await hub.api('worktree.files', { worktree_id, count: true })
  expect(counted).toEqual({
    truncated: false,
    ahead: 0,
    behind: 0,
    files: [
      { path: 'edited', status: 'modified', added: 1, removed: 1 },
      { path: 'gone', status: 'deleted', added: 0, removed: 2 },
      { path: 'logo.png', status: 'modified', binary: true },
      { path: 'new', status: 'added', added: 3, removed: 0 },
      { path: 'run.sh', status: 'modified', added: 0, removed: 0 },
      { path: '新しい 名前', status: 'renamed', from: 'moved', added: 1, removed: 0 },
    ],
  })
  const plain = await hub.api('worktree.files', { worktree_id })
  expect(plain.files.map(({ path: name, status }) => [name, status])).toEqual(
    counted.files.map(({ path: name, status }) => [name, status]),
  )
  expect(plain.files.some(file => 'added' in file)).toBe(false)

  const one = await hub.api('worktree.diff', { worktree_id, path: 'edited' })
  expect(one.truncated).toBe(false)
  expect(one.diff.match(/^diff --git/gm)).toHaveLength(1)
  expect(one.diff).not.toContain(' line 1\n')
  const whole = await hub.api('worktree.diff', { worktree_id, path: 'edited', context: 1000 })
  expect(whole.diff).toContain(' line 1\n')
  const renamed = await hub.api('worktree.diff', { worktree_id, path: '新しい 名前', context: 0 })
  expect(renamed.diff).toContain('rename from moved')
  expect(renamed.diff).toContain('@@ -40,0 +41 @@')
  expect(await hub.api('worktree.diff', { worktree_id, path: 'none' })).toEqual({ diff: '', truncated: false })
})

function withOneFile(yard: Yard) {
  const repo = yard.repository('shop')
  repo.write('a', 'a\n')
  repo.commit()
  return repo
}

test('commits ahead of the base and behind it are counted, as both stand now', async () => {
  using yard = new Yard()
  const repo = withOneFile(yard)
  await using hub = await testHub()
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  const { worktree_id, path: folder } = await hub.api('worktree.ensure', { project_id: 'shop', branch: 'b' })
  const distance = async () => {
    const { ahead, behind } = await hub.api('worktree.files', { worktree_id, count: true })
    return { ahead, behind }
  }
  for (const name of ['b', 'c']) {
    writeFileSync(path.join(folder, name), name)
    run(folder, ['add', '-A'])
    run(folder, ['commit', '-qm', name])
  }
  expect(await distance()).toEqual({ ahead: 2, behind: 0 })
  for (const name of ['x', 'y', 'z']) {
    repo.write(name, name)
    repo.commit()
  }
  expect(await distance()).toEqual({ ahead: 2, behind: 3 })
  run(folder, ['merge', '-q', '--no-edit', 'main'])
  expect(await distance()).toEqual({ ahead: 3, behind: 0 })
  // Without counting nobody waits for it.
  expect(await hub.api('worktree.files', { worktree_id })).not.toHaveProperty('ahead')
})

test('a worktree is compared with another branch, from where both parted', async () => {
  using yard = new Yard()
  const repo = withOneFile(yard)
  await using hub = await testHub()
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  const ensure = (branch: string) => hub.api('worktree.ensure', { project_id: 'shop', branch })
  const commit = (folder: string, name: string) => {
    writeFileSync(path.join(folder, name), `${name}\n`)
    run(folder, ['add', '-A'])
    run(folder, ['commit', '-qm', name])
  }
  const first = await ensure('first')
  commit(first.path, 'shared')
  run(repo.root, ['branch', 'second', 'first'])
  const second = await ensure('second')
  commit(second.path, 'own')
  commit(first.path, 'later')
  const { worktree_id } = second
  const names = async (base?: string) => {
    const { files, ahead, behind } = await hub.api('worktree.files', {
      ...{ worktree_id, count: true },
      ...(base !== undefined && { base }),
    })
    return { files: files.map(file => file.path), ahead, behind }
  }
  // What the other did since is no change of this one.
  expect(await names('first')).toEqual({ files: ['own'], ahead: 1, behind: 1 })
  expect(await names('main')).toEqual({ files: ['own', 'shared'], ahead: 2, behind: 0 })
  const { diff } = await hub.api('worktree.diff', { worktree_id, base: 'first' })
  expect(diff).toContain('+own')
  expect(diff).not.toContain('shared')
  for (const base of ['none', '--output=/tmp/x', 'first..second'])
    await expect(hub.api('worktree.diff', { worktree_id, base })).rejects.toThrow('BASE_NOT_FOUND')
})
