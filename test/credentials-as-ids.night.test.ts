// A credential that is given where an id belongs is an unknown id like any other: nothing stores it, logs it or says it again.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { StoredEvent } from '#contract/events.ts'
import { systemIds } from '#kernel/ids.ts'
import { databases, TestClock, type TestHub, testHub } from './hub.ts'
import { callBy, eventsOf, onBoth, onStage, operator, rowsOf, type Scene } from './scene.ts'
import { until } from './until.ts'

/** All that outlives the call: the data, what is exported of it, and the log. */
async function keptBy(hub: TestHub): Promise<string> {
  const exported = await (await hub.fetch('/api/export')).text()
  return JSON.stringify(await rowsOf(hub)) + exported + readFileSync(join(hub.home, 'hub.log'), 'utf8')
}

async function eventsOver(hub: TestHub): Promise<StoredEvent[]> {
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/events?since=0`, {
    headers: { authorization: `Bearer ${hub.token}` },
  })
  const events: StoredEvent[] = []
  socket.on('message', (data: Buffer) => void events.push(JSON.parse(data.toString()) as StoredEvent))
  const latest = await hub.running.hub.events.latest()
  await until(() => events.at(-1)?.seq === latest)
  socket.terminate()
  return events
}

onBoth('a passkey in the place of the agent id is not stored, exported, logged, told or answered', async scene => {
  const { hub, peerPasskey, peerId, projectId } = scene
  for (const passkey of [peerPasskey, 'wrong', undefined]) {
    const { text, body } = await hub.call('authenticate', { agent_id: peerPasskey, passkey, project_id: projectId })
    expect(body).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(text).not.toContain(peerPasskey)
  }
  await hub.call('authenticate', { agent_id: peerId, passkey: 'wrong', project_id: projectId })
  // Guesses at an existing agent are recorded with its id, the others without.
  const told = (await eventsOver(hub)).filter(({ type }) => type === 'agent.sign_in_failed')
  expect(told.map(({ payload }) => payload)).toEqual([null, null, null, peerId].map(agentId => ({ agentId })))
  expect(await keptBy(hub)).not.toContain(peerPasskey)
  expect((await rowsOf(hub, 'sign_in_failures'))['sign_in_failures']).toHaveLength(2)
})

test.each(databases)('guesses at ids that are passkeys have to wait like all others (%s)', database => {
  const clock = new TestClock()
  return onStage({ database, clock }, async ({ hub, peerPasskey, projectId }) => {
    const codes = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const args = { agent_id: peerPasskey, passkey: peerPasskey, project_id: projectId }
      codes.push((await hub.call('authenticate', args)).body['code'])
    }
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS'))
    expect(codes.slice(5)).toEqual(Array.from({ length: 3 }, () => 'TOO_MANY_ATTEMPTS'))
  })
})

/** Arguments that name something; whatever else is text that people write. */
const NAMING = new Set([
  ...['agent_id', 'agentId', 'agentIds', 'from_agent_id', 'to_agent_id', 'assignee_id', 'project_id', 'task_id'],
  ...[
    'handoff_id',
    'execution_id',
    'groupId',
    'crew_id',
    'run_id',
    'tab_id',
    'target_tab_id',
    'worktree_id',
    'instance_id',
  ],
  ...[
    'topic_id',
    'parent_topic_id',
    'supersedes',
    'id',
    'engine',
    'phase',
    'currentPhase',
    'status',
    'priority',
    'kind',
  ],
  ...['kinds', 'mode', 'onFailure', 'on_failure', 'cursor', 'after', 'language', 'version', 'session_token', 'ticket'],
  ...['log_file_path', 'agents', 'stages', 'prefix', 'engines', 'cause'],
])

/** What the call would need to succeed. */
function rightArguments(scene: Scene): Record<string, unknown> {
  const { agentId, projectId, taskId, token } = scene
  return {
    ...{ agent_id: agentId, from_agent_id: agentId, to_agent_id: scene.peerId, assignee_id: agentId, agentId },
    ...{ project_id: projectId, task_id: taskId, session_token: token, groupId: 'grp-0-0', tab_id: 'tab_x' },
    ...{ title: 't', content: 'c', decision: 'd', reason: 'r', keyword: 'k', query: 'q', description: 'd', name: 'n' },
    ...{ phase: 'phase0', currentPhase: 'phase0', status: 'todo', summary: 's', progress: 'p', message: 'm' },
    ...{ exit_code: 1, duration_seconds: 1, log_file_path: 'x', passkey: 'not it', engine: 'claude', branch: 'b' },
  }
}

/** The secret where the argument expects it, in every form that it may have. */
function* forms(name: string, secret: string): Generator<unknown> {
  yield secret
  yield [secret]
  if (name === 'agents') yield [{ role: secret, prompt: 'p', workingDirectory: `/${secret}` }]
  if (name === 'stages') yield [{ tasks: [{ role: secret, prompt: 'p' }] }]
}

// Every argument of every tool and operation: minutes where much else runs.
const LONG = { timeout: 240_000 }

test.each(databases)('no tool or operation keeps or repeats one, in whatever argument it comes (%s)', LONG, database =>
  onStage({ database }, async scene => {
    const { hub, agentId, projectId, token, peerPasskey } = scene
    const secrets: Record<string, string> = {
      passkey: peerPasskey,
      session: token,
      operator: hub.token,
      // Of a connection.
      bare: randomBytes(32).toString('hex'),
    }
    const agent = { kind: 'agent', agentId, projectId, epoch: 1 } as Caller
    const callers: Caller[] = [operator, { kind: 'runner', name: 'box:0a1b2c' }]
    const right = rightArguments(scene)
    const { registry, invoker } = hub.running.hub
    const operations = await hub.running.hub.operations()
    let calls = 0
    for (const tool of [...registry.all(), ...operations.all()]) {
      if (/^hub\.|^memory\.import/.test(tool.name)) continue
      const names = Object.keys(tool.input.shape).filter(name => NAMING.has(name))
      for (const name of names)
        for (const [kind, secret] of Object.entries(secrets))
          for (const value of forms(name, secret))
            for (const caller of [agent, ...callers.filter(({ kind }) => tool.callers.includes(kind))]) {
              // These are what the argument is for.
              if (name === 'session_token' && kind === 'session') continue
              const known = Object.keys(tool.input.shape).filter(field => field in right)
              const args = { ...Object.fromEntries(known.map(field => [field, right[field]])), [name]: value }
              const outcome = await invoker.invoke(tool, args, callBy(caller))
              const said = outcome.ok
                ? JSON.stringify(outcome.value)
                : `${outcome.error.message} ${outcome.error.text.ja}`
              const where = `${tool.name} ${name} ${kind} ${caller.kind}`
              expect(said.includes(secret), `${where}: ${said}`).toBe(false)
              if (!outcome.ok) expect(JSON.stringify(outcome.error.details), where).not.toContain(secret)
              calls++
            }
    }
    expect(calls).toBeGreaterThan(1000)
    expect(eventsOf(await rowsOf(hub, 'events'), 'call.refused').length).toBeGreaterThan(100)
    const kept = await keptBy(hub)
    for (const [kind, secret] of Object.entries(secrets)) expect(kept.includes(secret), kind).toBe(false)
  }),
)

test('a name that no tool, resource, prompt or terminal has is not repeated when it is a credential', () =>
  onStage({}, async ({ hub, worker, peerPasskey }) => {
    const { client } = worker
    const said = async (asked: Promise<unknown>) => {
      const error = await asked.then(
        () => undefined,
        (problem: unknown) => problem,
      )
      expect(error).toBeInstanceOf(Error)
      return JSON.stringify([(error as Error).message, error])
    }
    const answers = [
      await said(client.callTool({ name: peerPasskey, arguments: {} })),
      await said(client.readResource({ uri: `agent://${peerPasskey}` })),
      await said(client.readResource({ uri: `nothing://${peerPasskey}` })),
      await said(client.getPrompt({ name: peerPasskey })),
      await (await hub.fetch(`/api/${peerPasskey}`, { method: 'POST', body: '{}' })).text(),
      await (await hub.fetch(`/mcp?toolsets=${peerPasskey}`, { method: 'POST', body: '{}' })).text(),
    ]
    for (const answer of answers) expect(answer).not.toContain(peerPasskey)
    expect(await keptBy(hub)).not.toContain(peerPasskey)
  }))

test('what was imported from an older export loses what should never have been in it', () =>
  onStage({}, async ({ hub, agentId }) => {
    const secret = systemIds.secret('key')
    const event = (seq: number, type: string, payload: object) => ({
      table: 'events',
      row: { seq, at: 1, type, project_id: null, caller: 'operator', payload: JSON.stringify(payload), touches: '[]' },
    })
    const agents = (await (await hub.fetch('/api/export')).text())
      .split('\n')
      .filter(line => line.includes('"table":"agents"'))
    const lines = [
      JSON.stringify({ format: 'toryo-export', version: 1 }),
      ...agents,
      ...[
        event(1, 'agent.sign_in_failed', { agentId: secret }),
        event(2, 'agent.sign_in_failed', { agentId }),
        event(3, 'call.refused', { tool: 't', code: 'C', claimed: secret }),
        event(4, 'call.refused', { tool: 't', code: 'C', claimed: 'tsk_1' }),
      ].map(line => JSON.stringify(line)),
    ]
    await using next = await testHub()
    const imported = await next.fetch('/api/import', { method: 'POST', body: lines.join('\n') })
    expect(await imported.json()).toEqual({ rows: lines.length - 1, secrets: true })
    const rows = await rowsOf(next)
    expect(eventsOf(rows, 'agent.sign_in_failed')).toEqual([{ agentId: null }, { agentId }])
    expect(eventsOf(rows, 'call.refused').map(({ claimed }) => claimed)).toEqual(['key_[hidden]', 'tsk_1'])
    expect(await keptBy(next)).not.toContain(secret)
  }))

test.each(databases)('an import in which an id is one is refused, without saying it (%s)', database =>
  onStage({}, async ({ hub, agentId, projectId, taskId }) => {
    const text = await (await hub.fetch('/api/export')).text()
    await using next = await testHub({ database })
    for (const id of [agentId, projectId, taskId])
      for (const secret of [systemIds.secret('key'), randomBytes(32).toString('hex')]) {
        const body = text.replaceAll(`"${id}"`, `"${secret}"`)
        const refused = await next.fetch('/api/import', { method: 'POST', body })
        const said = await refused.text()
        expect([refused.status, said]).toEqual([400, expect.stringMatching(/Line \d+ has .*credential/)])
        expect(said).not.toContain(secret)
      }
    const { agents, projects, tasks } = await rowsOf(next)
    expect({ agents, projects, tasks }).toEqual({ agents: [], projects: [], tasks: [] })
  }),
)
