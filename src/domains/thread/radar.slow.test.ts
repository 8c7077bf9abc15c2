// Who changes the same lines at the same time: real worktrees, real git.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '#test/git.ts'
import { databases, type TestHub, testHub } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, newTask, put, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`)
const thread = { radarMs: 0 }
const text = (changes: Record<number, string>) => `${LINES.map((line, n) => changes[n + 1] ?? line).join('\n')}\n`

type Two = Shop & { other: string; task: () => Promise<Record<string, unknown>> }

async function withTwo(options: Parameters<typeof inShop>[0], story: (shop: Two) => Promise<void>): Promise<void> {
  await inShop({ thread, ...options }, async shop => {
    shop.repo.write('cart.ts', text({}))
    shop.repo.write('日本\n語.ts', text({}))
    shop.repo.write('logo.png', '\0one')
    shop.repo.commit()
    run(shop.path, ['reset', '-q', '--hard', 'main'])
    const other = await newTask(shop, 'tsk_shelf')
    const { hub } = shop
    const { passkey } = await hub.api('agent.add', { id: 'agt_lee', name: 'Lee', engine: 'claude' })
    await hub.api('project.assign', { project_id: 'prj_shop', agent_id: 'agt_lee' })
    await hub.api('task.assign', { task_id: 'tsk_shelf', agent_id: 'agt_lee' })
    await working(hub, 'agt_lee', passkey)
    await story({ ...shop, other, task: await working(hub, 'agt_kim', shop.passkey) })
  })
}

/** An agent works there, which is what the radar looks at. Answers how to ask for the task again. */
async function working(hub: TestHub, id: string, passkey: string): Promise<Two['task']> {
  const agent = await hub.connect()
  const session_token = await agent.signIn(id, passkey, 'prj_shop')
  const task = async () => (await agent.call('get_my_task', { session_token })).body
  await task()
  return task
}

/** Once the radar has looked and it is so. */
async function seen<T>(hub: TestHub, look: () => Promise<T>): Promise<NonNullable<T> | T> {
  return until(async () => {
    hub.running.hub.thread.wake()
    return look()
  })
}

const list = async (hub: TestHub) => (await hub.api('overlap.list', {})).overlaps
const overlaps = async (hub: TestHub, task_id: string) => (await hub.api('task.show', { task_id })).overlaps
const kinds = async (hub: TestHub) => (await list(hub)).map(({ kind }) => kind).sort()
const toldOf = async (hub: TestHub, type: string) => eventsOf(await rowsOf(hub, 'events'), type)

test.each(databases)(
  'two workspaces that change a line are shown, told once, and gone when one gives way (%s)',
  async database => {
    await withTwo({ database }, async shop => {
      const { hub, path, other } = shop
      put(path, 'cart.ts', text({ 3: 'mine' }))
      put(other, 'cart.ts', text({ 3: 'theirs' }))
      await seen(hub, async () => (await list(hub)).length === 2)
      const side = { handle: 'shop-2', tab_id: null }
      expect(await overlaps(hub, 'tsk_cart')).toEqual([
        { with: side, kind: 'conflict', files: ['cart.ts'] },
        { with: side, kind: 'lines', files: ['cart.ts'] },
      ])
      expect(await overlaps(hub, 'tsk_shelf')).toMatchObject([{ with: { handle: 'shop-1' } }, {}])
      expect(await list(hub)).toMatchObject([
        { project_id: 'prj_shop', a: { handle: 'shop-1' }, b: { handle: 'shop-2' }, kind: 'conflict' },
        { kind: 'lines' },
      ])
      const sides = { a: { taskId: 'tsk_cart', tabId: null }, b: { taskId: 'tsk_shelf', tabId: null } }
      expect(await toldOf(hub, 'overlap.found')).toEqual([
        { ...sides, kind: 'lines', files: ['cart.ts'] },
        { ...sides, kind: 'conflict', files: ['cart.ts'] },
      ])
      // An agent that begins hears of it with its task.
      expect((await shop.task())['overlaps']).toEqual(await overlaps(hub, 'tsk_cart'))

      put(path, 'cart.ts', text({ 12: 'elsewhere' }))
      await seen(hub, async () => (await list(hub)).length === 0)
      expect(await toldOf(hub, 'overlap.gone')).toHaveLength(2)
      expect(await overlaps(hub, 'tsk_cart')).toEqual([])
      expect(await shop.task()).not.toHaveProperty('overlaps')
    })
  },
)

test('the next hub finds them in the rows, and announces nothing again', async () => {
  await withTwo({}, async ({ hub, path, other, target }) => {
    put(path, 'cart.ts', text({ 3: 'mine' }))
    put(other, 'cart.ts', text({ 3: 'theirs' }))
    await seen(hub, async () => (await list(hub)).length === 2)
    await hub.stop()
    await using next = await testHub({ target, thread })
    expect(await list(next)).toHaveLength(2)
    put(other, 'cart.ts', text({}))
    await seen(next, async () => (await list(next)).length === 0)
    expect(await toldOf(next, 'overlap.found')).toHaveLength(2)
    expect(await toldOf(next, 'overlap.gone')).toHaveLength(2)
  })
})

test('files that are renamed, binary, or have any name; and the same change on both sides', async () => {
  await withTwo({}, async shop => {
    const { hub, path, other } = shop
    put(path, '日本\n語.ts', text({ 5: 'mine' }))
    put(other, '日本\n語.ts', text({ 5: 'theirs' }))
    put(path, 'same.ts', 'x\n')
    put(other, 'same.ts', 'x\n')
    put(path, 'logo.png', '\0two')
    put(other, 'logo.png', '\0six')
    renameSync(join(path, 'cart.ts'), join(path, 'basket.ts'))
    put(other, 'cart.ts', text({ 2: 'theirs' }))
    await seen(hub, async () => (await list(hub)).length === 2)
    const found = Object.fromEntries((await list(hub)).map(({ kind, files }) => [kind, files]))
    expect(found).toEqual({
      // Git follows the renamed file, and merges it.
      conflict: ['logo.png', '日本\n語.ts'],
      lines: ['cart.ts', 'logo.png', '日本\n語.ts'],
    })
  })
})

test('a worktree that is deleted, and one on a detached HEAD; a submodule; nothing is left in the repository', async () => {
  await withTwo({}, async shop => {
    const { hub, path, other, repo } = shop
    run(path, ['checkout', '-q', '--detach'])
    const commitOf = (folder: string, content: string) => {
      mkdirSync(join(folder, 'sub'), { recursive: true })
      writeFileSync(join(folder, 'sub', 'x'), content)
      run(join(folder, 'sub'), ['init', '-q'])
      run(join(folder, 'sub'), ['add', '-A'])
      run(join(folder, 'sub'), ['commit', '-q', '-m', content])
      run(folder, ['add', 'sub'])
    }
    commitOf(path, 'one')
    commitOf(other, 'two')
    const before = readdirSync(join(repo.root, '.git/objects'), { recursive: true }).map(String).sort()
    await seen(hub, async () => (await list(hub)).some(({ files }) => files.includes('sub')))
    expect(readdirSync(join(repo.root, '.git/objects'), { recursive: true }).map(String).sort()).toEqual(before)
    rmSync(other, { recursive: true })
    await seen(hub, async () => (await list(hub)).length === 0)
    expect((await hub.api('task.show', { task_id: 'tsk_shelf' })).overlaps).toEqual([])
  })
})

test('what came in with the base is nobody’s overlap', async () => {
  await withTwo({}, async shop => {
    const { hub, path, other, repo } = shop
    // The base went on: only one of both has that, and the other has changed the same lines.
    repo.write('cart.ts', text({ 3: 'base' }))
    repo.commit()
    run(other, ['reset', '-q', '--hard', 'main'])
    put(path, 'cart.ts', text({ 3: 'mine' }))
    put(other, 'new.ts', 'x\n')
    put(path, 'new.ts', 'y\n')
    await seen(hub, async () => (await list(hub)).length === 2)
    expect((await list(hub)).map(({ files }) => files)).toEqual([['new.ts'], ['new.ts']])
  })
})

test('a workspace that is released takes its pairs with it', async () => {
  await withTwo({}, async ({ hub, path, other }) => {
    put(path, 'cart.ts', text({ 3: 'mine' }))
    put(other, 'cart.ts', text({ 3: 'theirs' }))
    await seen(hub, async () => (await list(hub)).length === 2)
    const [tree] = (await rows(hub, 'workspaces')).filter(row => row['task_id'] === 'tsk_shelf')
    await hub.running.hub.worktrees.remove(
      String(tree?.['worktree_id']) as never,
      { force: true },
      { kind: 'operator' },
    )
    await seen(hub, async () => (await rows(hub, 'overlaps')).length === 0)
    expect(await kinds(hub)).toEqual([])
    expect(await toldOf(hub, 'overlap.gone')).toHaveLength(2)
  })
})
