// A task that leaves `in_progress`, or changes hands, ends what a Runner started for it.
import { expect } from 'vitest'
import type { TestConnection } from './hub.ts'
import { eventsOf, onBoth, rowsOf, type Scene } from './scene.ts'

/** Started by a Runner of ours, signed in, at work. */
async function atWork({ hub, other }: Scene): Promise<{ worker: TestConnection; token: string }> {
  const pair = { agent_id: other.agentId, project_id: other.projectId }
  const { token: credential } = await hub.api('runner.add', { name: 'box' })
  const runner = await hub.connect({ credential, toolsets: 'runner' })
  const { body } = await runner.call('should_start', pair)
  const headers = { authorization: `Bearer ${credential}` }
  const begin = { method: 'POST', headers, body: JSON.stringify({ ...pair, ticket: body['ticket'] }) }
  expect((await hub.fetch('/api/runner.begin', begin)).status).toBe(200)
  const worker = await hub.connect({ credential: String(body['ticket']) })
  const signedIn = await worker.call('authenticate', pair)
  const token = String(signedIn.body['session_token'])
  await worker.call('get_my_task', { session_token: token })
  return { worker, token }
}

/** As a Runner of people's own does it: asked, started, signed in, at work. */
async function atWorkElsewhere({ hub, other }: Scene): Promise<{ worker: TestConnection; token: string }> {
  const { agentId: agent_id, projectId: project_id } = other
  const start = await hub.call('should_start', { agent_id, project_id })
  expect(start.body).toMatchObject({ should_start: true })
  const worker = await hub.connect()
  const token = await worker.signIn(other.agentId, other.passkey, other.projectId)
  await worker.call('get_my_task', { session_token: token })
  return { worker, token }
}

const runOf = async ({ hub, other }: Scene) => (await hub.api('task.show', { task_id: other.taskId })).executions[0]

const MOVES: [name: string, move: (scene: Scene) => Promise<unknown>, reason: string][] = [
  [
    'cancelled',
    ({ hub, other }) => hub.api('task.move', { task_id: other.taskId, status: 'cancelled' }),
    'The agent was stopped because other-1 was moved to cancelled.',
  ],
  [
    'blocked by a person',
    ({ hub, other }) => hub.api('task.move', { task_id: other.taskId, status: 'blocked' }),
    'The agent was stopped because other-1 was moved to blocked.',
  ],
  [
    'moved to done by a person',
    ({ hub, other }) => hub.api('task.move', { task_id: other.taskId, status: 'done' }),
    'The agent was stopped because other-1 was moved to done.',
  ],
  [
    'given to another agent',
    ({ hub, other }) => hub.api('task.assign', { task_id: other.taskId, agent_id: other.peerId }),
    'The agent was stopped because other-1 was given to other peer.',
  ],
  [
    'given to another agent by an edit',
    ({ hub, other }) => hub.api('task.edit', { task_id: other.taskId, assignee_id: other.peerId }),
    'The agent was stopped because other-1 was given to other peer.',
  ],
  [
    'taken from its agent',
    ({ hub, other }) => hub.api('task.assign', { task_id: other.taskId, agent_id: null }),
    'The agent was stopped because other-1 was taken from it.',
  ],
]

for (const [name, move, reason] of MOVES)
  onBoth(`a task that is ${name} ends its agent, with the reason in words`, async scene => {
    const { worker, token } = await atWork(scene)
    await move(scene)
    const run = await runOf(scene)
    expect(run).toMatchObject({ status: 'error', reason })
    const task = await scene.hub.api('task.show', { task_id: scene.other.taskId })
    expect((await worker.call('get_my_task', { session_token: token })).isError).toBe(true)
    const report = { session_token: token, result: 'success', summary: 'late' }
    expect((await worker.call('report_completed', report)).isError).toBe(true)
    expect(await scene.hub.api('task.show', { task_id: scene.other.taskId })).toEqual(task)
    expect(eventsOf(await rowsOf(scene.hub, 'events'), 'run.ended')).toMatchObject([
      { reason: 'task-left', outcome: 'error' },
    ])
    expect(await scene.hub.api('work.list', {})).toEqual({ work: [], waiting: [] })
  })

for (const [name, move, reason] of MOVES)
  onBoth(`a task that is ${name} leaves an agent signed in that Toryo did not start`, async scene => {
    const { worker, token } = await atWorkElsewhere(scene)
    await move(scene)
    expect(await runOf(scene)).toMatchObject({ status: 'error', reason })
    const task = await scene.hub.api('task.show', { task_id: scene.other.taskId })
    const { body } = await worker.call('get_my_task', { session_token: token })
    const instruction = expect.stringContaining('Call report_completed')
    expect(body).toEqual({ success: true, has_task: false, instruction })
    const report = { session_token: token, result: 'success', summary: 'There was none.' }
    expect((await worker.call('report_completed', report)).body).toMatchObject({ success: true })
    expect(await scene.hub.api('task.show', { task_id: scene.other.taskId })).toEqual(task)
    expect(await scene.hub.api('work.list', {})).toEqual({ work: [], waiting: [] })
    expect((await rowsOf(scene.hub, 'leases'))['leases']).toContainEqual(
      expect.objectContaining({ agent_id: scene.other.agentId, session_id: null }),
    )
  })

onBoth('an agent that signed in by itself reads that its task was closed, and may report without one', async scene => {
  const { hub, other } = scene
  const worker = await hub.connect()
  const token = await worker.signIn(other.agentId, other.passkey, other.projectId)
  await worker.call('get_my_task', { session_token: token })
  await hub.api('task.move', { task_id: other.taskId, status: 'done' })
  const { body } = await worker.call('get_my_task', { session_token: token })
  const instruction = expect.stringContaining('Call report_completed')
  expect(body).toEqual({ success: true, has_task: false, instruction })
  const report = { session_token: token, result: 'success', summary: 'There was none.' }
  expect((await worker.call('report_completed', report)).body).toMatchObject({ success: true })
  expect(await hub.api('task.show', { task_id: other.taskId })).toMatchObject({ status: 'done' })
  expect(await hub.api('work.list', {})).toEqual({ work: [], waiting: [] })
})

onBoth('the reason names the person, in the language of the reader', async scene => {
  await atWork(scene)
  const operator = await scene.hub.connect({ person: 'Naoya' })
  await operator.call('update_task_status', { task_id: scene.other.taskId, status: 'todo' })
  expect(await runOf(scene)).toMatchObject({
    reason: 'The agent was stopped because other-1 was moved to todo by Naoya.',
  })
  const shown = await scene.hub.fetch('/api/task.show', {
    method: 'POST',
    headers: { 'accept-language': 'ja' },
    body: JSON.stringify({ task_id: scene.other.taskId }),
  })
  const { executions } = (await shown.json()) as { executions: { reason: string }[] }
  expect(executions[0]?.reason).toBe('Naoya が other-1 を「未着手」に移動したため、エージェントを停止しました。')
})

onBoth('a start that has not signed in yet ends, too', async scene => {
  const { hub, other } = scene
  await hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId })
  await hub.api('task.move', { task_id: other.taskId, status: 'cancelled' })
  expect(await runOf(scene)).toMatchObject({ status: 'error', reason: expect.stringContaining('moved to cancelled') })
})

onBoth('an agent that moves its own task goes on until it reports', async scene => {
  const { worker, token } = await atWorkElsewhere(scene)
  await worker.call('update_task_status', { task_id: scene.other.taskId, status: 'done' })
  expect(await runOf(scene)).toMatchObject({ status: 'running' })
  const report = { session_token: token, result: 'success', summary: 'It holds.' }
  expect((await worker.call('report_completed', report)).isError).toBe(false)
  expect(await runOf(scene)).toMatchObject({ status: 'completed', reason: null })
})

onBoth('an agent that no Runner started, as in a tab of a person, goes on', async scene => {
  const { hub, worker, token, taskId } = scene
  await worker.call('get_my_task', { session_token: token })
  await hub.api('task.move', { task_id: taskId, status: 'todo' })
  expect((await hub.api('task.show', { task_id: taskId })).executions[0]).toMatchObject({ status: 'running' })
  const report = { session_token: token, result: 'success', summary: 'by hand' }
  expect((await worker.call('report_completed', report)).isError).toBe(false)
})

onBoth('a session that has taken another task since then keeps that one', async scene => {
  const { hub, other } = scene
  const { worker, token } = await atWork(scene)
  const urgent = { project_id: other.projectId, title: 'Urgent', assignee_id: other.agentId, status: 'in_progress' }
  const { task_id } = await hub.api('task.add', { ...urgent, priority: 'urgent' } as never)
  await worker.call('get_my_task', { session_token: token })
  expect((await hub.api('task.show', { task_id })).executions[0]).toMatchObject({ status: 'running' })
  await hub.api('task.move', { task_id: other.taskId, status: 'cancelled' })
  expect(await runOf(scene)).toMatchObject({ status: 'error' })
  expect((await hub.api('task.show', { task_id })).executions[0]).toMatchObject({ status: 'running' })
  const report = { session_token: token, result: 'success', summary: 'done' }
  expect((await worker.call('report_completed', report)).isError).toBe(false)
  expect(await hub.api('task.show', { task_id })).toMatchObject({ status: 'done' })
})

onBoth('a report at the same moment counts or is refused, and the run ends once', async scene => {
  const { worker, token } = await atWork(scene)
  const { hub, other } = scene
  const [report] = await Promise.all([
    worker.call('report_completed', { session_token: token, result: 'success', summary: 'It holds.' }),
    hub.api('task.move', { task_id: other.taskId, status: 'cancelled' }),
  ])
  const run = await runOf(scene)
  expect(run).toMatchObject(report.isError ? { status: 'error' } : { status: 'completed', reason: null })
  expect(eventsOf(await rowsOf(hub, 'events'), 'run.ended')).toHaveLength(1)
  expect(await hub.api('task.show', { task_id: other.taskId })).toMatchObject({ status: 'cancelled' })
})

const BY_AGENTS: [name: string, tool: string, change: (scene: Scene) => object][] = [
  ['moves', 'update_task_status', () => ({ status: 'todo' })],
  ['blocks', 'update_task_status', () => ({ status: 'blocked' })],
  ['takes', 'assign_task', ({ other }) => ({ assignee_id: other.peerId })],
  ['takes away', 'assign_task', () => ({ assignee_id: null })],
]

for (const [name, tool, change] of BY_AGENTS)
  onBoth(`an agent that ${name} the task of another is refused, and does not end that agent`, async scene => {
    const { hub, other } = scene
    const { worker, token } = await atWork(scene)
    const peer = await hub.connect()
    await peer.signIn(other.peerId, other.peerPasskey, other.projectId)
    const refused = await peer.call(tool, { task_id: other.taskId, ...change(scene) })
    expect(refused.body).toMatchObject({ code: 'TASK_IN_HANDS' })
    expect(await runOf(scene)).toMatchObject({ status: 'running' })
    const report = { session_token: token, result: 'success', summary: 'It holds.' }
    expect((await worker.call('report_completed', report)).isError).toBe(false)
    expect(eventsOf(await rowsOf(hub, 'events'), 'run.ended')).toMatchObject([{ outcome: 'completed' }])
  })
