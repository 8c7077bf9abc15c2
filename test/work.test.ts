// One list of everything that runs: agents on tasks, runs of crews, tabs.
import { expect } from 'vitest'
import { onBoth } from './scene.ts'
import { NOT_REPORTED } from './work.ts'

onBoth('an agent on a task is listed while it works, and with its end afterwards', async scene => {
  const { hub, worker, token, taskId, agentId, projectId } = scene
  expect(await hub.api('work.list', { ended: 5 })).toEqual({ work: [] })
  await worker.call('get_my_task', { session_token: token })
  const { work } = await hub.api('work.list', {})
  expect(work).toEqual([
    {
      work_id: expect.stringMatching(/^exec_/),
      kind: 'task',
      name: 'demo worker',
      agent_id: agentId,
      crew_id: null,
      engine: 'claude',
      project_id: projectId,
      project_name: 'demo',
      task_id: taskId,
      handle: 'demo-1',
      title: 'Build the roof',
      status: 'running',
      created_at: expect.any(String),
      started_at: expect.any(String),
      ended_at: null,
      last_action: null,
      reason: null,
      next: null,
      started_by: 'operator',
      ...NOT_REPORTED,
    },
  ])
  expect((await hub.api('work.list', { agent_id: agentId })).work).toEqual(work)
  expect(await hub.api('work.list', { agent_id: scene.other.agentId })).toEqual({ work: [] })
  expect(await hub.api('work.list', { project_id: scene.other.projectId })).toEqual({ work: [] })
  await worker.call('report_completed', { session_token: token, result: 'success', summary: 'It holds.' })
  expect(await hub.api('work.list', {})).toEqual({ work: [] })
  expect((await hub.api('work.list', { ended: 5 })).work).toEqual([
    expect.objectContaining({ status: 'completed', last_action: 'It holds.', reason: null, next: null }),
  ])
})

onBoth('one that signs out without a report says why, and what the hub does about it', async scene => {
  const { hub, worker, token } = scene
  await worker.call('get_my_task', { session_token: token })
  await worker.call('logout', { session_token: token })
  const { work } = await hub.api('work.list', { ended: 1 })
  expect(work).toEqual([
    expect.objectContaining({
      status: 'error',
      reason: expect.stringContaining('signed out without a report'),
      next: expect.objectContaining({ what: 'again', attempts: 6 }),
    }),
  ])
})

onBoth('stopping an agent on a task ends its session, and the task is todo again', async scene => {
  const { hub, worker, token, taskId } = scene
  await worker.call('get_my_task', { session_token: token })
  const [work] = (await hub.api('work.list', {})).work
  const execution_id = work?.work_id as never
  const stopped = await hub.api('execution.stop', { execution_id })
  expect(stopped).toMatchObject({ status: 'error', reason: expect.stringContaining('stopped') })
  expect(await hub.api('task.show', { task_id: taskId })).toMatchObject({ status: 'todo' })
  expect(await hub.api('work.list', {})).toEqual({ work: [] })
  const refused = await worker.call('get_my_task', { session_token: token })
  expect(refused.isError).toBe(true)
  // Once more changes nothing.
  expect(await hub.api('execution.stop', { execution_id })).toEqual(stopped)
})
