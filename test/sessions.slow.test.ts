// What happens to a session and its pair as time goes by, with a clock that only the test moves.
import { expect } from 'vitest'
import { eventsOf, inTime, rowsOf, tend } from './scene.ts'

const MINUTE = 60_000

inTime(
  'each use of the token renews it; an hour without one ends it',
  async ({ hub, worker, token, agentId, projectId }, clock) => {
    for (let hours = 0; hours < 5; hours++) {
      clock.advance(59 * MINUTE)
      expect((await worker.call('get_my_task', { session_token: token })).isError).toBe(false)
    }
    clock.advance(60 * MINUTE)
    const { body } = await worker.call('get_my_task', { session_token: token })
    expect(body).toEqual({ success: false, error: 'Invalid or expired session_token', code: 'INVALID_SESSION' })
    clock.advance(10_000)
    const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
    expect(start.body['should_start']).toBe(true)
  },
)

inTime(
  'a connection that is still there keeps its session alive, however long the work takes',
  async (scene, clock) => {
    const { hub, worker, token, agentId, projectId } = scene
    for (let times = 0; times < 10; times++) {
      clock.advance(50 * MINUTE)
      await tend(hub, worker.secret)
    }
    const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
    expect(start.body).toEqual({ should_start: false, reason: 'running' })
    expect((await worker.call('get_my_task', { session_token: token })).isError).toBe(false)
  },
)

inTime('an instance that falls silent frees its pair, and its execution ends as an error', async (scene, clock) => {
  const { hub, worker, token, taskId, agentId, projectId } = scene
  await worker.call('get_my_task', { session_token: token })
  clock.advance(60 * MINUTE)
  await tend(hub)
  const rows = await rowsOf(hub)
  expect(rows['runs']).toMatchObject([{ task_id: taskId, outcome: 'error', result: null }])
  expect(rows['sessions']).toMatchObject([{ end_reason: 'lost' }])
  expect(eventsOf(rows, 'instance.lost')).toEqual([{ agentId, projectId, epoch: 1, restarts: 1 }])
})

inTime('signing in over a silent instance ends its execution too', async (scene, clock) => {
  const { hub, worker, token, agentId, passkey, projectId } = scene
  await worker.call('get_my_task', { session_token: token })
  clock.advance(60 * MINUTE)
  const next = await hub.connect()
  await next.signIn(agentId, passkey, projectId)
  expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([{ outcome: 'error' }])
})

inTime(
  'it is started again after 10 s, doubling, five times; then the task is blocked and says so',
  async (scene, clock) => {
    const { hub, worker, token, taskId, agentId, projectId } = scene
    const pair = { agent_id: agentId, project_id: projectId }
    await worker.call('logout', { session_token: token })
    const ask = async () => (await hub.call('should_start', pair)).body
    expect((await ask())['should_start']).toBe(true)
    for (const seconds of [10, 20, 40, 80, 160]) {
      clock.advance(120_000)
      await tend(hub)
      expect(await ask()).toEqual({ should_start: false, reason: 'backing_off' })
      clock.advance(seconds * 1000 - 1)
      expect(await ask()).toEqual({ should_start: false, reason: 'backing_off' })
      clock.advance(1)
      expect((await ask())['should_start']).toBe(true)
    }
    clock.advance(120_000)
    await tend(hub)
    const { body } = await hub.call('get_task', { task_id: taskId })
    expect(body['task']).toMatchObject({
      status: 'blocked',
      blocked_reason: expect.stringContaining('started 5 times more and fell silent or ended each time'),
    })
    clock.advance(10 * MINUTE)
    expect(await ask()).toEqual({ should_start: false, reason: 'no_work' })
    expect(eventsOf(await rowsOf(hub, 'events'), 'instance.lost').map(({ restarts }) => restarts)).toEqual([
      1, 2, 3, 4, 5, 6,
    ])

    await hub.call('update_task_status', { task_id: taskId, status: 'in_progress' })
    expect((await ask())['should_start']).toBe(true)
  },
)

inTime('a report makes the next start immediate again', async (scene, clock) => {
  const { hub, other } = scene
  const pair = { agent_id: other.agentId, project_id: other.projectId }
  await hub.call('should_start', pair)
  clock.advance(120_000)
  await tend(hub)
  clock.advance(10_000)
  const start = await hub.call('should_start', pair)
  const starter = await hub.connect({ credential: String(start.body['ticket']) })
  const { body } = await starter.call('authenticate', pair)
  await starter.call('report_completed', { session_token: body['session_token'], result: 'success' })
  expect((await hub.call('should_start', pair)).body['should_start']).toBe(true)
  expect((await rowsOf(hub, 'leases'))['leases']).toContainEqual(
    expect.objectContaining({ agent_id: other.agentId, restarts: 0 }),
  )
})

inTime('an instance that was taken over can read but no longer write', async (scene, clock) => {
  const { hub, worker, token, taskId, agentId, passkey, projectId } = scene
  clock.advance(60 * MINUTE)
  const next = await hub.connect()
  await next.signIn(agentId, passkey, projectId)
  const stale = {
    success: false,
    error: 'A newer instance of agt_demo has taken over; this one may no longer write. Stop working.',
    code: 'STALE_EPOCH',
  }
  const before = await rowsOf(hub)
  expect((await worker.call('save_context', { task_id: taskId, progress: 'late' })).body).toEqual(stale)
  expect((await worker.call('update_task_status', { task_id: taskId, status: 'done' })).body).toEqual(stale)
  expect((await worker.call('report_completed', { session_token: token, result: 'success' })).body).toEqual(stale)
  expect((await worker.call('get_task', { task_id: taskId })).isError).toBe(false)
  const after = await rowsOf(hub)
  expect(after['notes']).toEqual(before['notes'])
  expect(eventsOf(after, 'call.refused').map(({ code }) => code)).toEqual(['STALE_EPOCH', 'STALE_EPOCH', 'STALE_EPOCH'])
  expect((await next.call('save_context', { task_id: taskId, progress: 'mine' })).isError).toBe(false)
})

inTime('the identity of a connection survives its reconnect', async ({ hub, worker, other }) => {
  await worker.close()
  const back = await hub.connect({ secret: worker.secret, framesBefore: 100 })
  expect((await back.call('get_task', { task_id: other.taskId })).body['code']).toBe('NOT_ALLOWED')
})
