// What is wrong with a request is said in a sentence and with the protocol's code, at every door; it is no fault of the hub's.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { DIRECTORY_HEADER, RELAY_PROTOCOL } from '#contract/limits.ts'
import { ask, upgradeHeaders } from './attacks/raw.ts'
import { databases, type TestHub, testHub } from './hub.ts'
import { onStage } from './scene.ts'
import { until } from './until.ts'

type Params = Record<string, unknown>
type Answer = { id?: unknown; result?: unknown; error?: { code: number; message: string; data?: unknown } }

const long = (text: string) => text + 'x'.repeat(500_000)

/** Method, parameters, what the sentence must name. */
const wrong: [string, Params, string][] = [
  ['tools/call', {}, 'name: '],
  ['tools/call', { name: 5 }, 'name: expected string'],
  ['tools/call', { name: 'get_task', arguments: [] }, 'arguments: '],
  ['tools/call', { name: long('t') }, 'Unknown tool: tx'],
  ['tools/call', { name: 'get_task', _meta: { progressToken: {} } }, '_meta.progressToken: '],
  ['tools/list', { cursor: 5 }, 'cursor: '],
  ['resources/list', { cursor: {} }, 'cursor: '],
  ['resources/templates/list', { cursor: [] }, 'cursor: '],
  ['prompts/list', { cursor: 1 }, 'cursor: '],
  ['resources/read', {}, 'uri: '],
  ['resources/read', { uri: 5 }, 'uri: '],
  ['resources/read', { uri: 'task://nothing' }, 'nothing'],
  ['resources/read', { uri: long('task://') }, 'xxx'],
  ['resources/read', { uri: long('nowhere:') }, 'Resource not found: nowhere:'],
  ['resources/read', { uri: 'task://a\0b' }, 'NUL'],
  ['prompts/get', {}, 'name: '],
  ['prompts/get', { name: 'task_start', arguments: { task_id: 5 } }, 'arguments.task_id: '],
  ['prompts/get', { name: 'task_start', arguments: [] }, 'arguments: '],
  ['prompts/get', { name: long('p') }, 'Unknown prompt: px'],
  ['prompts/get', { name: 'task_start', arguments: {} }, 'task_id: '],
  ['completion/complete', {}, 'ref: '],
  ['completion/complete', { ref: {}, argument: {} }, 'ref'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 5 } },
    'argument.value',
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 'b' } },
    'Unknown prompt',
  ],
]
const wrongBefore2026: typeof wrong = [
  ...wrong,
  ['tools/call', { name: 'get_task', arguments: {}, _meta: 5 }, '_meta: '],
  ['ping', { _meta: 5 }, '_meta: '],
  ['resources/subscribe', {}, 'uri: '],
  ['resources/subscribe', { uri: [] }, 'uri: '],
  ['resources/subscribe', { uri: 'nope' }, 'Resource not found: nope'],
  ['resources/unsubscribe', {}, 'uri: '],
  ['initialize', {}, 'protocolVersion: '],
  ['initialize', { protocolVersion: 5, capabilities: [] }, 'protocolVersion: '],
]
/** What 2026-07-28 knows no more is unknown, whatever it brings; and logging nobody offers. */
const unknown = ['logging/setLevel', 'nonsense']
const unknown2026 = [...unknown, 'resources/subscribe', 'ping']

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
}
const modern = (params: Params): Params => ({ ...params, _meta: { ...META, ...(params['_meta'] as object) } })
const clientInfo = { name: 'raw', version: '1' }
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }

type Door = { request(method: string, params: Params, id?: string | number): Promise<Answer>; close(): void }

async function socket(hub: TestHub): Promise<Door> {
  const link = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge`, RELAY_PROTOCOL, {
    headers: { authorization: `Bearer ${hub.token}` },
  })
  await new Promise(resolve => link.once('open', resolve))
  let number = 0
  return {
    request: (method, params, id = 'one') => {
      const answer = new Promise<Answer>(resolve =>
        link.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()) as Answer)),
      )
      link.send(`${++number} ${JSON.stringify({ jsonrpc: '2.0', id, method, params })}`)
      return answer
    },
    close: () => link.terminate(),
  }
}

function http(hub: TestHub, version: string, session?: string): Door {
  return {
    request: async (method, params, id = 'one') => {
      const name = params['name'] ?? params['uri']
      const isPlain = typeof name === 'string' && /^[\x21-\x7e]{1,1000}$/.test(name)
      const sentinel = typeof name === 'string' ? `=?base64?${Buffer.from(name).toString('base64')}?=` : ''
      const headers = {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(typeof name === 'string' && name.length < 1000 && { 'mcp-name': isPlain ? name : sentinel }),
        ...(session !== undefined && method !== 'initialize' && { 'mcp-session-id': session }),
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const response = await hub.fetch('/mcp', { method: 'POST', headers, body })
      const text = await response.text()
      return JSON.parse(text.startsWith('{') ? text : (text.split('data: ').at(-1) as string)) as Answer
    },
    close: () => {},
  }
}

async function session(hub: TestHub): Promise<string> {
  const headers = { accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: handshake })
  const response = await hub.fetch('/mcp', { method: 'POST', headers, body })
  await response.text()
  return response.headers.get('mcp-session-id') as string
}

function expectRefusal(answer: Answer, [method, params, named]: (typeof wrong)[number]): void {
  const what = `${method} ${JSON.stringify(params).slice(0, 80)}`
  expect({ what, id: answer.id, code: answer.error?.code }).toEqual({ what, id: 'one', code: -32602 })
  expect(answer.error?.message, what).toContain(named)
  // A sentence: no dump of a validator's, and not what was sent.
  expect(answer.error?.message, what).not.toMatch(/[[{\n]/)
  expect(JSON.stringify(answer.error).length, what).toBeLessThan(1000)
}

describe('wrong parameters are -32602 and a sentence', () => {
  test('on a bridge’s socket, 2025-11-25', () =>
    onStage({}, async ({ hub }) => {
      const fresh = await socket(hub)
      expectRefusal(await fresh.request('initialize', {}), ['initialize', {}, 'protocolVersion: '])
      expect((await fresh.request('initialize', handshake)).result).toBeDefined()
      for (const one of wrongBefore2026) expectRefusal(await fresh.request(one[0], one[1]), one)
      for (const method of unknown) expect((await fresh.request(method, {})).error).toMatchObject({ code: -32601 })
      expect((await fresh.request('tools/list', {})).result).toBeDefined()
      fresh.close()
      expectNoFault(hub)
    }))

  test('on a bridge’s socket, 2026-07-28', () =>
    onStage({}, async ({ hub }) => {
      const door = await socket(hub)
      for (const one of wrong) expectRefusal(await door.request(one[0], modern(one[1])), one)
      for (const method of unknown2026)
        expect((await door.request(method, modern({}))).error).toMatchObject({ code: -32601 })
      expect((await door.request('subscriptions/listen', modern({ notifications: 5 }))).error?.code).toBe(-32602)
      expect((await door.request('tools/list', modern({}))).result).toBeDefined()
      door.close()
      expectNoFault(hub)
    }))

  test('over HTTP, 2025-11-25', () =>
    onStage({}, async ({ hub }) => {
      const door = http(hub, '2025-11-25', await session(hub))
      for (const one of wrongBefore2026) expectRefusal(await door.request(one[0], one[1]), one)
      for (const method of unknown) expect((await door.request(method, {})).error).toMatchObject({ code: -32601 })
      expect((await door.request('tools/list', {})).result).toBeDefined()
      expectNoFault(hub)
    }))

  test('over HTTP, 2026-07-28', () =>
    onStage({}, async ({ hub }) => {
      const door = http(hub, '2026-07-28')
      // A name that fits no header cannot be sent there, and the protocol has another error for that.
      const sendable = wrong.filter(([, { name, uri }]) => JSON.stringify([name, uri]).length < 1000)
      for (const one of sendable) expectRefusal(await door.request(one[0], modern(one[1])), one)
      for (const method of unknown2026)
        expect((await door.request(method, modern({}))).error).toMatchObject({ code: -32601 })
      expect((await door.request('tools/list', modern({}))).result).toBeDefined()
      expectNoFault(hub)
    }))
})

test('a request with more around it than JSON-RPC has is refused, not left without an answer', async () => {
  await using hub = await testHub()
  const link = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge`, {
    headers: { authorization: `Bearer ${hub.token}` },
  })
  await new Promise(resolve => link.once('open', resolve))
  const answer = new Promise<Answer>(resolve =>
    link.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()) as Answer)),
  )
  link.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', more: true }))
  expect(await answer).toMatchObject({ id: 7, error: { code: -32600, message: expect.stringContaining('more') } })
  link.terminate()
})

test.each(databases)('what does not exist is named by its first hundred characters (%s)', database =>
  onStage({ database }, async ({ hub }) => {
    const id = '家'.repeat(200_000)
    const shown = `${'家'.repeat(99)}…`
    for (const [tool, args] of [
      ['get_task', { task_id: id }],
      ['get_project', { project_id: id }],
      ['get_agent_profile', { agent_id: id }],
      ['get_execution_log', { execution_id: id }],
      ['accept_handoff', { handoff_id: id, agent_id: 'agt_demo' }],
      ['get_agent_status', { agentId: id }],
      ['delete_group', { groupId: id }],
      ['gwt_get_tab_info', { tab_id: id }],
      ['inject_phase_prompt', { phase: id }],
    ] as const) {
      const { text, isError } = await hub.call(tool, args)
      expect({ tool, isError }).toEqual({ tool, isError: true })
      expect(text.length, tool).toBeLessThan(1000)
      expect(text, tool).toContain(shown)
    }
    const unrecognised = await hub.call('create_group', { [id]: 1 })
    expect(unrecognised.text.length).toBeLessThan(1000)
    const answer = await hub.fetch('/api/task.show', { method: 'POST', body: JSON.stringify({ task_id: id }) })
    expect(await answer.json()).toMatchObject({ error: { code: 'TASK_NOT_FOUND', details: { taskId: shown } } })
  }),
)

test('the id of a request comes back as it was, however long', async () => {
  await using hub = await testHub()
  const door = await socket(hub)
  await door.request('initialize', handshake)
  const id = long('i')
  expect((await door.request('resources/read', {}, id)).id).toBe(id)
  expect((await door.request('tools/call', { name: 'list_projects', arguments: {} }, id)).id).toBe(id)
  door.close()
})

describe.each(databases)('addresses and headers that nothing can be found by (%s)', database => {
  const upgrades: [string, string[], number, string][] = [
    ['/events?project=%00', [], 400, '"project" contains a NUL character'],
    ['/events?project=a%00b&since=1', [], 400, '"project" contains a NUL character'],
    ['/events?since=%00', [], 400, '"since" contains a NUL character'],
    ['/events?since=abc', [], 400, 'since is the number'],
    ['/events?since=-1', [], 400, 'since is the number'],
    ['/events?since=1e999', [], 400, 'since is the number'],
    ['/events?since=1&at=%00', [], 400, '"at" contains a NUL character'],
    ['/bridge?toolsets=%00', [], 400, '"toolsets" contains a NUL character'],
    [`/bridge?toolsets=${'t'.repeat(3000)}`, [], 400, 'Toolset "ttt'],
    ['/bridge', [`${DIRECTORY_HEADER}: /tmp/%00`], 400, 'the directory is not a path'],
    ['/tabs/%00/terminal', [], 404, 'nothing is served here'],
    ['/tabs/x/terminal?cols=%00', ['Sec-WebSocket-Protocol: toryo-terminal.1'], 400, 'NUL'],
  ]

  test('are refused with a sentence, and the log has no fault', () =>
    onStage({ database }, async ({ hub }) => {
      const port = Number(new URL(hub.url).port)
      const base = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${hub.token}`]
      for (const [target, extra, status, sentence] of upgrades) {
        const answer = await ask(port, { target, headers: [...base, ...upgradeHeaders(), ...extra] })
        expect({ target, status: answer.status }).toEqual({ target, status })
        expect(answer.body).toContain(sentence)
        expect(answer.body.length).toBeLessThan(500)
      }
      const gets: [string, string[], number][] = [
        ['/mcp?toolsets=%00', [], 400],
        ['/mcp', ['mcp-session-id: \xff\xfe'], 404],
        ['/mcp', [`mcp-session-id: ${'s'.repeat(5000)}`], 404],
        ['/prompts/%00', [], 400],
        ['/prompts/%ED%A0%80', [], 404],
        [`/prompts/${'p'.repeat(5000)}`, [], 404],
      ]
      for (const [target, extra, status] of gets) {
        const headers = [...base, 'Accept: text/event-stream', ...extra]
        const answer = await ask(port, { target, headers })
        expect({ target, status: answer.status }).toEqual({ target, status })
        expect(answer.body.length).toBeLessThan(800)
      }
      expectNoFault(hub)
    }))

  test('a body that breaks off is no fault of the hub', () =>
    onStage({ database }, async ({ hub }) => {
      const port = Number(new URL(hub.url).port)
      const targets = ['/api/project.list', '/mcp', '/api/import']
      for (const target of targets) {
        const head = [
          `POST ${target} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          `Authorization: Bearer ${hub.token}`,
          'Content-Type: application/json',
          'Content-Length: 1000',
          'Expect: 100-continue',
        ]
        await new Promise<void>((resolve, reject) => {
          const client = connect(port, '127.0.0.1', () => client.write(`${head.join('\r\n')}\r\n\r\n`))
          client.on('error', reject)
          // The hub reads the body now, and waits for the rest.
          client.once('data', () => client.write('{"a":', () => client.destroy()))
          client.on('close', () => resolve())
        })
      }
      await until(
        () => linesOf(hub).filter(({ message }) => message === 'a request broke off').length === targets.length,
      )
      expectNoFault(hub)
    }))
})

test('a backup into a folder that is missing, or that is a file, is refused with the next step', async () => {
  await using hub = await testHub()
  const backup = async (file: string) => {
    const answer = await hub.fetch('/api/hub.backup', { method: 'POST', body: JSON.stringify({ file }) })
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    return { status: answer.status, ...error }
  }
  const none = join(hub.home, 'none')
  const missing = {
    status: 400,
    code: 'INVALID_ARGUMENT',
    message: `The folder ${none} does not exist; make it first. Nothing was written.`,
  }
  expect(await backup(join(none, 'x.db'))).toMatchObject(missing)
  const file = join(hub.home, 'hub.log')
  expect(await backup(join(file, 'x.db'))).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
  expect(await backup(hub.home)).toMatchObject({ status: 400, message: expect.stringContaining('exists already') })
  expect(await backup(join(hub.home, 'n'.repeat(300)))).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
  expectNoFault(hub)
})

type Line = { level: string; message: string }

function linesOf(hub: TestHub): Line[] {
  const text = readFileSync(join(hub.home, 'hub.log'), 'utf8')
  return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Line]))
}

function expectNoFault(hub: TestHub): void {
  expect(linesOf(hub).filter(({ level }) => level === 'ERROR' || level === 'WARN')).toEqual([])
}
