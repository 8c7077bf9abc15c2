// One list of everything that runs: agents on tasks, runs of crews, tabs.
import { expect } from 'vitest'
import { onBoth, tend } from './scene.ts'
import { NOT_REPORTED } from './work.ts'

onBoth('an agent on a task is listed while it works, and with its end afterwards', async scene => {
  const { hub, worker, token, taskId, agentId, projectId } = scene
  expect(await hub.api('work.list', { ended: 5 })).toEqual({ work: [], waiting: [] })
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
  expect(await hub.api('work.list', { agent_id: scene.other.agentId })).toEqual({ work: [], waiting: [] })
  expect(await hub.api('work.list', { project_id: scene.other.projectId })).toEqual({ work: [], waiting: [] })
  await worker.call('report_completed', { session_token: token, result: 'success', summary: 'It holds.' })
  expect(await hub.api('work.list', {})).toEqual({ work: [], waiting: [] })
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
  expect(await hub.api('work.list', {})).toEqual({ work: [], waiting: [] })
  const refused = await worker.call('get_my_task', { session_token: token })
  expect(refused.isError).toBe(true)
  // Once more changes nothing.
  expect(await hub.api('execution.stop', { execution_id })).toEqual(stopped)
})

onBoth(
  'executions are listed newest first, by task, agent, project and whether they go on, page by page',
  async scene => {
    const { hub, worker, token, projectId, agentId, taskId, other } = scene
    await hub.api('task.add', { id: 'tsk_next', project_id: projectId, title: 'Next', assignee_id: agentId })
    for (const task_id of [taskId, 'tsk_next'])
      await worker.call('report_execution_start', { session_token: token, task_id })
    const stranger = await hub.connect()
    const theirs = await stranger.signIn(other.agentId, other.passkey, other.projectId)
    await stranger.call('get_my_task', { session_token: theirs })
    await stranger.call('report_completed', { session_token: theirs, result: 'success', summary: 'done' })
    const tasks = async (filter: object) =>
      (await hub.api('execution.list', filter)).executions.map(({ task_id }) => task_id)
    expect(await tasks({})).toEqual([other.taskId, 'tsk_next', taskId])
    expect(await tasks({ task_id: taskId })).toEqual([taskId])
    expect(await tasks({ agent_id: other.agentId })).toEqual([other.taskId])
    expect(await tasks({ project_id: projectId })).toEqual(['tsk_next', taskId])
    expect(await tasks({ open: false })).toContain(other.taskId)
    expect(await tasks({ open: true, project_id: other.projectId })).toEqual([])
    const page = await hub.api('execution.list', { limit: 2 })
    expect(page.executions).toHaveLength(2)
    const rest = await hub.api('execution.list', { limit: 2, cursor: page.next_cursor })
    expect(rest.executions).toMatchObject([{ task_id: taskId, agent_id: agentId, tool_calls: null, cost_usd: null }])
  },
)

onBoth('processes that a Runner starts are listed with their agent and Runner until they end', async scene => {
  const { hub, other } = scene
  expect(await hub.api('instance.list', {})).toEqual({ instances: [] })
  await hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId })
  const { instances } = await hub.api('instance.list', {})
  expect(instances).toMatchObject([
    { instance_id: expect.stringMatching(/^ins_/), agent_id: other.agentId, project_id: other.projectId, pid: null },
  ])
  expect(await hub.api('instance.list', { agent_id: other.agentId, project_id: other.projectId })).toEqual({
    instances,
  })
  expect(await hub.api('instance.list', { agent_id: scene.agentId })).toEqual({ instances: [] })
  await hub.api('agent.disable', { agent_id: other.agentId })
  await tend(hub)
  expect(await hub.api('instance.list', {})).toEqual({ instances: [] })
})
