import { describe, expect, test } from 'vitest'
import { databases, testHub } from './hub.ts'

describe.each(databases)('on %s', database => {
  test('an agent that is disabled while it works is stopped with its next call, and goes on when it is enabled again', async () => {
    await using hub = await testHub({ database })
    const { projectId, agentId, passkey, taskId } = await hub.seed()
    const worker = await hub.connect()
    const token = await worker.signIn(agentId, passkey, projectId)
    await hub.api('agent.disable', { agent_id: agentId })

    const refused = { success: false, code: 'AGENT_DISABLED' }
    expect((await worker.call('save_context', { task_id: taskId, progress: 'x' })).body).toMatchObject(refused)
    expect((await worker.call('get_my_task', { session_token: token })).body).toMatchObject(refused)
    // The token is worth nothing elsewhere either.
    expect((await hub.call('get_my_task', { session_token: token })).body).toMatchObject(refused)
    expect((await hub.call('get_task_context', { task_id: taskId })).body).toMatchObject({ context: null })

    await hub.api('agent.enable', { agent_id: agentId })
    expect((await worker.call('get_my_task', { session_token: token })).body).toMatchObject({ has_task: true })
  })
})
