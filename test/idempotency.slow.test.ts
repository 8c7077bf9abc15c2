// T49, T51: a call that is sent again has one effect and one answer, also after the hub has been restarted.
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { databases, TestClock, testHub } from './hub.ts'
import { RawSocket } from './raw-socket.ts'
import { callBy, invoke, onStage, operator, rowsOf, type Scene, type TableRows, toolsOf } from './scene.ts'
import { until } from './until.ts'

type Step = {
  tool: string
  /** Given what the steps before answered. */
  args: (scene: Scene, answers: Record<string, Record<string, unknown>>) => Record<string, unknown>
  /** Also a well-formed call, and not the same. */
  other: Record<string, unknown>
  /** The events of the one effect, in order. */
  events: string[]
  /** On the connection that signs in and out, not on the operator's. */
  asAgent?: true
}

const ours = (s: Scene) => ({ task_id: s.taskId })

const steps: Step[] = [
  {
    tool: 'should_start',
    args: s => ({ agent_id: s.other.agentId, project_id: s.other.projectId }),
    other: { agent_id: 'agt_x' },
    events: ['run.started', 'instance.start_claimed'],
  },
  {
    tool: 'authenticate',
    args: s => ({ agent_id: s.peerId, passkey: s.peerPasskey, project_id: s.projectId }),
    other: { passkey: 'other' },
    events: ['instance.signed_in'],
    asAgent: true,
  },
  {
    tool: 'get_my_task',
    args: s => ({ session_token: s.token }),
    other: { session_token: 'x' },
    events: ['run.started'],
  },
  { tool: 'get_pending_tasks', args: s => ({ session_token: s.token }), other: { session_token: 'x' }, events: [] },
  {
    tool: 'save_context',
    args: s => ({ ...ours(s), progress: 'p' }),
    other: { progress: 'q' },
    events: ['note.saved'],
  },
  {
    tool: 'update_task_status',
    args: s => ({ task_id: s.other.taskId, status: 'blocked' }),
    other: { status: 'todo' },
    events: ['task.moved', 'run.ended', 'instance.lost'],
  },
  {
    tool: 'assign_task',
    args: s => ({ task_id: s.other.taskId, assignee_id: s.other.peerId }),
    other: { assignee_id: null },
    events: ['task.assigned'],
  },
  {
    tool: 'create_handoff',
    args: s => ({ ...ours(s), from_agent_id: s.agentId, to_agent_id: s.peerId, summary: 's' }),
    other: { summary: 't' },
    events: ['task.assigned', 'handoff.created'],
  },
  {
    tool: 'accept_handoff',
    args: (s, { create_handoff }) => ({ handoff_id: create_handoff?.['handoff_id'], agent_id: s.peerId }),
    other: { agent_id: 'agt_x' },
    events: ['handoff.accepted'],
  },
  {
    tool: 'report_execution_start',
    args: (s, { authenticate }) => ({ ...ours(s), session_token: authenticate?.['session_token'] }),
    other: { task_id: 'x' },
    events: ['run.started'],
  },
  {
    tool: 'report_execution_complete',
    args: (_, { authenticate, report_execution_start }) => ({
      session_token: authenticate?.['session_token'],
      execution_id: report_execution_start?.['execution_id'],
      exit_code: 1,
      duration_seconds: 1.5,
      log_file_path: 'x',
    }),
    other: { exit_code: 2 },
    events: ['run.ended'],
  },
  {
    tool: 'report_completed',
    args: s => ({ session_token: s.token, result: 'blocked' }),
    other: { result: 'failed' },
    events: ['run.ended', 'instance.signed_out'],
  },
  {
    tool: 'logout',
    args: (_, { authenticate }) => ({ session_token: authenticate?.['session_token'] }),
    other: { session_token: 'x' },
    events: ['instance.signed_out'],
    asAgent: true,
  },
  {
    tool: 'inject_phase_prompt',
    args: s => ({ phase: 'phase0', project_id: s.projectId }),
    other: { phase: 'phase1' },
    events: ['phase.started'],
  },
  {
    tool: 'save_phase_result',
    args: s => ({ phase: 'phase0', project_id: s.projectId, result: { checkpoint: 'c', data: {} } }),
    other: { phase: 'phase1' },
    events: ['phase.checkpoint_saved'],
  },
  {
    tool: 'transition_to_next_phase',
    args: s => ({ currentPhase: 'phase0', project_id: s.projectId, result: { status: 'completed' } }),
    other: { result: { status: 'partial' } },
    events: ['phase.ended', 'phase.started'],
  },
  {
    tool: 'add-project',
    args: () => ({ name: 'remembered', description: 'd' }),
    other: { name: 'another' },
    events: ['project.added'],
  },
  {
    tool: 'add-topic',
    args: s => ({ project_id: s.projectId, title: 't' }),
    other: { title: 'u' },
    events: ['topic.added'],
  },
  {
    tool: 'add-log',
    args: (_, answers) => ({ topic_id: answers['add-topic']?.['topic_id'], content: 'c' }),
    other: { content: 'd' },
    events: ['entry.added'],
  },
  {
    tool: 'add-decision',
    args: (_, answers) => ({ topic_id: answers['add-topic']?.['topic_id'], decision: 'd', reason: 'r' }),
    other: { reason: 's' },
    events: ['decision.added'],
  },
  {
    tool: 'create_task',
    args: s => ({ project_id: s.projectId, title: 'planned' }),
    other: { title: 'other' },
    events: ['task.added'],
  },
  {
    tool: 'update_task',
    args: (_, { create_task }) => ({ task_id: taskIn(create_task), priority: 'high' }),
    other: { priority: 'low' },
    events: ['task.edited'],
  },
  {
    tool: 'link_tasks',
    args: (s, { create_task }) => ({ task_id: taskIn(create_task), depends_on: [s.taskId] }),
    other: { depends_on: [] },
    events: ['task.linked'],
  },
]

function taskIn(answer: Record<string, unknown> = {}): string {
  return (answer['task'] as { task_id: string }).task_id
}

test.each(databases)(
  'every tool that writes: a hundred at once have one effect; later ones the same answer (%s)',
  { timeout: 240_000 }, // Thousands of calls.
  database => {
    // It stands: a session that is used for longer than a minute is renewed, which is a change.
    const clock = new TestClock()
    return onStage({ database, clock }, async scene => {
      const { hub } = scene
      const written = steps.map(({ tool }) => tool).sort()
      expect(written).toEqual(
        toolsOf(hub)
          .filter(({ effect }) => effect !== 'read')
          .map(({ name }) => name)
          .sort(),
      )
      const sockets = {
        operator: await RawSocket.open(hub, { secret: 'a' }),
        agent: await RawSocket.open(hub, { secret: 'b' }),
      }
      const answers: Record<string, Record<string, unknown>> = {}
      const sent: Record<string, Record<string, unknown>> = {}
      for (const [number, { tool, args, other, events, asAgent }] of steps.entries()) {
        const socket = asAgent ? sockets.agent : sockets.operator
        const input = args(scene, answers)
        const before = eventTypes(await rowsOf(hub, 'events'))
        const all = await Promise.all(
          Array.from({ length: 100 }, (_, index) => socket.call(tool, input, { id: `${tool}${index}`, number })),
        )
        const [first] = all
        expect(first, tool).not.toHaveProperty('error')
        expect(new Set(all.map(answer => JSON.stringify(answer))).size, tool).toBe(1)
        expect(eventTypes(await rowsOf(hub, 'events')).slice(before.length), tool).toEqual(events)
        const refused = await socket.call(tool, { ...input, ...other }, { number })
        expect(JSON.stringify(refused), tool).toContain('already used for a different call; use a new key.')
        expect(JSON.stringify(refused), tool).toMatch(/"(code|reason)":"IDEMPOTENCY_CONFLICT"/)
        answers[tool] = first as Record<string, unknown>
        sent[tool] = input
      }
      const before = await rowsOf(hub)
      await hub.stop()
      await using again = await testHub({ target: hub.target, clock })
      const later = {
        operator: await RawSocket.open(again, { secret: 'a' }),
        agent: await RawSocket.open(again, { secret: 'b' }),
      }
      for (const [number, { tool, asAgent }] of steps.entries()) {
        const socket = asAgent ? later.agent : later.operator
        expect(await socket.call(tool, sent[tool] ?? {}, { number }), tool).toEqual(answers[tool])
      }
      expect(await rowsOf(again)).toEqual(before)
    })
  },
)

const eventTypes = ({ events = [] }: TableRows) =>
  events.sort((a, b) => Number(a['seq']) - Number(b['seq'])).map(({ type }) => String(type))

test('stored answers do not show a token or a ticket to whoever reads the database', () =>
  onStage({}, async ({ hub, token, other }) => {
    const start = await hub.call('should_start', { agent_id: other.agentId, project_id: other.projectId })
    const { answers } = await rowsOf(hub)
    expect(answers?.length).toBeGreaterThanOrEqual(2)
    const stored = JSON.stringify(answers)
    const secrets = [token, String(start.body['ticket'])]
    for (const secret of secrets) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret).toString('base64').slice(4, -4))
    }
  }))

test.each(databases)('over HTTP the key travels in _meta, and belongs to the credential (%s)', database =>
  onStage({ database }, async ({ hub, taskId }) => {
    const send = async (progress: string) => {
      const response = await hub.fetch('/mcp', {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-method': 'tools/call',
          'mcp-name': 'save_context',
          'mcp-protocol-version': '2026-07-28',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'save_context',
            arguments: { task_id: taskId, progress },
            _meta: {
              'toryo/idempotencyKey': 'k1',
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      })
      return response.text()
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('same')))
    expect(new Set(answers.map(text => /saved_at[^}]*/.exec(text)?.[0])).size).toBe(1)
    expect(await send('other')).toContain('IDEMPOTENCY_CONFLICT')
    expect((await rowsOf(hub, 'notes'))['notes']).toHaveLength(1)
  }),
)

test.each(databases)('a reply to authenticate that was lost comes again, on the same connection only (%s)', database =>
  onStage({ database }, async ({ hub, other }) => {
    const pair = { agent_id: other.agentId, project_id: other.projectId }
    const { body } = await hub.call('should_start', pair)
    const ticket = { credential: String(body['ticket']), secret: 'bridge one' }
    const first = await RawSocket.open(hub, ticket)
    first.send({ id: 1, method: 'tools/call', params: { name: 'authenticate', arguments: pair } }, 7)
    await until(async () => (await rowsOf(hub, 'sessions'))['sessions']?.length === 2)
    first.cut()

    const back = await RawSocket.open(hub, ticket)
    const replayed = await back.call('authenticate', pair, { number: 7 })
    const asked = await back.call('authenticate', pair, { number: 8 })
    expect(replayed).toMatchObject({ success: true, session_token: expect.stringMatching(/^sess_/) })
    expect(asked['session_token']).toBe(replayed['session_token'])
    expect((await rowsOf(hub, 'sessions'))['sessions']).toHaveLength(2)
    expect(await back.call('get_my_task', { session_token: asked['session_token'] })).toMatchObject({ has_task: true })

    await expect(RawSocket.open(hub, { ...ticket, secret: 'a thief' })).rejects.toThrow('401')
    const byHand = await RawSocket.open(hub, { secret: 'another thief' })
    expect(await byHand.call('authenticate', { ...pair, passkey: other.passkey })).toMatchObject({
      code: 'ALREADY_RUNNING',
    })
  }),
)

test('a connection that gets a stored answer to authenticate is that agent from then on', () =>
  onStage({}, async ({ hub, peerId, peerPasskey, projectId }) => {
    const args = { agent_id: peerId, passkey: peerPasskey, project_id: projectId }
    const identities: (Caller | undefined)[] = []
    const connection = () => ({
      secret: 's',
      opener: operator,
      identifyAs: (caller: Caller | undefined) => void identities.push(caller),
    })
    const agent = { kind: 'agent', agentId: peerId, projectId, epoch: 1 }
    for (let time = 0; time < 2; time++)
      await invoke(hub, 'authenticate', args, callBy(operator, { key: 'k', connection: connection() }))
    expect(identities).toEqual([agent, agent])
  }))
