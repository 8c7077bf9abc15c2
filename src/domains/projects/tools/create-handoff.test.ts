import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('to an agent: the task is that agent’s at once, and the runner finds it', async scene => {
  const { hub, worker, taskId, agentId, peerId, projectId } = scene
  const said = {
    task_id: taskId,
    from_agent_id: agentId,
    to_agent_id: peerId,
    summary: 'The frame stands',
    context: 'branch roof',
    recommendations: 'check the north side',
  }
  const body = success(await worker.call('create_handoff', said))
  expect(body).toEqual({
    success: true,
    handoff_id: expect.stringMatching(/^hof_[0-9a-z]{30,}$/),
    handoff: {
      handoff_id: body['handoff_id'],
      ...said,
      created_at: expect.stringMatching(/Z$/),
      accepted_at: null,
      accepted_by: null,
      status: 'pending',
    },
  })
  const rows = await rowsOf(hub)
  expect(rows['tasks']).toContainEqual(
    expect.objectContaining({ id: taskId, assignee_id: peerId, status: 'in_progress' }),
  )
  const fact = { handoffId: body['handoff_id'], taskId, from: agentId, to: peerId }
  expect(eventsOf(rows, 'handoff.created')).toEqual([fact])
  const start = await hub.call('should_start', { agent_id: peerId, project_id: projectId })
  expect(start.body['should_start']).toBe(true)
})

onBoth('to nobody: the task waits', async ({ hub, worker, taskId, agentId, peerId, projectId }) => {
  success(
    await worker.call('create_handoff', { task_id: taskId, from_agent_id: agentId, summary: 's', to_agent_id: null }),
  )
  const { body } = await hub.call('get_task', { task_id: taskId })
  expect(body['task']).toMatchObject({ assignee_id: null, status: 'todo' })
  const start = await hub.call('should_start', { agent_id: peerId, project_id: projectId })
  expect(start.body).toEqual({ should_start: false, reason: 'no_work' })
})

onBoth('an agent hands over only what it has', async ({ hub, worker, agentId, peerId, projectId }) => {
  const task = { project_id: projectId, title: 'Beams', assignee_id: peerId }
  for (const status of ['in_progress', 'todo'] as const) {
    const { task_id } = await hub.api('task.add', { ...task, status })
    const { body } = await worker.call('create_handoff', { task_id, from_agent_id: agentId, summary: 's' })
    const error = /is not assigned to you; only its agent and the operator may hand it over/
    expect(body).toMatchObject({ code: 'NOT_ALLOWED', error: expect.stringMatching(error) })
    expect(await hub.api('task.show', { task_id })).toMatchObject({ status, assignee_id: peerId })
  }
})

refuses('create_handoff', [
  {
    name: 'in the name of a peer',
    by: 'worker',
    args: s => ({ task_id: s.taskId, from_agent_id: s.peerId, summary: 's' }),
    error: 'This connection belongs to agt_demo and cannot act as agt_demo_peer.',
    code: 'AGENT_MISMATCH',
  },
  {
    name: 'to an agent of another project',
    args: s => ({ task_id: s.taskId, from_agent_id: s.agentId, to_agent_id: s.other.agentId, summary: 's' }),
    error: 'Agent other worker is not assigned to project demo; run `toryo project assign demo agt_other`.',
    code: 'AGENT_NOT_ASSIGNED',
  },
  {
    name: 'from an agent of another project',
    args: s => ({ task_id: s.taskId, from_agent_id: s.other.agentId, summary: 's' }),
    error: 'Agent other worker is not assigned to project demo; run `toryo project assign demo agt_other`.',
    code: 'AGENT_NOT_ASSIGNED',
  },
  {
    name: 'to an agent that does not exist',
    args: s => ({ task_id: s.taskId, from_agent_id: s.agentId, to_agent_id: 'agt_x', summary: 's' }),
    error: 'Agent agt_x not found. Use list_agents to list them.',
    code: 'AGENT_NOT_FOUND',
  },
  {
    name: 'from an agent that does not exist',
    args: s => ({ task_id: s.taskId, from_agent_id: 'agt_x', summary: 's' }),
    error: 'Agent agt_x not found. Use list_agents to list them.',
    code: 'AGENT_NOT_FOUND',
  },
  {
    name: 'an unknown task',
    args: s => ({ task_id: 'tsk_x', from_agent_id: s.agentId, summary: 's' }),
    error: 'Task tsk_x not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'a task of another project, for an agent',
    by: 'worker',
    args: s => ({ task_id: s.other.taskId, from_agent_id: s.agentId, summary: 's' }),
    error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'without a word',
    args: s => ({ task_id: s.taskId, from_agent_id: s.agentId, summary: '' }),
    error: /^Wrong arguments\. summary: /,
    code: 'INVALID_ARGUMENT',
  },
])

onBoth('a closed task is not handed over', async ({ hub, taskId, agentId }) => {
  for (const status of ['done', 'cancelled'] as const) {
    await hub.api('task.move', { task_id: taskId, status })
    const { body } = await hub.call('create_handoff', { task_id: taskId, from_agent_id: agentId, summary: 's' })
    const error = `Task ${taskId} is ${status}; move it back with update_task_status before handing it over.`
    expect(body).toEqual({ success: false, error, code: 'TASK_CLOSED' })
  }
  expect((await rowsOf(hub, 'handoffs'))['handoffs']).toEqual([])
})
