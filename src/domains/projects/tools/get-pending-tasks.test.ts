import { expect } from 'vitest'
import { onBoth, refuses, success } from '#test/scene.ts'

const ids = (body: Record<string, unknown>) => (body['tasks'] as { taskId: string }[]).map(({ taskId }) => taskId)

onBoth('lists the agent’s own tasks that are to do or in progress', async scene => {
  const { hub, worker, token, projectId, agentId, peerId, taskId } = scene
  const add = (id: string, assignee_id: string, status: 'todo' | 'done' | 'backlog', priority: 'urgent' | 'low') =>
    hub.api('task.add', { id, project_id: projectId, title: id, assignee_id, status, priority })
  await add('tsk_low', agentId, 'todo', 'low')
  await add('tsk_urgent', agentId, 'todo', 'urgent')
  await add('tsk_done', agentId, 'done', 'urgent')
  await add('tsk_later', agentId, 'backlog', 'urgent')
  await add('tsk_peer', peerId, 'todo', 'urgent')
  const body = success(await worker.call('get_pending_tasks', { session_token: token }))
  expect(ids(body)).toEqual(['tsk_urgent', taskId, 'tsk_low'])
  expect((body['tasks'] as unknown[])[1]).toEqual({
    taskId,
    projectId,
    title: 'Build the roof',
    description: '屋根を作る',
    priority: 'medium',
    workingDirectory: expect.stringMatching(/^\//),
    assignedAt: expect.stringMatching(/Z$/),
  })
})

onBoth(
  'many large tasks are cut where clients can still hold them',
  async ({ hub, worker, token, projectId, agentId }) => {
    const big = { project_id: projectId, title: 'big', description: 'x'.repeat(100_000), assignee_id: agentId }
    for (let index = 0; index < 30; index++) await hub.api('task.add', { ...big, id: `tsk_${index}` })
    const answer = await worker.call('get_pending_tasks', { session_token: token })
    expect(Buffer.byteLength(JSON.stringify(answer.result))).toBeLessThan(4.3 * 1024 * 1024)
    expect(answer.body).toMatchObject({ success: true, truncated: true })
    const rest = await worker.call('get_pending_tasks', { session_token: token, cursor: answer.body['next_cursor'] })
    expect(new Set([...ids(answer.body), ...ids(rest.body)]).size).toBe(31)
  },
)

refuses('get_pending_tasks', [
  {
    name: 'a token of nobody',
    args: () => ({ session_token: 'sess_x' }),
    error: 'Invalid or expired session_token',
    code: 'INVALID_SESSION',
  },
  { name: 'no token', args: () => ({}), error: /^Wrong arguments\. session_token: /, code: 'INVALID_ARGUMENT' },
])
