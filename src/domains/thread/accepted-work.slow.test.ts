// What is merged is what was accepted, checked as its own project says, and nothing that goes wrong there holds up others.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'
import { inShop, put, reached, report, rows } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

test.each(databases)('what an agent left behind after its report is not merged with it (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, path, repo, passkey } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
    put(path, 'cart', 'reviewed')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub), 'task.returned').length === 1)
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', passkey, project_id)
    await agent.call('get_my_task', { session_token })
    put(path, 'cart', 'not reviewed')
    put(path, 'left', 'x')
    await agent.call('logout', { session_token })
    await until(async () => {
      const taken = await rows(hub, 'snapshots')
      return taken.length === 2 && taken.every(one => one['taken_at'] !== null)
    })
    await hub.api('task.move', { task_id, status: 'blocked' })
    await hub.api('project.check.remove', { project_id, name: 'test' })
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('reviewed')
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('left')
    const [verdict] = await rows(hub, 'verdicts')
    expect((await rows(hub, 'merges')).map(one => one['snapshot_id'])).toEqual([verdict?.['snapshot_id']])
  })
})
