// What agents that were given the tools of planning can do to tasks by moving them.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { inShop, put, reached, rows } from '#test/thread.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

test.each(databases)('a task that its agent moves to done is taken, checked and merged like a report (%s)', async database => {
  await inShop({ database, settings: { accept: 'checks' } }, async ({ hub, path, passkey, repo }) => {
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    put(path, 'cart', 'one')
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', passkey, project_id)
    await agent.call('get_my_task', { session_token })
    expect((await agent.call('update_task_status', { task_id, status: 'done' })).isError).toBe(false)
    expect((await agent.call('report_completed', { session_token, result: 'success' })).isError).toBe(false)
    await reached(hub, 'merged')
    expect(await rows(hub, 'snapshots')).toMatchObject([{ cause: 'report', result: 'success', changed_files: 1 }])
    expect(repo.git('show', 'HEAD:cart')).toBe('one')
  })
})

test('so it is where the report is enough', async () => {
  await inShop({ settings: { accept: 'report' } }, async ({ hub, path, passkey, repo }) => {
    put(path, 'cart', 'one')
    const agent = await hub.connect()
    await agent.signIn('agt_kim', passkey, project_id)
    await agent.call('update_task_status', { task_id, status: 'done' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'HEAD:cart')).toBe('one')
  })
})
