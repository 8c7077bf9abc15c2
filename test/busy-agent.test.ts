// A task whose agent works on another one says so, and one like that agent is added for it in one call.
import { expect } from 'vitest'
import { eventsOf, onBoth, rowsOf, type Scene } from './scene.ts'

/** The agent works on the first task, and has a second one in progress. */
async function twoTasks({ hub, worker, token, projectId, agentId, taskId }: Scene) {
  await worker.call('get_my_task', { session_token: token })
  const task = await hub.api('task.add', { project_id: projectId, title: 'Tiles', assignee_id: agentId })
  await hub.api('task.move', { task_id: task.task_id, status: 'in_progress' })
  const ahead = { task_id: taskId, handle: 'demo-1', title: 'Build the roof', stage: 'working' }
  return { id: task.task_id, ahead }
}

onBoth('a task that waits for a busy agent says for which task, until that is over', async scene => {
  const { hub, worker, token, taskId, agentId, projectId } = scene
  const { id, ahead } = await twoTasks(scene)
  const card = async (task_id: string = id) => (await hub.api('task.cards', { ids: [task_id as never] })).cards[0]
  expect(await card()).toMatchObject({ agent_busy_with: ahead, run: null })
  expect(await card(taskId)).toMatchObject({ agent_busy_with: null, run: { tool_calls: null } })
  expect(await hub.api('task.show', { task_id: id })).toMatchObject({
    agent_busy_with: ahead,
    not_started: 'demo worker works on demo-1 Build the roof, and on one task at a time.',
  })
  const show = await hub.fetch('/api/task.show', {
    method: 'POST',
    body: JSON.stringify({ task_id: id }),
    headers: { 'accept-language': 'ja' },
  })
  expect(await show.text()).toContain(
    'demo worker は demo-1 Build the roof を作業中です。一度に作業するタスクは 1 つです。',
  )
  const { waiting } = await hub.api('work.list', {})
  expect(waiting).toEqual([
    expect.objectContaining({
      ...{ task_id: id, handle: 'demo-2', title: 'Tiles', project_id: projectId },
      ...{ agent_id: agentId, agent_name: 'demo worker', agent_busy_with: ahead },
    }),
  ])

  // One that is not in progress waits for a person, and one that depends on others for them.
  await hub.api('task.move', { task_id: id, status: 'todo' })
  expect(await card()).toMatchObject({ agent_busy_with: null })
  await hub.api('task.move', { task_id: id, status: 'in_progress' })
  await hub.api('task.link', { task_id: id, depends_on: [taskId] })
  expect(await card()).toMatchObject({ agent_busy_with: null, waits_for: 1 })
  expect((await hub.api('work.list', {})).waiting).toEqual([])
  await hub.api('task.unlink', { task_id: id, depends_on: [taskId] })
  expect(await card()).toMatchObject({ agent_busy_with: ahead })

  await worker.call('report_completed', { session_token: token, result: 'success', summary: 'done' })
  expect(await card()).toMatchObject({ agent_busy_with: null })
  expect((await hub.api('work.list', {})).waiting).toEqual([])
})

onBoth('one like it has its engine, instructions, permissions and projects, and gets the task', async scene => {
  const { hub, agentId, projectId, taskId } = scene
  const { id } = await twoTasks(scene)
  await hub.api('agent.edit', { agent_id: agentId, name: 'Claude', role: 'builder', system_prompt: 'Measure twice.' })
  await hub.api('agent.toolsets', { agent_id: agentId, toolsets: ['planning'] })
  await hub.api('agent.add', { name: 'Claude 2', engine: 'codex' })

  const made = await hub.api('agent.copy', { agent_id: agentId, task_id: id })
  expect(made).toMatchObject({ name: 'Claude 3', engine: 'claude', role: 'builder', toolsets: ['planning'] })
  expect(made).toMatchObject({ project_ids: [projectId], task: { task_id: id, assignee_id: made.agent_id } })
  // It is for programs that sign in themselves.
  expect(JSON.stringify(made)).not.toContain('key_')
  expect(await hub.api('agent.show', { agent_id: made.agent_id })).toMatchObject({ system_prompt: 'Measure twice.' })
  expect((await hub.api('task.cards', { ids: [id] })).cards).toMatchObject([
    { assignee_id: made.agent_id, status: 'in_progress', agent_busy_with: null },
  ])
  const events = await rowsOf(hub)
  expect(eventsOf(events, 'agent.added').at(-1)).toEqual({ agentId: made.agent_id })
  expect(eventsOf(events, 'task.assigned').at(-1)).toMatchObject({ from: agentId, agentId: made.agent_id })

  // Of one with a number, too; and without a task, it waits for its first one.
  const next = await hub.api('agent.copy', { agent_id: made.agent_id })
  expect(next).toMatchObject({ name: 'Claude 4', project_ids: [projectId], task: null })
  expect(await hub.api('agent.copy', { agent_id: agentId, name: 'Aoi' })).toMatchObject({ name: 'Aoi' })

  // The one that works goes on.
  expect((await hub.api('task.cards', { ids: [taskId] })).cards).toMatchObject([{ run: { tool_calls: null } }])
})

onBoth('pressed twice, one is added; nor is a task taken from an agent that works on it', async scene => {
  const { hub, agentId, taskId } = scene
  const { id } = await twoTasks(scene)
  const press = (task_id: string) =>
    hub.fetch('/api/agent.copy', { method: 'POST', body: JSON.stringify({ agent_id: agentId, task_id }) })
  const answers = await Promise.all([press(id), press(id)])
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
  const refused = await answers.find(({ status }) => status === 409)?.json()
  expect(refused).toMatchObject({ error: { code: 'TASK_DOES_NOT_WAIT' } })
  const agents = (await rowsOf(hub, 'agents'))['agents']
  expect((await press(taskId)).status).toBe(409)
  expect((await rowsOf(hub, 'agents'))['agents']).toEqual(agents)
})

onBoth('agents may not add one like themselves', async scene => {
  const { hub, agentId, worker } = scene
  const agents = (await rowsOf(hub, 'agents'))['agents']
  const headers = { authorization: `Bearer ${worker.secret}` }
  const body = JSON.stringify({ agent_id: agentId })
  const answer = await hub.fetch('/api/agent.copy', { method: 'POST', body, headers })
  expect([401, 403]).toContain(answer.status)
  expect((await rowsOf(hub, 'agents'))['agents']).toEqual(agents)
})
