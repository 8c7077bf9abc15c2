import { expect } from 'vitest'
import { eventsOf, onBoth, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('adds a record, with who saved it', async ({ hub, worker, taskId, agentId }) => {
  const text = { progress: '半分', findings: 'rotten beam', blockers: 'rain', next_steps: 'wait 🌧' }
  const body = success(await worker.call('save_context', { task_id: taskId, ...text }))
  expect(body).toEqual({
    success: true,
    context: { ...text, agent_id: agentId, saved_at: expect.stringMatching(/Z$/) },
  })
  const byOperator = success(await hub.call('save_context', { task_id: taskId, progress: 'seen' }))
  expect(byOperator).toMatchObject({ context: { progress: 'seen', findings: null, agent_id: null } })
  const rows = await rowsOf(hub)
  expect(rows['notes']).toHaveLength(2)
  expect(eventsOf(rows, 'note.saved')).toEqual([{ taskId }, { taskId }])
})

refuses('save_context', [
  {
    name: 'an unknown task',
    args: () => ({ task_id: 'tsk_x', progress: 'p' }),
    error: 'Task tsk_x not found. Use list_tasks to list them.',
    code: 'TASK_NOT_FOUND',
  },
  {
    name: 'a task of another project, for an agent',
    by: 'worker',
    args: s => ({ task_id: s.other.taskId, progress: 'p' }),
    error: 'This connection belongs to agt_demo in project prj_demo; the request is about another project.',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'NUL in the text',
    args: s => ({ task_id: s.taskId, progress: 'a\0b' }),
    error: 'Text must not contain NUL characters.',
    code: 'INVALID_ARGUMENT',
  },
  {
    name: 'half a character',
    args: s => ({ task_id: s.taskId, progress: '\ud83c' }),
    error: 'Text contains half of a surrogate pair.',
    code: 'INVALID_ARGUMENT',
  },
])
