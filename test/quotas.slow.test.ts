// One client may not fill the queue or the disk for all: what it is refused, with which sentence, and that no other client notices.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { databases, TestClock, type TestHub, testHub, type ToolAnswer } from './hub.ts'
import { RawSocket } from './raw-socket.ts'
import { callBy, eventsOf, invoke, onStage, operator, rowsOf } from './scene.ts'
import { until } from './until.ts'

const few = { callsPerMinute: 20 }

async function frugal(limits: Record<string, number>): Promise<{ hub: TestHub; clock: TestClock }> {
  const clock = new TestClock()
  return { hub: await testHub({ clock, config: { limits } }), clock }
}

const isRefused = ({ text }: ToolAnswer) => text.includes('QUOTA_EXCEEDED')

test('a client that calls too often is told when to come back, in the words of each toolset, and stays connected', async () => {
  const { hub, clock } = await frugal(few)
  await using _ = hub
  const busy = await hub.connect()
  for (let n = 0; n < 20; n++) expect((await busy.call('list_projects')).isError).toBe(false)
  const when = { retryable: true, retry_after_ms: 3000 }
  const sentence = expect.stringContaining('more than 20 calls within a minute; this one was not carried out')
  const bodies: [string, unknown][] = [
    ['list_projects', { success: false, error: sentence, code: 'QUOTA_EXCEEDED', ...when }],
    ['list_roles', { error: true, code: 'QUOTA_EXCEEDED', message: sentence, ...when }],
    ['gwt_list_tabs', { error: true, code: 'QUOTA_EXCEEDED', message: sentence, ...when }],
    ['get-projects', { error: { code: 'INVALID_PARAMETER', message: sentence, reason: 'QUOTA_EXCEEDED', ...when } }],
    ['get_phase_context', { error: expect.objectContaining({ code: 'QUOTA_EXCEEDED', message: sentence, ...when }) }],
  ]
  for (const [tool, body] of bodies) expect({ tool, body: (await busy.call(tool)).body }).toEqual({ tool, body })
  await expect(busy.client.readResource({ uri: 'project://prj_x' })).rejects.toMatchObject({
    code: -32603,
    data: { code: 'QUOTA_EXCEEDED', retryable: true, retry_after_ms: 3000 },
  })
  // Its tools are still listed, and so is everything of others.
  expect((await busy.client.listTools()).tools.length).toBeGreaterThan(20)
  expect((await (await hub.connect()).call('list_projects')).isError).toBe(false)
  for (let n = 0; n < 50; n++) await hub.api('project.list', {})
  clock.advance(3000)
  expect((await busy.call('list_projects')).isError).toBe(false)
  expect(isRefused(await busy.call('list_projects'))).toBe(true)
})

test('in Japanese too', async () => {
  const { hub } = await frugal({ callsPerMinute: 1 })
  await using _ = hub
  const busy = await hub.connect({ lang: 'ja' })
  await busy.call('list_projects')
  expect((await busy.call('list_projects')).body['error']).toContain('1 分あたり 1 回を超えたため')
})

test('a bridge that reconnects has no new quota, and an agent has one over all its connections', async () => {
  const { hub } = await frugal(few)
  await using _ = hub
  const { agentId, projectId } = await hub.seed()
  const bridge = await hub.connect()
  for (let n = 0; n < 20; n++) await bridge.call('list_projects')
  await bridge.close()
  const again = await hub.connect({ secret: bridge.secret })
  expect(isRefused(await again.call('list_projects'))).toBe(true)

  // An agent that was started with a ticket, before and after it signs in, and over a second connection.
  const { body } = await (await hub.connect()).call('should_start', { agent_id: agentId, project_id: projectId })
  const worker = await hub.connect({ credential: String(body['ticket']) })
  await worker.call('authenticate', { agent_id: agentId, project_id: projectId })
  for (let n = 0; n < 19; n++) expect(isRefused(await worker.call('get_task', { task_id: 'tsk_demo' }))).toBe(false)
  expect(isRefused(await worker.call('get_task', { task_id: 'tsk_demo' }))).toBe(true)
  await worker.close()
  const back = await hub.connect({ secret: worker.secret, credential: String(body['ticket']) })
  expect(isRefused(await back.call('get_task', { task_id: 'tsk_demo' }))).toBe(true)
})

test('requests that have no connection share the quota of their credential, and the operator’s commands have none', async () => {
  const { hub } = await frugal(few)
  await using _ = hub
  const refused: boolean[] = []
  for (let n = 0; n < 3; n++) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${hub.token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit }))
    for (let call = 0; call < 10; call++) {
      const { isError } = await client.callTool({ name: 'list_projects', arguments: {} })
      refused.push(isError === true)
    }
    await client.close()
  }
  expect(refused).toEqual(Array.from({ length: 30 }, (_, n) => n >= 20))
  expect((await hub.fetch('/api/project.list', { method: 'POST', body: '{}' })).status).toBe(200)
})

test('a Runner that asks too often hears 429 and when to come back', async () => {
  const { hub } = await frugal({ callsPerMinute: 2 })
  await using _ = hub
  const { token } = await hub.api('runner.add', { name: 'elsewhere' })
  const ask = () =>
    hub.fetch('/api/runner.hold', {
      method: 'POST',
      body: JSON.stringify({ instances: [] }),
      headers: { authorization: `Bearer ${token}` },
    })
  const answers = [await ask(), await ask(), await ask()]
  expect(answers.slice(0, 2).map(({ status }) => status)).not.toContain(429)
  expect(answers[2]?.status).toBe(429)
  expect(answers[2]?.headers.get('retry-after')).toBe('30')
  expect(await answers[2]?.json()).toMatchObject({
    error: {
      code: 'QUOTA_EXCEEDED',
      kind: 'limit',
      retryable: true,
      details: { quota: 'calls', retryAfterMs: 30_000 },
    },
  })
})

test('a client that writes too much is refused, and nothing of it is written', async () => {
  const { hub, clock } = await frugal({ writeMegabytesPerMinute: 1 })
  await using _ = hub
  const { taskId } = await hub.seed()
  const greedy = await hub.connect()
  const save = () => greedy.call('save_context', { task_id: taskId, progress: '家'.repeat(200_000) })
  expect((await save()).isError).toBe(false)
  const refusal = await save()
  expect(refusal.body).toMatchObject({
    success: false,
    code: 'QUOTA_EXCEEDED',
    error: expect.stringContaining('wrote more than 1 MB within a minute; nothing of this call was written'),
    retryable: true,
  })
  // It may still read, others may still write, and it may again later.
  const notes = async () => eventsOf(await rowsOf(hub, 'events'), 'note.saved').length
  expect((await greedy.call('get_task', { task_id: taskId })).isError).toBe(false)
  expect((await hub.call('save_context', { task_id: taskId, progress: 'small' })).isError).toBe(false)
  expect(await notes()).toBe(2)
  clock.advance(Number(refusal.body['retry_after_ms']))
  expect((await save()).isError).toBe(false)
  expect(await notes()).toBe(3)
})

test('a limit that is changed in the configuration counts without a restart', async () => {
  const { hub } = await frugal(few)
  await using _ = hub
  const busy = await hub.connect()
  for (let n = 0; n < 20; n++) await busy.call('list_projects')
  expect(isRefused(await busy.call('list_projects'))).toBe(true)
  writeFileSync(join(hub.home, 'config.json'), JSON.stringify({ limits: { callsPerMinute: 1_000_000 } }))
  await until(async () => !isRefused(await busy.call('list_projects')))
})

test.each(databases)('a client with a thousand writes in the queue delays another’s by its share (%s)', database =>
  onStage({ database }, async ({ hub, taskId, other }) => {
    const save = (progress: string) =>
      invoke(hub, 'save_context', { task_id: taskId, progress }, callBy(operator, { account: 'flood' }))
    const flood = Array.from({ length: 1024 }, (_, n) => save(`${n}`))
    const refused = await save('one too many')
    expect(refused).toMatchObject({ ok: false, error: { code: 'QUOTA_EXCEEDED', details: { quota: 'waiting' } } })
    const move = { task_id: other.taskId, status: 'todo' }
    const moved = invoke(hub, 'update_task_status', move, callBy(operator, { account: 'another' }))
    const added = hub.api('task.add', { project_id: other.projectId, title: 'by a command' })
    await Promise.all([moved, added])
    await Promise.all(flood)
    const events = (await rowsOf(hub, 'events'))['events'] ?? []
    const types = events.sort((a, b) => Number(a['seq']) - Number(b['seq'])).map(({ type }) => String(type))
    const before = types.slice(0, types.indexOf('task.moved')).filter(type => type === 'note.saved')
    expect(before.length).toBeLessThanOrEqual(2)
    expect(types.filter(type => type === 'note.saved')).toHaveLength(1024)
  }),
)

test('a client that sends thousands of calls without waiting gets an answer to each, and each that succeeded counts once', async () => {
  await onStage({}, async ({ hub, taskId }) => {
    const socket = await RawSocket.open(hub)
    const calls = Array.from({ length: 5000 }, (_, n) =>
      socket.call('save_context', { task_id: taskId, progress: `${n}` }, { id: n }),
    )
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ success }) => success === false)
    for (const answer of refused) expect(answer).toMatchObject({ code: 'QUOTA_EXCEEDED', retryable: true })
    expect(eventsOf(await rowsOf(hub, 'events'), 'note.saved')).toHaveLength(answers.length - refused.length)
    expect(await socket.call('get_task', { task_id: taskId })).toMatchObject({ success: true })
    socket.cut()
  })
})
