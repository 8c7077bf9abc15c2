// F17: the clock is set, the machine sleeps, the hub is stopped (Ctrl-Z) or dies in between. Whoever worked before works on
// after it; what had run out stays so; nothing waits for as long as a clock was ahead.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { databases, TestClock, type TestHub, testHub } from './hub.ts'
import { eventsOf, onStage, rowsOf, type Scene } from './scene.ts'

const HOUR = 3_600_000
const MANY_STARTS = { limits: { startsPerMinute: 1000 } }

const interruptions: [string, (clock: TestClock) => void][] = [
  ['a sleep of two hours, or a clock put ahead', clock => clock.jump(2 * HOUR)],
  ['a clock put back by two hours', clock => clock.jump(-2 * HOUR)],
  ['two hours of Ctrl-Z', clock => clock.freeze(2 * HOUR)],
]

test.each(interruptions)(
  '%s ends no session, start or hold, and revives nothing that had ended',
  async (_, interrupt) => {
    const clock = new TestClock()
    await using hub = await testHub({ clock, config: MANY_STARTS })
    const [worker, starting, late] = [await hub.seed('a'), await hub.seed('b'), await hub.seed('c')]
    const agent = await hub.connect()
    await hub.call('should_start', { agent_id: late.agentId, project_id: late.projectId })
    clock.advance(110_000)
    const token = await agent.signIn(worker.agentId, worker.passkey, worker.projectId)
    const { body } = await hub.call('should_start', { agent_id: starting.agentId, project_id: starting.projectId })
    clock.advance(20_000)
    interrupt(clock)
    await hub.running.hub.tend([])
    expect(eventsOf(await rowsOf(hub, 'events'), 'instance.lost')).toMatchObject([{ agentId: late.agentId }])
    expect((await agent.call('get_my_task', { session_token: token })).isError).toBe(false)
    const begun = await hub.connect({ credential: String(body['ticket']) })
    const signIn = { agent_id: starting.agentId, project_id: starting.projectId }
    expect((await begun.call('authenticate', signIn)).isError).toBe(false)
  },
)

/** The next hub on the same database, after this one ended without a word and the clock was set meanwhile. */
async function nextHub({ hub }: Scene, clock: TestClock): Promise<TestHub> {
  await hub.stop()
  return testHub({ target: hub.target, clock, config: MANY_STARTS })
}

for (const database of databases) {
  test.each([
    ['two hours ahead', 2 * HOUR],
    ['two hours back', -2 * HOUR],
  ])(`a clock %s at the next start signs no agent out and starts none twice (${database})`, async (_, jump) => {
    const clock = new TestClock()
    await onStage({ database, clock, config: MANY_STARTS }, async scene => {
      const { worker, token, agentId, projectId, other } = scene
      const pair = { agent_id: other.agentId, project_id: other.projectId }
      expect((await scene.hub.call('should_start', pair)).body['should_start']).toBe(true)
      clock.advance(5_000)
      clock.jump(jump)
      await using next = await nextHub(scene, clock)
      await next.running.hub.tend([])
      const back = await next.connect({ secret: worker.secret, framesBefore: 1000 })
      expect((await back.call('get_my_task', { session_token: token })).isError).toBe(false)
      const asked = await next.call('should_start', { agent_id: agentId, project_id: projectId })
      expect(asked.body).toEqual({ should_start: false, reason: 'running' })
      expect((await next.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'starting' })
      expect(eventsOf(await rowsOf(next, 'events'), 'instance.lost')).toEqual([])
    })
  })

  test(`what was refused as expired stays shut however the clock is put back (${database})`, async () => {
    const clock = new TestClock()
    await onStage({ database, clock, config: MANY_STARTS }, async scene => {
      const { hub, token, other, worker } = scene
      const pair = { agent_id: other.agentId, project_id: other.projectId }
      const ticket = String((await hub.call('should_start', pair)).body['ticket'])
      clock.advance(HOUR)
      const isShut = async (at: TestHub) => {
        const { body } = await at.call('get_my_task', { session_token: token })
        expect(body['code']).toBe('INVALID_SESSION')
        await expect(at.connect({ credential: ticket })).rejects.toThrow('401')
      }
      await isShut(hub)
      clock.jump(-3 * HOUR)
      await isShut(hub)
      await worker.close()
      clock.jump(-3 * HOUR)
      await using next = await nextHub(scene, clock)
      await isShut(next)
      await next.stop()
      clock.reboot(-3 * HOUR)
      await using last = await testHub({ target: hub.target, clock })
      await isShut(last)
    })
  })

  test(`a clock put back does not make starts wait for as long as it was ahead (${database})`, async () => {
    const clock = new TestClock()
    const config = { limits: { startsPerMinute: 1 } }
    await onStage({ database, clock, config }, async ({ hub, other }) => {
      const pair = { agent_id: other.agentId, project_id: other.projectId }
      const ask = async () => (await hub.call('should_start', pair)).body
      await hub.call('should_start', pair)
      // No Runner takes it up.
      clock.advance(120_000)
      expect(await ask()).toMatchObject({ reason: 'backing_off' })
      clock.jump(-2 * HOUR)
      expect(await ask()).toMatchObject({ reason: 'backing_off' })
      clock.advance(10_000)
      expect(await ask()).toMatchObject({ should_start: true })
      clock.jump(-2 * HOUR)
      clock.advance(30_000)
      const third = await hub.seed('third')
      const asked = () => hub.call('should_start', { agent_id: third.agentId, project_id: third.projectId })
      expect((await asked()).body).toMatchObject({ reason: 'rate_limited' })
      clock.advance(30_000)
      expect((await asked()).body).toMatchObject({ should_start: true })
    })
  })

  test(`a pause of an engine ends after its time, also when the clock is put back (${database})`, async () => {
    const clock = new TestClock()
    await onStage({ database, clock, config: MANY_STARTS }, async ({ hub, other }) => {
      const { token } = await hub.api('runner.add', { name: 'box' })
      const as = (operation: string, input: object) =>
        hub.fetch(`/api/${operation}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(input),
        })
      const runner = await hub.connect({ credential: token, toolsets: 'runner' })
      const pair = { agent_id: other.agentId, project_id: other.projectId }
      const { body } = await runner.call('should_start', pair)
      const begun = (await (await as('runner.begin', { ...pair, ticket: body['ticket'] })).json()) as {
        instance_id: string
      }
      const resets_at = clock.now() + HOUR
      const ended = {
        cause: 'itself',
        exit_code: 1,
        signal: null,
        message: 'limit',
        quota: { message: 'limit', resets_at },
      }
      expect((await as('runner.ended', { instance_id: begun.instance_id, ...ended })).status).toBe(200)
      const ask = async () => (await runner.call('should_start', pair)).body
      expect(await ask()).toMatchObject({ reason: 'engine_paused' })
      clock.jump(-5 * HOUR)
      clock.advance(HOUR - 1)
      expect(await ask()).toMatchObject({ reason: 'engine_paused' })
      clock.advance(1)
      expect(await ask()).toMatchObject({ should_start: true })
    })
  })

  test(`a clock that was ahead for ten seconds forgets no answer of a keyed call (${database})`, async () => {
    const clock = new TestClock()
    await onStage({ database, clock }, async ({ hub }) => {
      const add = () =>
        hub.fetch('/api/agent.add', {
          method: 'POST',
          headers: { 'idempotency-key': 'one' },
          body: JSON.stringify({ name: 'once', engine: 'claude' }),
        })
      const first = await (await add()).text()
      clock.jump(48 * HOUR)
      await hub.running.hub.tend([])
      clock.jump(-48 * HOUR)
      expect(await (await add()).text()).toBe(first)
    })
  })

  test(`how long an execution took is not the wall clock's to say (${database})`, async () => {
    const clock = new TestClock()
    await onStage({ database, clock }, async ({ hub, worker, token, taskId }) => {
      await worker.call('get_my_task', { session_token: token })
      clock.advance(5_000)
      clock.jump(-2 * HOUR)
      await worker.call('report_completed', { session_token: token, result: 'success', summary: 's' })
      const { executions } = await hub.api('task.show', { task_id: taskId })
      expect(executions).toMatchObject([{ duration_seconds: 5 }])
    })
  })
}

test.each(databases)(
  'the newest handoff is the newest, however the clock was put back before it (%s)',
  async database => {
    const clock = new TestClock()
    await onStage({ database, clock }, async scene => {
      const { taskId: task_id, agentId, peerId, other, projectId } = scene
      await scene.hub.api('project.assign', { project_id: projectId, agent_id: other.agentId })
      const give = async (hub: TestHub, from_agent_id: string, to_agent_id: string) => {
        const { body } = await hub.call('create_handoff', { task_id, from_agent_id, to_agent_id, summary: 's' })
        return String(body['handoff_id'])
      }
      await give(scene.hub, agentId, peerId)
      clock.jump(-2 * HOUR)
      const second = await give(scene.hub, peerId, other.agentId)
      clock.advance(1_000)
      clock.jump(-2 * HOUR)
      await using hub = await nextHub(scene, clock)
      const third = await give(hub, other.agentId, peerId)
      expect([third > second, (await hub.call('get_pending_handoffs', {})).body['handoffs']]).toMatchObject([
        true,
        [{ handoff_id: third }],
      ])
      const { body } = await hub.call('accept_handoff', { handoff_id: third, agent_id: peerId })
      expect(body).toMatchObject({ success: true })
    })
  },
)

test('a sign-in that has to wait does not wait for as long as a clock was ahead', async () => {
  const clock = new TestClock()
  await onStage({ clock }, async ({ hub, other }) => {
    const guess = async (passkey: string) => {
      const { agentId: agent_id, projectId: project_id } = other
      return (await hub.call('authenticate', { agent_id, passkey, project_id })).body
    }
    for (let attempt = 0; attempt < 6; attempt++) await guess('wrong')
    clock.jump(-2 * HOUR)
    expect(await guess(other.passkey)).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
    clock.advance(5_000)
    expect(await guess(other.passkey)).toMatchObject({ success: true })
  })
})

test.runIf(databases.includes('postgres'))(
  'a hub whose clock is hours ahead expires nothing of the other hubs of its database',
  async () => {
    const clock = new TestClock()
    await onStage({ database: 'postgres', clock }, async ({ hub, worker, token }) => {
      const ahead = new TestClock()
      ahead.reboot(5 * HOUR)
      const home = join(hub.home, 'another')
      const target = locate(hub.target.db, { env: { HOME: home, TORYO_HOME: home } })
      await using second = await testHub({ target, clock: ahead })
      await second.running.hub.tend([])
      expect((await worker.call('get_my_task', { session_token: token })).isError).toBe(false)
      expect(eventsOf(await rowsOf(hub, 'events'), 'instance.lost')).toEqual([])
    })
  },
)
