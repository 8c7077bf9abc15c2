import { expect, test } from 'vitest'
import { databases, TestClock } from '#test/hub.ts'
import { eventsOf, onBoth, onStage, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('true claims the start, names the engine, and says nothing of the task', async ({ hub, other }) => {
  const body = success(await hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId }))
  expect(body).toEqual({
    should_start: true,
    ai_type: 'claude',
    agent_name: 'other worker',
    ticket: expect.stringMatching(/^tkt_[\w-]{43}$/),
  })
  const rows = await rowsOf(hub)
  expect(JSON.stringify(rows)).not.toContain(body['ticket'])
  const claimed = { agentId: other.agentId, projectId: other.projectId, epoch: 1 }
  expect(eventsOf(rows, 'instance.start_claimed')).toEqual([claimed])
})

onBoth('false says why', async ({ hub, other, agentId, projectId, peerId }) => {
  await hub.api('project.add', { id: 'prj_archived', name: 'archived', directory: hub.home })
  await hub.api('project.archive', { project_id: 'prj_archived' })
  await hub.api('project.add', { id: 'prj_nowhere', name: 'nowhere' })
  await hub.api('agent.disable', { agent_id: other.peerId })
  const reasons: [string, string, string][] = [
    ['agt_nobody', projectId, 'unknown_agent'],
    [other.peerId, other.projectId, 'agent_disabled'],
    [agentId, 'prj_missing', 'unknown_project'],
    [agentId, 'prj_archived', 'project_archived'],
    [agentId, 'prj_nowhere', 'no_directory'],
    [agentId, other.projectId, 'not_assigned'],
    [agentId, projectId, 'running'],
    [peerId, projectId, 'no_work'],
  ]
  const before = await rowsOf(hub)
  for (const [agent_id, project_id, reason] of reasons)
    expect(success(await hub.call('should_start', { agent_id, project_id }))).toEqual({ should_start: false, reason })
  expect({ ...(await rowsOf(hub)), answers: [] }).toEqual({ ...before, answers: [] })
})

test.each(databases)('a claim that nobody takes up ends after 120 s, and its ticket with it (%s)', async database => {
  const clock = new TestClock()
  await onStage({ database, clock }, async ({ hub, other }) => {
    const pair = { agent_id: other.agentId, project_id: other.projectId }
    const first = await hub.call('should_start', pair)
    clock.advance(119_999)
    expect((await hub.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'starting' })
    clock.advance(1)
    expect((await hub.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'backing_off' })
    await expect(hub.connect({ credential: String(first.body['ticket']) })).rejects.toThrow('401')
    clock.advance(10_000)
    expect((await hub.call('should_start', pair)).body['should_start']).toBe(true)
  })
})

onBoth('two runners that ask at once do not both start', async ({ hub, other }) => {
  const ask = () => hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId })
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  expect(answers.filter(({ body }) => body['should_start'])).toHaveLength(1)
})

refuses('should_start', [
  {
    name: 'an agent that asks for others',
    by: 'worker',
    args: s => ({ agent_id: s.other.agentId, project_id: s.other.projectId }),
    error: 'should_start is not for this kind of caller (agent).',
    code: 'NOT_ALLOWED',
  },
  {
    name: 'half a pair',
    args: () => ({ agent_id: 'a' }),
    error: /^Wrong arguments\. project_id: /,
    code: 'INVALID_ARGUMENT',
  },
])
