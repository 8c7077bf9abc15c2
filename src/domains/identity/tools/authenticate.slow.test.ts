import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { databases, TestClock } from '#test/hub.ts'
import { callBy, eventsOf, invoke, onBoth, onStage, refuses, rowsOf, success } from '#test/scene.ts'

onBoth('a right passkey opens a session that says who the agent is and what to do next', async scene => {
  const { hub, peerId, peerPasskey, projectId } = scene
  const peer = await hub.connect()
  const answer = await peer.call('authenticate', { agent_id: peerId, passkey: peerPasskey, project_id: projectId })

  expect(success(answer)).toEqual({
    success: true,
    session_token: expect.stringMatching(/^sess_[\w-]{43}$/),
    expires_in: 3600,
    agent_name: 'demo peer',
    project_name: 'demo',
    system_prompt: '',
    instruction: 'Call get_my_task to get your task.',
  })
  const rows = await rowsOf(hub)
  expect(rows['sessions']).toMatchObject([{ agent_id: scene.agentId }, { agent_id: peerId, project_id: projectId }])
  expect(eventsOf(rows, 'instance.signed_in').at(-1)).toEqual({ agentId: peerId, projectId, epoch: 1 })
})

onBoth('the token is in no table', async ({ hub, token }) => {
  expect(JSON.stringify(await rowsOf(hub))).not.toContain(token)
})

onBoth('the same agent works on two projects at once', async ({ hub, other, agentId, passkey }) => {
  await hub.api('project.assign', { project_id: other.projectId, agent_id: agentId })
  const second = await hub.connect()
  expect(await second.signIn(agentId, passkey, other.projectId)).toMatch(/^sess_/)
})

onBoth('the answer is in the language of the connection, its quoted errors are not', async scene => {
  const { hub, peerId, peerPasskey, projectId, agentId } = scene
  const peer = await hub.connect({ lang: 'ja' })
  const wrong = await peer.call('authenticate', { agent_id: agentId, passkey: 'wrong', project_id: projectId })
  expect(wrong.body['error']).toBe('Invalid agent_id or passkey')
  const right = await peer.call('authenticate', { agent_id: peerId, passkey: peerPasskey, project_id: projectId })
  expect(right.body['instruction']).toBe('get_my_task を呼び出して、自分のタスクを受け取ってください。')
})

onBoth(
  'a ticket signs in without a passkey, and a passkey on the same connection means the same instance',
  async scene => {
    const { hub, other } = scene
    const pair = { agent_id: other.agentId, project_id: other.projectId }
    const start = await hub.call('should_start', pair)
    const secret = 'the bridge that was started'
    const starter = await hub.connect({ credential: String(start.body['ticket']), secret })
    const answer = success(await starter.call('authenticate', { ...pair, passkey: other.passkey }))

    const again = await hub.connect({ credential: String(start.body['ticket']), secret, framesBefore: 100 })
    expect(success(await again.call('authenticate', pair))['session_token']).toBe(answer['session_token'])
    expect((await rowsOf(hub, 'leases'))['leases']).toContainEqual(
      expect.objectContaining({ agent_id: other.agentId, epoch: 1 }),
    )
  },
)

onBoth('a right passkey takes over a start that is under way, and fences it', async ({ hub, other }) => {
  const pair = { agent_id: other.agentId, project_id: other.projectId }
  const start = await hub.call('should_start', pair)
  const secret = 'started by the runner'
  const starter = await hub.connect({ credential: String(start.body['ticket']), secret })
  const byHand = await hub.connect()
  const token = await byHand.signIn(other.agentId, other.passkey, other.projectId)

  const replaced = {
    success: false,
    error: `A newer instance of ${other.agentId} has taken over; this one may no longer write. Stop working.`,
    code: 'STALE_EPOCH',
  }
  expect((await starter.call('authenticate', pair)).body).toEqual(replaced)
  expect((await starter.call('get_my_task', { session_token: token })).body).toEqual(replaced)
  await byHand.call('report_completed', { session_token: token, result: 'blocked' })
  expect((await starter.call('authenticate', pair)).body).toEqual(replaced)
})

onBoth(
  'an instance that was replaced before its first call hears so, in the words of each toolset',
  async ({ hub, other }) => {
    const pair = { agent_id: other.agentId, project_id: other.projectId }
    const unused = String((await hub.call('should_start', pair)).body['ticket'])
    const byHand = await hub.connect()
    await byHand.signIn(other.agentId, other.passkey, other.projectId)
    const late = await hub.connect({ credential: unused, secret: 'late' })
    const text = `A newer instance of ${other.agentId} has taken over; this one may no longer write. Stop working.`
    const said = { success: false, error: text, code: 'STALE_EPOCH' }
    expect((await late.call('authenticate', pair)).body).toEqual(said)
    expect((await late.call('get_my_task', { session_token: 'none' })).body).toEqual(said)
    // Reads as well, of every toolset that it may be offered: its ticket is worth nothing but this sentence.
    const starter = { kind: 'starter', agentId: other.agentId, projectId: other.projectId, epoch: 1 } as Caller
    for (const tool of ['health_check', 'list_roles', 'gwt_list_tabs', 'get_phase_context', 'get_projects'])
      expect(await invoke(hub, tool, {}, callBy(starter)), tool).toMatchObject({ error: { code: 'STALE_EPOCH' } })
  },
)

onBoth(
  'the ticket of a replaced instance still belongs to the connection that used it first',
  async ({ hub, other }) => {
    const pair = { agent_id: other.agentId, project_id: other.projectId }
    const credential = String((await hub.call('should_start', pair)).body['ticket'])
    await hub.connect({ credential, secret: 'first' })
    const byHand = await hub.connect()
    await byHand.signIn(other.agentId, other.passkey, other.projectId)
    await expect(hub.connect({ credential, secret: 'a thief' })).rejects.toThrow('401')
    const back = await hub.connect({ credential, secret: 'first', framesBefore: 1000 })
    expect((await back.call('authenticate', pair)).body['code']).toBe('STALE_EPOCH')
  },
)

onBoth('an archived project is called archived, with the way back', async ({ hub, peerId, peerPasskey, projectId }) => {
  await hub.api('project.archive', { project_id: projectId })
  const args = { agent_id: peerId, passkey: peerPasskey, project_id: projectId }
  expect((await hub.call('authenticate', args)).body).toEqual({
    success: false,
    error: `Project ${projectId} is archived; \`toryo project activate ${projectId}\` makes it active again.`,
    code: 'PROJECT_ARCHIVED',
  })
  await hub.api('project.activate', { project_id: projectId })
  expect((await hub.call('authenticate', args)).isError).toBe(false)
})

refuses('authenticate', [
  {
    name: 'an agent that does not exist',
    args: s => ({ agent_id: 'agt_nobody', passkey: s.passkey, project_id: s.projectId }),
    error: 'Invalid agent_id or passkey',
    code: 'INVALID_CREDENTIALS',
  },
  {
    name: 'a wrong passkey',
    args: s => ({ agent_id: s.peerId, passkey: s.passkey, project_id: s.projectId }),
    error: 'Invalid agent_id or passkey',
    code: 'INVALID_CREDENTIALS',
  },
  {
    name: 'no passkey and no ticket',
    args: s => ({ agent_id: s.peerId, project_id: s.projectId }),
    error: 'Invalid agent_id or passkey',
    code: 'INVALID_CREDENTIALS',
  },
  {
    name: 'an unknown project with a wrong passkey says nothing of the project',
    args: s => ({ agent_id: s.peerId, passkey: 'wrong', project_id: 'prj_nowhere' }),
    error: 'Invalid agent_id or passkey',
    code: 'INVALID_CREDENTIALS',
  },
  {
    name: 'an unknown project with the right passkey',
    args: s => ({ agent_id: s.peerId, passkey: s.peerPasskey, project_id: 'prj_nowhere' }),
    error: 'Project prj_nowhere not found. Use `toryo project list` to list them.',
    code: 'PROJECT_NOT_FOUND',
  },
  {
    name: 'a project the agent is not assigned to',
    args: s => ({ agent_id: s.peerId, passkey: s.peerPasskey, project_id: s.other.projectId }),
    error:
      'Agent agt_demo_peer is not assigned to project prj_other; run `toryo project assign prj_other agt_demo_peer`.',
    code: 'AGENT_NOT_ASSIGNED',
  },
  {
    name: 'a second instance of the pair',
    args: s => ({ agent_id: s.agentId, passkey: s.passkey, project_id: s.projectId }),
    error: 'Agent instance already running for this project',
    code: 'ALREADY_RUNNING',
  },
  {
    name: 'another agent on a connection that is signed in, even with the right passkey',
    by: 'worker',
    args: s => ({ agent_id: s.peerId, passkey: s.peerPasskey, project_id: s.projectId }),
    error: 'This connection belongs to agt_demo and cannot act as agt_demo_peer.',
    code: 'AGENT_MISMATCH',
  },
  { name: 'no arguments', args: () => ({}), error: /^Wrong arguments\. agent_id: /, code: 'INVALID_ARGUMENT' },
  {
    name: 'an id as long as a page',
    args: s => ({ agent_id: 'x'.repeat(50_000), passkey: 'wrong', project_id: s.projectId }),
    error: 'Invalid agent_id or passkey',
    code: 'INVALID_CREDENTIALS',
  },
])

onBoth('a disabled agent is told what a stranger is told', async ({ hub, peerId, peerPasskey, projectId }) => {
  await hub.api('agent.disable', { agent_id: peerId })
  const peer = await hub.connect()
  const { body } = await peer.call('authenticate', { agent_id: peerId, passkey: peerPasskey, project_id: projectId })
  expect(body).toEqual({ success: false, error: 'Invalid agent_id or passkey', code: 'INVALID_CREDENTIALS' })
})

test.each(databases)(
  'five wrong passkeys are free, then each doubles the pause, and the right one ends it (%s)',
  async database => {
    const clock = new TestClock()
    await onStage({ database, clock }, async ({ hub, peerId, peerPasskey, projectId }) => {
      const peer = await hub.connect()
      const attempt = (passkey: string) =>
        peer.call('authenticate', { agent_id: peerId, passkey, project_id: projectId })
      for (let failures = 1; failures <= 5; failures++)
        expect((await attempt('wrong')).body['code']).toBe('INVALID_CREDENTIALS')
      for (const seconds of [1, 2, 4, 8]) {
        const { body } = await attempt(peerPasskey)
        const error = `Too many failed attempts for this agent; try again in ${seconds} s.`
        expect(body).toEqual({ success: false, error, code: 'TOO_MANY_ATTEMPTS' })
        clock.advance(seconds * 1000)
        expect((await attempt('wrong')).body['code']).toBe('INVALID_CREDENTIALS')
      }
      clock.advance(16_000)
      expect((await attempt(peerPasskey)).isError).toBe(false)
      expect((await rowsOf(hub, 'sign_in_failures'))['sign_in_failures']).toEqual([])
    })
  },
)

onBoth('guesses by others do not keep out an agent that holds its ticket', async ({ hub, other }) => {
  const pair = { agent_id: other.agentId, project_id: other.projectId }
  for (let guess = 0; guess < 6; guess++) await hub.call('authenticate', { ...pair, passkey: 'a guess' })
  const start = await hub.call('should_start', pair)
  const starter = await hub.connect({ credential: String(start.body['ticket']) })
  expect((await starter.call('authenticate', pair)).isError).toBe(false)
})
