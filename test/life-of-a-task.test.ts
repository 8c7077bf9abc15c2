import { describe, expect, test } from 'vitest'
import { databases, testHub } from './hub.ts'

describe.each(databases)('on %s', database => {
  test('an agent is started, signs in, works, hands over, and its peer completes the task', async () => {
    await using hub = await testHub({ database })
    const { projectId, agentId, peerId, peerPasskey, taskId } = await hub.seed()

    const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
    expect(start.body).toMatchObject({ should_start: true, ai_type: 'claude', agent_name: 'demo worker' })
    const again = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
    expect(again.body).toEqual({ should_start: false, reason: 'starting' })

    const worker = await hub.connect({ credential: String(start.body['ticket']) })
    const signedIn = await worker.call('authenticate', { agent_id: agentId, project_id: projectId })
    expect(signedIn.body).toMatchObject({ success: true, expires_in: 3600, project_name: 'demo' })
    const token = String(signedIn.body['session_token'])

    const mine = await worker.call('get_my_task', { session_token: token })
    expect(mine.body).toMatchObject({
      has_task: true,
      task: { task_id: taskId, description: '屋根を作る', context: null },
    })
    await worker.call('save_context', { task_id: taskId, progress: 'half' })
    const handoff = await worker.call('create_handoff', {
      task_id: taskId,
      from_agent_id: agentId,
      to_agent_id: peerId,
      summary: 'The frame stands',
    })
    expect(handoff.body).toMatchObject({ success: true, handoff: { to_agent_id: peerId, accepted_at: null } })
    expect((await worker.call('report_completed', { session_token: token, result: 'success' })).isError).toBe(false)
    expect((await hub.call('get_task', { task_id: taskId })).body).toMatchObject({
      task: { status: 'in_progress', assignee_id: peerId },
    })

    const peer = await hub.connect()
    const peerToken = await peer.signIn(peerId, peerPasskey, projectId)
    const handed = await peer.call('get_my_task', { session_token: peerToken })
    expect(handed.body).toMatchObject({
      task: { handoff: { summary: 'The frame stands' }, context: { progress: 'half' } },
    })
    const handoffId = handoff.body['handoff_id']
    expect((await peer.call('accept_handoff', { handoff_id: handoffId, agent_id: peerId })).isError).toBe(false)
    await peer.call('report_completed', { session_token: peerToken, result: 'success', summary: 'done' })

    expect((await hub.call('get_task', { task_id: taskId })).body).toMatchObject({ task: { status: 'done' } })
    const { body } = await hub.call('list_execution_logs', { task_id: taskId })
    expect(body['logs']).toMatchObject([
      { agentId: peerId, status: 'completed' },
      { agentId, status: 'completed' },
    ])
  })
})
