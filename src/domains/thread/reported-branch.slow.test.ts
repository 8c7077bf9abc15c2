import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DELETED_DAYS } from '#contract/projects.ts'
import { databases, TestClock } from '../../../test/hub.ts'
import { tend } from '../../../test/scene.ts'
import { Repo } from '../../../test/git.ts'
import { inShop, put, reached, report, rows } from '../../../test/thread.ts'
import { until } from '../../../test/until.ts'

const task_id = 'tsk_cart'
const branch = 'refs/heads/toryo/shop-1-build-the-cart'

test.each(databases)(
  'the branch of a task leads to its reported work, and goes when that is merged (%s)',
  async database => {
    await inShop({ database }, async shop => {
      const { hub, path, repo } = shop
      const folder = new Repo(path)
      const base = repo.git('rev-parse', 'main').trim()
      put(path, 'cart.ts', 'one\n')
      put(path, 'README', 'shop, with a cart\n')
      folder.git('add', 'README')
      put(path, '.env', 'TOKEN=1\n')
      await report(shop)
      const { snapshots } = await reached(hub, 'review')
      const commit = snapshots[0]?.commit
      expect(repo.git('rev-parse', branch).trim()).toBe(commit)
      expect(repo.git('diff', '--name-only', 'main', branch).trim()).toBe('README\ncart.ts')
      expect(repo.git('log', '--format=%s', `main..${branch}`).trim()).toBe('shop-1: Build the cart')
      // Every file is where it was, and only what was held back is not in a commit.
      expect(folder.git('status', '--porcelain').trim()).toBe('?? .env')
      expect(readFileSync(join(path, 'cart.ts'), 'utf8')).toBe('one\n')
      await hub.api('task.verdict', { task_id, decision: 'changes', summary: 'Two' })
      put(path, 'cart.ts', 'two\n')
      await report(shop)
      await reached(hub, 'review')
      expect(repo.git('rev-list', '--count', `${base}..${branch}`).trim()).toBe('2')
      expect(repo.git('show', `${branch}:cart.ts`)).toBe('two\n')
      await hub.api('task.verdict', { task_id, decision: 'accept' })
      await reached(hub, 'merged')
      await until(() => repo.git('for-each-ref', branch) === '')
      expect(repo.git('show', 'main:cart.ts')).toBe('two\n')
      expect(repo.git('for-each-ref', 'refs/toryo/snapshots').trim().split('\n').length).toBeGreaterThanOrEqual(2)
    })
  },
)

test('a branch whose commits must not be shown, or on which git is at work, stays where it was', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    const folder = new Repo(path)
    put(path, '.env', 'TOKEN=1\n')
    folder.git('add', '-A')
    folder.git('commit', '-q', '-m', 'with a secret')
    const tip = repo.git('rev-parse', branch).trim()
    put(path, 'cart.ts', 'one\n')
    await report(shop)
    const { snapshots } = await reached(hub, 'review')
    expect(snapshots[0]?.held).toMatchObject([{ path: '.env' }])
    expect(repo.git('rev-parse', branch).trim()).toBe(tip)
    expect(folder.git('status', '--porcelain').trim()).toBe('?? cart.ts')
  })
})

test.each(databases)('a deleted task is gone with its snapshots and its branch after its days (%s)', async database => {
  const clock = new TestClock()
  await inShop({ database, clock }, async shop => {
    const { hub, path, repo } = shop
    put(path, 'cart.ts', 'one\n')
    await report(shop)
    await reached(hub, 'review')
    const refs = () =>
      repo.git('for-each-ref', '--format=%(refname)', 'refs/heads/toryo', 'refs/toryo/snapshots').trim()
    expect(refs()).toContain(branch)
    await hub.api('task.delete', { task_id })
    await until(async () => {
      await tend(hub)
      return (await hub.api('task.show', { task_id })).workspace?.released
    })
    expect(refs()).toContain(branch)
    clock.advance(DELETED_DAYS * 24 * 3600_000)
    await until(async () => {
      await tend(hub)
      return (await hub.api('task.list', { deleted: true })).tasks.length === 0
    })
    expect(refs()).toBe('')
    for (const table of ['tasks', 'workspaces', 'snapshots', 'evidence']) expect(await rows(hub, table)).toEqual([])
    // What it cost stays counted, and nothing that lists runs stumbles over it.
    expect((await hub.api('execution.list', {})).executions).toHaveLength(1)
  })
})
