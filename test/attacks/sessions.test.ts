import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { testHub } from '../hub.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
}

type Asked = { token?: string | undefined; session?: string | undefined; method?: string; body?: unknown }

async function ask(url: string, { token, session, method = 'POST', body }: Asked): Promise<Response> {
  return fetch(`${url}/mcp?toolsets=agent,projects`, {
    method,
    headers: {
      ...HEADERS,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function open(url: string, token: string): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const response = await ask(url, { token, body: { jsonrpc: '2.0', id: 1, method: 'initialize', params } })
  expect(response.status).toBe(200)
  await response.text()
  return response.headers.get('mcp-session-id') as string
}

const listTasks = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'list_tasks', arguments: { project_id: 'prj_demo' } },
}

test('a session id alone opens nothing, and its owner is not disturbed', async () => {
  await using hub = await testHub()
  const { projectId, agentId } = await hub.seed()
  const session = await open(hub.url, hub.token)
  expect(session).toMatch(/^[0-9a-f]{64}$/)
  const ownerIsServed = async () => {
    const response = await ask(hub.url, { token: hub.token, session, body: listTasks })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('tsk_demo')
  }
  await ownerIsServed()

  const start = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  const thieves: [string, string | undefined][] = [
    ['no token', undefined],
    ['the session id as the token', session],
    ['a ticket', String(start.body['ticket'])],
    ['a token that was made up', `hub_${'A'.repeat(43)}`],
  ]
  for (const [name, token] of thieves) {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? listTasks : undefined
      const response = await ask(hub.url, { token, session, method, body })
      expect({ name, method, status: response.status }).toEqual({ name, method, status: 401 })
    }
  }
  const unknown = await ask(hub.url, { token: hub.token, session: 'f'.repeat(64), body: listTasks })
  expect(unknown.status).toBe(404)
  await ownerIsServed()

  expect((await ask(hub.url, { token: hub.token, session, method: 'DELETE' })).status).toBe(200)
  expect((await ask(hub.url, { token: hub.token, session, body: listTasks })).status).toBe(404)
})

test('after the hub was started again neither the token nor the session is worth anything', async () => {
  await using hub = await testHub()
  await hub.seed()
  const { token } = hub
  const session = await open(hub.url, token)
  await hub.stop()

  const env = { HOME: hub.home, TORYO_HOME: hub.home }
  await using next = await testHub({ target: locate(hub.target.db, { env }) })
  expect(next.token).not.toBe(token)
  expect((await ask(next.url, { token, session, body: listTasks })).status).toBe(401)
  expect((await ask(next.url, { token: next.token, session, body: listTasks })).status).toBe(404)
})

test('a session id is not the name by which a signed-in agent is known on another entry', async () => {
  await using hub = await testHub()
  const one = await hub.seed('one')
  const two = await hub.seed('two')
  const session = await open(hub.url, hub.token)
  const args = { agent_id: one.agentId, passkey: one.passkey, project_id: one.projectId }
  const signIn = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'authenticate', arguments: args } }
  const response = await ask(hub.url, { token: hub.token, session, body: signIn })
  expect(await response.text()).toContain('session_token')

  const start = await hub.call('should_start', { agent_id: two.agentId, project_id: two.projectId })
  const thief = await hub.connect({ credential: String(start.body['ticket']), secret: session })
  const note = await thief.call('save_context', { task_id: one.taskId, progress: 'forged' })
  expect(note.isError).toBe(true)
  expect((await hub.api('task.show', { task_id: one.taskId })).notes).toEqual([])
})

test("a ticket does not take over another agent's connection", async () => {
  await using hub = await testHub()
  const one = await hub.seed('one')
  const two = await hub.seed('two')
  const worker = await hub.connect()
  await worker.signIn(one.agentId, one.passkey, one.projectId)
  const start = await hub.call('should_start', { agent_id: two.agentId, project_id: two.projectId })
  await expect(hub.connect({ credential: String(start.body['ticket']), secret: worker.secret })).rejects.toThrow('403')
  expect((await worker.call('get_task', { task_id: one.taskId })).isError).toBe(false)
})

test('the same call sent again to the next hub has one effect, over the API and over MCP', async () => {
  await using hub = await testHub()
  const { projectId, taskId } = await hub.seed()
  const add = (url: string, token: string, title: string) =>
    fetch(`${url}/api/task.add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: JSON.stringify({ project_id: projectId, title }),
    })
  const note = (progress: string) => ({
    jsonrpc: '2.0',
    id: 4,
    method: 'tools/call',
    params: {
      name: 'save_context',
      arguments: { task_id: taskId, progress },
      _meta: { 'toryo/idempotencyKey': 'k2' },
    },
  })
  const first = await (await add(hub.url, hub.token, 'once')).json()
  await (await ask(hub.url, { token: hub.token, session: await open(hub.url, hub.token), body: note('a') })).text()
  await hub.stop()

  const env = { HOME: hub.home, TORYO_HOME: hub.home }
  await using next = await testHub({ target: locate(hub.target.db, { env }) })
  expect(await (await add(next.url, next.token, 'once')).json()).toEqual(first)
  expect((await add(next.url, next.token, 'another')).status).toBe(409)
  const session = await open(next.url, next.token)
  await (await ask(next.url, { token: next.token, session, body: note('a') })).text()
  expect((await next.api('task.show', { task_id: taskId })).notes).toHaveLength(1)
  expect((await next.api('task.list', {})).tasks.filter(task => task.title === 'once')).toHaveLength(1)
})

test('half an export does not look like a whole one', async () => {
  await using hub = await testHub()
  await hub.seed()
  const whole = await (await hub.fetch('/api/export')).text()
  expect(whole.split('\n').length).toBeGreaterThan(5)
  expect(whole).toMatch(/^\{"format":"toryo-export","version":1,"secrets":true,"note":"[^"\n]+"\}\n/)
  // The table is gone under it, as a database that goes away in the middle.
  const { Sqlite } = await import('#kernel/db/sqlite-port.ts')
  const vandal = new Sqlite(hub.target.db)
  vandal.exec('ALTER TABLE handoffs RENAME TO gone')
  vandal.close()
  await expect(hub.fetch('/api/export').then(response => response.text())).rejects.toThrow('terminated')
  expect((await hub.fetch('/api/hub.status', { method: 'POST', body: '{}' })).status).toBe(200)
})
