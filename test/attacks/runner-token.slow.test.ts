// What a thief of a Runner's token can do: ask what to start, and report on what that Runner started. Nothing else.
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../bridge/world.ts'
import { databases, type TestHub, testHub } from '../hub.ts'
import { RawSocket } from '../raw-socket.ts'
import { runnerAt, scriptedConfig } from '../runner.ts'
import { eventsOf, onBoth, rowsOf, withoutAudit } from '../scene.ts'

const OWN_TOOLS = ['health_check', 'list_active_projects_with_agents', 'should_start']
const OWN_OPERATIONS = [
  'runner.begin',
  'runner.ended',
  'runner.hold',
  'runner.inspect',
  'runner.progress',
  'runner.startable',
  'runner.workspace',
]

async function post(hub: TestHub, token: string, target: string, input: object = {}) {
  const response = await fetch(`${hub.url}${target}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  return { status: response.status, text, code: /"code":"(\w+)"/.exec(text)?.[1] }
}

onBoth('no other tool, operation, route or event is for it, and nothing is written', async ({ hub }) => {
  const { token } = await hub.api('runner.add', { name: 'thief' })
  expect(token).toMatch(/^rnr_[\w-]{43}$/)
  expect(JSON.stringify(await rowsOf(hub))).not.toContain(token)
  const runner = await hub.connect({ credential: token })
  const { tools } = await runner.client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(OWN_TOOLS)
  const before = withoutAudit(await rowsOf(hub))
  const operations = await hub.running.hub.operations()
  const all = [...hub.running.hub.registry.all(), ...operations.all()]
  let refused = 0
  for (const { name, toolset } of all) {
    if (toolset === 'api') {
      const { status, code } = await post(hub, token, `/api/${name}`)
      if (OWN_OPERATIONS.includes(name)) continue
      expect([name, status, code]).toEqual([name, 403, 'NOT_ALLOWED'])
    } else {
      if (OWN_TOOLS.includes(name)) continue
      const { isError, text } = await runner.call(name)
      expect([name, isError, text.includes('is not for this kind of caller (runner)')]).toEqual([name, true, true])
    }
    refused++
  }
  expect(refused).toBeGreaterThan(50)
  for (const target of ['/api/import', '/api/export', '/mcp', '/prompts/phase0', '/', '/api/../mcp'])
    expect([target, (await post(hub, token, target)).status]).toEqual([target, 401])
  const after = withoutAudit(await rowsOf(hub))
  expect({ ...after, runners: [] }).toEqual({ ...before, runners: [] })
  expect(eventsOf(await rowsOf(hub, 'events'), 'call.refused').length).toBe(refused)
})

onBoth('a stream of hints says that something happened, and nothing of what', async ({ hub, projectId }) => {
  const { token } = await hub.api('runner.add', { name: 'listener' })
  const hints: string[] = []
  const { WebSocket } = await import('ws')
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/events?since=0`, { headers })
  socket.on('message', (data: Buffer) => hints.push(data.toString('utf8')))
  await new Promise(resolve => socket.once('open', resolve))
  await hub.api('task.add', { project_id: projectId, title: 'the secret plan' })
  await until(() => hints.length > 0)
  expect(hints.every(hint => /^\d+$/.test(hint))).toBe(true)
  const closed = new Promise<number>(resolve => socket.once('close', code => resolve(code)))
  await hub.api('runner.revoke', { name: 'listener' })
  expect(await closed).toBe(4401)
})

onBoth('a revoked token is refused at once, also on a connection that is open', async ({ hub, other }) => {
  const { token } = await hub.api('runner.add', { name: 'gone' })
  const runner = await hub.connect({ credential: token, toolsets: 'runner' })
  expect((await runner.call('health_check')).isError).toBe(false)
  await hub.api('runner.revoke', { name: 'gone' })
  for (const tool of OWN_TOOLS) {
    const { body } = await runner.call(tool, { agent_id: other.agentId, project_id: other.projectId })
    expect([tool, body['code']]).toEqual([tool, 'RUNNER_REFUSED'])
  }
  expect(eventsOf(await rowsOf(hub, 'events'), 'instance.start_claimed')).toEqual([])
  expect((await post(hub, token, '/api/runner.hold', { engines: [], instances: [] })).status).toBe(401)
  await expect(RawSocket.open(hub, { credential: token, secret: 's' })).rejects.toThrow('401')
  await expect(RawSocket.open(hub, { credential: 'rnr_of_nobody', secret: 's' })).rejects.toThrow('401')
  const refusals: [object, string, number, string][] = [
    [{ name: 'gone' }, 'runner.add', 409, 'RUNNER_EXISTS'],
    [{ name: 'box:0a1b2c' }, 'runner.add', 400, 'INVALID_ARGUMENT'],
    [{ name: '../x' }, 'runner.add', 400, 'INVALID_ARGUMENT'],
    [{ name: 'nobody' }, 'runner.revoke', 404, 'RUNNER_NOT_FOUND'],
    [{ name: 'box:0a1b2c' }, 'runner.revoke', 404, 'RUNNER_NOT_FOUND'],
  ]
  for (const [input, operation, status, code] of refusals)
    expect(await post(hub, hub.token, `/api/${operation}`, input)).toMatchObject({ status, code })
})

test.each(databases)('one Runner cannot speak of what another started (%s)', async database => {
  await using hub = await testHub({ database, config: scriptedConfig })
  const { agentId, projectId } = await hub.seed()
  const { token: honest } = await hub.api('runner.add', { name: 'honest' })
  const { token: thief } = await hub.api('runner.add', { name: 'thief' })
  const pair = { agent_id: agentId, project_id: projectId }
  const connection = await hub.connect({ credential: honest, toolsets: 'runner' })
  const { body } = await connection.call('should_start', pair)
  const ticket = String(body['ticket'])
  const begin = (token: string, changes: object = {}) =>
    post(hub, token, '/api/runner.begin', { ...pair, ticket, ...changes })
  expect(await begin(thief)).toMatchObject({ status: 401, code: 'TICKET_REFUSED' })
  expect(await begin(honest, { ticket: 'tkt_guess' })).toMatchObject({ status: 401, code: 'TICKET_REFUSED' })
  expect(await begin(honest, { project_id: 'prj_other' })).toMatchObject({ status: 401, code: 'TICKET_REFUSED' })
  const begun = await begin(honest)
  expect(begun.status).toBe(200)
  const { instance_id } = JSON.parse(begun.text) as { instance_id: string }
  const before = await rowsOf(hub)
  const held = await post(hub, thief, '/api/runner.hold', { engines: [], instances: [instance_id] })
  expect(JSON.parse(held.text)).toMatchObject({ instances: [{ instance_id, state: 'gone' }] })
  const ending = { instance_id, cause: 'itself', exit_code: 0, signal: null, message: '', quota: null }
  const ended = await post(hub, thief, '/api/runner.ended', {
    ...ending,
    quota: { message: 'no more claude for anybody', resets_at: Date.now() + 86_400_000 },
  })
  expect(JSON.parse(ended.text)).toMatchObject({ known: false })
  const after = await rowsOf(hub)
  expect({ ...after, runners: [], answers: [] }).toEqual({ ...before, runners: [], answers: [] })
  expect(JSON.parse((await post(hub, honest, '/api/runner.ended', ending)).text)).toMatchObject({ known: true })
  expect(JSON.parse((await post(hub, honest, '/api/runner.ended', ending)).text)).toMatchObject({ known: false })
  expect(eventsOf(await rowsOf(hub, 'events'), 'instance.ended')).toHaveLength(1)
})

test('a Runner whose token is revoked ends what it started, and itself', async () => {
  await using hub = await testHub({ config: scriptedConfig })
  const { token } = await hub.api('runner.add', { name: 'gone' })
  await hub.api('agent.add', { id: 'agt_a', name: 'a', engine: 'scripted', system_prompt: '!hang' })
  await hub.api('project.add', { id: 'prj_a', name: 'a', directory: hub.home })
  await hub.api('project.assign', { agent_id: 'agt_a', project_id: 'prj_a' })
  const task = { project_id: 'prj_a', title: 't', assignee_id: 'agt_a', status: 'in_progress' } as const
  await hub.api('task.add', task)
  const told: string[] = []
  const notice = ({ kind }: { kind: string }) => void told.push(kind)
  const runner = await runnerAt(hub, token, path.join(hub.home, 'r'), { notice })
  await until(async () => told.includes('started'))
  await hub.api('runner.revoke', { name: 'gone' })
  expect(await runner.ended).toBe('refused')
  expect(told).toContain('ended')
})
