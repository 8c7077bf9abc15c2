// F17: a machine that slept. Whoever worked before it works on after it; whoever was due before is due still.
import { expect, test } from 'vitest'
import { TestClock, testHub } from './hub.ts'
import { eventsOf, rowsOf } from './scene.ts'

test('a sleep of two hours ends no session, start or hold, and revives nothing that had ended', async () => {
  const clock = new TestClock()
  await using hub = await testHub({ clock, config: { limits: { startsPerMinute: 1000 } } })
  const [worker, starting, late] = [await hub.seed('a'), await hub.seed('b'), await hub.seed('c')]
  const agent = await hub.connect()
  await hub.call('should_start', { agent_id: late.agentId, project_id: late.projectId })
  clock.advance(110_000)
  const token = await agent.signIn(worker.agentId, worker.passkey, worker.projectId)
  const { body } = await hub.call('should_start', { agent_id: starting.agentId, project_id: starting.projectId })
  clock.advance(20_000)
  await hub.running.hub.watchClock()
  clock.jump(7_200_000)
  await hub.running.hub.watchClock()
  await hub.running.hub.tend([])
  expect(eventsOf(await rowsOf(hub), 'instance.lost')).toMatchObject([{ agentId: late.agentId }])
  expect((await agent.call('get_my_task', { session_token: token })).isError).toBe(false)
  const begun = await hub.connect({ credential: String(body['ticket']) })
  const signIn = { agent_id: starting.agentId, project_id: starting.projectId }
  expect((await begun.call('authenticate', signIn)).isError).toBe(false)
})
