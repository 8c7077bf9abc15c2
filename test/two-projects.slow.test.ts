// One connection, one agent, two projects: each session_token is a session of its own, and none of them ends another.
import { expect, test } from 'vitest'
import type { TestConnection, TestHub } from './hub.ts'
import { databases, TestClock } from './hub.ts'
import { eventsOf, onStage, rowsOf, type Scene } from './scene.ts'

const MINUTE = 60_000

type Story = Scene & {
  clock: TestClock
  /** The session of the same agent on the second project, opened last. */
  second: string
  secondTask: string
}

function onTwo(sentence: string, story: (scene: Story) => Promise<void>): void {
  test.each(databases)(`${sentence} (%s)`, database => {
    const clock = new TestClock()
    return onStage({ database, clock }, async scene => {
      const { hub, worker, agentId, passkey, other } = scene
      await hub.api('project.assign', { project_id: other.projectId, agent_id: agentId })
      const task = { id: 'tsk_second', title: 'Lay the floor', assignee_id: agentId, status: 'in_progress' } as const
      await hub.api('task.add', { ...task, project_id: other.projectId })
      const second = await worker.signIn(agentId, passkey, other.projectId)
      await story({ ...scene, clock, second, secondTask: task.id })
    })
  })
}

async function taskOf(worker: TestConnection, session_token: string): Promise<unknown> {
  const { body } = await worker.call('get_my_task', { session_token })
  return (body['task'] as { task_id?: string } | undefined)?.task_id ?? body['code'] ?? body['has_task']
}

async function running(hub: TestHub, agent_id: string, project_id: string): Promise<unknown> {
  return (await hub.call('should_start', { agent_id, project_id })).body['reason'] ?? 'free'
}

onTwo('both tokens work, in whatever order, and each for its own project', async scene => {
  const { hub, worker, token, second, taskId, secondTask, projectId, other, agentId } = scene
  expect(await taskOf(worker, token)).toBe(taskId)
  expect(await taskOf(worker, second)).toBe(secondTask)
  const report = { result: 'success', summary: 'done', next_steps: 'paint it' }
  const { body } = await worker.call('report_completed', { session_token: token, ...report })
  expect(body).toMatchObject({ success: true })

  // The other one has not noticed.
  expect(await taskOf(worker, token)).toBe('INVALID_SESSION')
  expect(await taskOf(worker, second)).toBe(secondTask)
  expect((await worker.call('save_context', { task_id: secondTask, progress: 'half' })).isError).toBe(false)
  const rows = await rowsOf(hub)
  const told = (rows['events'] ?? []).filter(({ type }) => type === 'run.started' || type === 'instance.signed_out')
  const facts = told.map(({ type, project_id, caller }) => `${String(type)} ${String(project_id)} ${String(caller)}`)
  expect(facts.sort()).toEqual([
    `instance.signed_out ${projectId} agent:${agentId}`,
    `run.started ${projectId} agent:${agentId}`,
    `run.started ${other.projectId} agent:${agentId}`,
  ])
  const notes = (rows['notes'] ?? []).map(({ task_id, progress }) => [task_id, progress])
  expect(notes).toEqual(
    expect.arrayContaining([
      [taskId, 'done'],
      [secondTask, 'half'],
    ]),
  )
})

onTwo(
  'a call without a token acts as the latest sign-in, also when that was one of a session that lived on',
  async scene => {
    const { worker, hub, token, taskId, secondTask, agentId, passkey, projectId } = scene
    const save = async (by: TestConnection, task_id: string) =>
      (await by.call('save_context', { task_id, progress: 'p' })).body['code'] ?? 'ok'
    expect([await save(worker, taskId), await save(worker, secondTask)]).toEqual(['NOT_ALLOWED', 'ok'])
    expect(await worker.signIn(agentId, passkey, projectId)).toBe(token)
    expect([await save(worker, taskId), await save(worker, secondTask)]).toEqual(['ok', 'NOT_ALLOWED'])

    await worker.close()
    const back = await hub.connect({ secret: worker.secret, framesBefore: 100 })
    expect([await save(back, taskId), await save(back, secondTask)]).toEqual(['ok', 'NOT_ALLOWED'])
  },
)

onTwo('a connection that is still there keeps all its sessions alive', async scene => {
  const { hub, worker, clock, token, second, taskId, secondTask } = scene
  for (let times = 0; times < 5; times++) {
    clock.advance(50 * MINUTE)
    await hub.running.hub.tend([worker.secret])
  }
  expect([await taskOf(worker, token), await taskOf(worker, second)]).toEqual([taskId, secondTask])
})

onTwo('both survive a cut of the connection', async ({ hub, worker, token, second, taskId, secondTask }) => {
  await worker.close()
  const back = await hub.connect({ secret: worker.secret, framesBefore: 100 })
  expect([await taskOf(back, token), await taskOf(back, second)]).toEqual([taskId, secondTask])
})

for (const last of ['first', 'second'] as const)
  onTwo(`logging out of the ${last} leaves the other, and the connection stays the agent's`, async scene => {
    const { hub, worker, agentId, projectId, other, peerId, peerPasskey } = scene
    const sessions = {
      first: { token: scene.token, project: projectId, task: scene.taskId },
      second: { token: scene.second, project: other.projectId, task: scene.secondTask },
    }
    const gone = sessions[last]
    const kept = sessions[last === 'first' ? 'second' : 'first']
    expect((await worker.call('logout', { session_token: gone.token })).body).toEqual({ success: true })
    expect(await taskOf(worker, kept.token)).toBe(kept.task)
    expect((await worker.call('save_context', { task_id: kept.task, progress: 'p' })).isError).toBe(false)
    expect((await worker.call('save_context', { task_id: gone.task, progress: 'p' })).body['code']).toBe('NOT_ALLOWED')
    expect(await running(hub, agentId, kept.project)).toBe('running')
    expect(await running(hub, agentId, gone.project)).not.toBe('running')

    // Nor does it turn into another agent while one session lives.
    const peer = { agent_id: peerId, passkey: peerPasskey, project_id: projectId }
    expect((await worker.call('authenticate', peer)).body['code']).toBe('AGENT_MISMATCH')
    expect((await worker.call('logout', { session_token: kept.token })).body).toEqual({ success: true })
    expect((await worker.call('authenticate', peer)).body).toMatchObject({ success: true })
  })

onTwo('one that is taken over leaves the other alone', async scene => {
  const { hub, worker, clock, token, second, secondTask, taskId, agentId, passkey, projectId } = scene
  clock.advance(30 * MINUTE)
  expect(await taskOf(worker, second)).toBe(secondTask)
  clock.advance(31 * MINUTE)
  const next = await hub.connect()
  await next.signIn(agentId, passkey, projectId)
  expect(await taskOf(worker, token)).toBe('STALE_EPOCH')
  expect(await taskOf(worker, second)).toBe(secondTask)
  expect((await worker.call('report_completed', { session_token: token, result: 'success' })).body['code']).toBe(
    'STALE_EPOCH',
  )
  expect((await worker.call('report_completed', { session_token: second, result: 'success' })).isError).toBe(false)
  expect((await hub.call('get_task', { task_id: taskId })).body['task']).toMatchObject({ status: 'in_progress' })
  expect(eventsOf(await rowsOf(hub, 'events'), 'instance.lost')).toMatchObject([{ projectId }])
})

onTwo("another connection's session of the same agent is not this one's to use", async scene => {
  const { hub, worker, agentId, passkey, projectId, token, second } = scene
  await worker.call('logout', { session_token: token })
  const elsewhere = await hub.connect()
  const theirs = await elsewhere.signIn(agentId, passkey, projectId)
  expect(await taskOf(worker, theirs)).toBe('AGENT_MISMATCH')
  expect(await taskOf(elsewhere, second)).toBe('AGENT_MISMATCH')
})
