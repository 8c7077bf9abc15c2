import { expect } from 'vitest'
import { TASK_STATUSES } from '#contract/task-values.ts'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('moves a task to each status, with one event each', async ({ hub, worker, taskId }) => {
  const path = [...TASK_STATUSES, 'in_progress']
  for (const status of path)
    expect(success(await worker.call('update_task_status', { task_id: taskId, status }))).toMatchObject({
      success: true,
      task: { task_id: taskId, status },
    })
  const moves = eventsOf(await rowsOf(hub, 'events'), 'task.moved').map(({ to }) => to)
  expect(moves).toEqual(path)
})

onBoth('the status it has already changes nothing, not even why it is blocked', async scene => {
  const { hub, worker, token, taskId } = scene
  await worker.call('get_my_task', { session_token: token })
  await worker.call('report_completed', { session_token: token, result: 'failed', summary: 'no nails left' })
  const before = await rowsOf(hub)
  const body = success(await hub.call('update_task_status', { task_id: taskId, status: 'blocked' }))
  expect(body).toMatchObject({ task: { status: 'blocked', blocked_reason: 'no nails left' } })
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
})

onBoth('the reason goes when the task goes on', async ({ hub, worker, token, taskId }) => {
  await worker.call('get_my_task', { session_token: token })
  await worker.call('report_completed', { session_token: token, result: 'blocked', summary: 'no nails left' })
  const body = success(await hub.call('update_task_status', { task_id: taskId, status: 'todo' }))
  expect(body).toMatchObject({ task: { status: 'todo', blocked_reason: null } })
})

onBoth('what a person or the hub has blocked is opened by people alone', async scene => {
  const { hub, worker, taskId, agentId, peerId } = scene
  const handed = { task_id: taskId, from_agent_id: agentId, to_agent_id: agentId, summary: 's' }
  const { handoff_id } = success(await worker.call('create_handoff', handed))
  await hub.api('task.move', { task_id: taskId, status: 'blocked', reason: 'Ask me first.' })
  const before = await rowsOf(hub, 'tasks')
  for (const [tool, args] of [
    ['update_task_status', { task_id: taskId, status: 'in_progress' }],
    ['update_task_status', { task_id: taskId, status: 'todo' }],
    ['update_task', { task_id: taskId, status: 'in_progress' }],
    ['create_handoff', { ...handed, to_agent_id: peerId }],
    ['create_handoff', { ...handed, to_agent_id: null }],
    ['accept_handoff', { handoff_id, agent_id: agentId }],
  ] as const) {
    const { body } = await worker.call(tool, args)
    const error = 'demo-1 is blocked and waits for a person; no agent may move it.'
    expect({ tool, body }).toMatchObject({ tool, body: { code: 'NOT_ALLOWED', error: expect.stringContaining(error) } })
  }
  expect(await rowsOf(hub, 'tasks')).toEqual(before)
  success(await hub.call('update_task_status', { task_id: taskId, status: 'in_progress' }))
  // What an agent has blocked itself, agents go on with.
  for (const status of ['blocked', 'in_progress'])
    success(await worker.call('update_task_status', { task_id: taskId, status }))
})

onBoth('what another agent has in progress is not taken out of its hands', async scene => {
  const { hub, worker, projectId, peerId } = scene
  const task = { project_id: projectId, title: 'Beams', assignee_id: peerId, status: 'in_progress' as const }
  const { task_id } = await hub.api('task.add', task)
  for (const status of ['backlog', 'todo', 'blocked', 'done'] as const)
    expect((await worker.call('update_task_status', { task_id, status })).body).toMatchObject({ code: 'TASK_IN_HANDS' })
})

onBoth('reported work keeps its title, its text and its agent until its verdict', async scene => {
  const { hub, worker, passkey, token, taskId, agentId, peerId, projectId } = scene
  await hub.api('project.edit', { project_id: projectId, accept: 'person' })
  await worker.call('get_my_task', { session_token: token })
  await worker.call('report_completed', { session_token: token, result: 'success', summary: 'Done' })
  await worker.signIn(agentId, passkey, projectId)
  const before = await rowsOf(hub, 'tasks')
  for (const [tool, change] of [
    ['update_task', { title: 'Another' }],
    ['update_task', { description: 'Another' }],
    ['update_task', { assignee_id: peerId }],
    ['assign_task', { assignee_id: peerId }],
    ['update_task_status', { status: 'todo' }],
  ] as const)
    expect((await worker.call(tool, { task_id: taskId, ...change })).body).toMatchObject({ code: 'TASK_REPORTED' })
  expect(await rowsOf(hub, 'tasks')).toEqual(before)
  success(await hub.call('update_task', { task_id: taskId, title: 'The operator may' }))
})

refuses('update_task_status', [
  {
    name: 'an unknown task',
    args: () => ({ task_id: 'tsk_x', status: 'done' }),
    error: 'Task tsk_x not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'a task of another project, for an agent',
    by: 'worker',
    args: s => ({ task_id: s.other.taskId, status: 'done' }),
    error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'an unknown status',
    args: s => ({ task_id: s.taskId, status: 'DONE' }),
    error: /^Wrong arguments\. status: /,
    code: 'INVALID_ARGUMENT',
  },
])
