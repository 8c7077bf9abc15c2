// A branch whose change decides what the checks run is not accepted by these checks: a person looks at it.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, newTask, put, reached, report, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'
const accept = 'checks' as const

/** A project that is tested as its package says, by a script of its own. */
async function inPackage(story: (shop: Shop) => Promise<void>, database?: (typeof databases)[number]): Promise<void> {
  await inShop({ settings: { accept }, ...(database && { database }) }, async shop => {
    const { hub, repo } = shop
    repo.write('package.json', JSON.stringify({ name: 'shop', scripts: { test: 'node scripts/test.js' } }))
    repo.write('scripts/test.js', "require('./all.js')\n")
    repo.write('scripts/all.js', 'process.exit(1)\n')
    repo.write('vitest.config.ts', 'export default {}\n')
    repo.commit('a package')
    await hub.api('project.check.add', { project_id, name: 'test', command: ['npm', 'test'] })
    await hub.api('task.move', { task_id, status: 'cancelled' })
    await story({ ...shop, path: await newTask(shop, 'tsk_two'), taskId: 'tsk_two' })
  })
}

const WAYS: [name: string, path: string, weaken: (folder: string) => void][] = [
  [
    'its scripts',
    'package.json',
    folder => put(folder, 'package.json', JSON.stringify({ name: 'shop', scripts: { test: 'true' } })),
  ],
  ['a script that its package names', 'scripts/test.js', folder => put(folder, 'scripts/test.js', '')],
  ['what lies beside that script', 'scripts/all.js', folder => put(folder, 'scripts/all.js', '')],
]

test.each(WAYS)('work that changes %s waits for a person, who is told why', async (_name, path, weaken) => {
  await inPackage(async shop => {
    const { hub, repo } = shop
    weaken(shop.path)
    await report(shop)
    await reached(hub, 'review', shop.taskId)
    const { evidence, snapshot, remarks } = await hub.api('task.review', { task_id: shop.taskId })
    expect(evidence).toMatchObject([{ outcome: 'passed' }])
    expect(snapshot?.flagged).toEqual([{ path, why: 'check' }])
    expect(remarks.join()).toContain(`It changes what the checks run (${path})`)
    expect((await hub.api('task.show', { task_id: shop.taskId })).remark).toContain('a person must accept this')
    expect(await rows(hub, 'verdicts')).toEqual([])
    expect(repo.git('log', '--format=%s', 'main').trim().split('\n')[0]).toBe('a package')
    await hub.api('task.verdict', { task_id: shop.taskId, decision: 'accept' })
    await reached(hub, 'merged', shop.taskId)
  })
})

const COMMANDS: [name: string, command: string[], path: string][] = [
  ['a script of a folder that the check goes to', ['sh', '-c', 'cd app && ./verify.sh'], 'app/verify.sh'],
  ['what the package of a folder names', ['npm', '--prefix', 'app', 'run', 'check'], 'verify.js'],
  ['a module that Python runs', ['python3', '-m', 'qa.verify'], 'qa/verify.py'],
  ['what setup runs', ['sh', '-c', 'sh ignored/made'], 'prepare.sh'],
]

test.each(COMMANDS)('%s decides what a check runs', async (_name, command, path) => {
  await inShop({}, async shop => {
    const { hub, repo } = shop
    repo.write('.toryo/config.json', JSON.stringify({ worktrees: { setup: ['sh', 'prepare.sh'] } }))
    repo.write('prepare.sh', '')
    repo.write('app/package.json', JSON.stringify({ scripts: { check: 'node ../verify.js' } }))
    repo.commit()
    await hub.api('worktree.setup.trust', { project_id })
    await hub.api('project.check.add', { project_id, name: 'test', command, optional: true })
    await hub.api('task.move', { task_id, status: 'cancelled' })
    const folder = await newTask(shop, 'tsk_two')
    put(folder, path, '#\n')
    put(folder, 'other.js', '#\n')
    await report(shop)
    await reached(hub, 'review', 'tsk_two')
    expect((await hub.api('task.review', { task_id: 'tsk_two' })).snapshot?.flagged).toEqual([{ path, why: 'check' }])
  })
})

test.each(databases)(
  'a configuration that goes away counts, and what needs other versions does not (%s)',
  async database => {
    await inShop({ database, settings: { accept } }, async shop => {
      const { hub, path, repo } = shop
      await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
      put(path, 'package.json', JSON.stringify({ name: 'shop' }))
      put(path, 'vitest.config.ts', 'export default {}\n')
      await report(shop)
      await reached(hub, 'review')
      await hub.api('task.verdict', { task_id, decision: 'accept' })
      await reached(hub, 'merged')
      const folder = await newTask(shop, 'tsk_two')
      put(folder, 'package.json', JSON.stringify({ name: 'shop', dependencies: { zod: '^4.0.0' } }))
      await report(shop)
      await reached(hub, 'merged', 'tsk_two')
      const other = await newTask(shop, 'tsk_three')
      repo.git('-C', other, 'mv', 'vitest.config.ts', 'elsewhere.ts')
      await report(shop)
      expect((await reached(hub, 'review', 'tsk_three')).remark).toContain('vitest.config.ts')
    })
  },
)

test('a check that is added later, and names a script that the work changes, accepts nothing', async () => {
  await inShop({ settings: { accept: 'person' } }, async shop => {
    const { hub, path } = shop
    put(path, 'verify.sh', 'exit 0\n')
    await report(shop)
    await reached(hub, 'review')
    await hub.api('project.edit', { project_id, accept })
    await hub.api('project.check.add', { project_id, name: 'test', command: ['sh', './verify.sh'] })
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'check.ended').length === 1)
    await until(async () => (await rows(hub, 'snapshots'))[0]?.['settled_at'])
    expect(await rows(hub, 'verdicts')).toEqual([])
    expect((await hub.api('task.show', { task_id })).remark).toContain('verify.sh')
  })
})
