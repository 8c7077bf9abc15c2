import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Exchange, PATIENCE_MS } from './exchange.ts'
import { readMessage } from './message.ts'

type Body = {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number }
}

/** An exchange with both its ends in the test's hands. */
function makeExchange() {
  const toHub: { n: number; body: Body }[] = []
  const toClient: Body[] = []
  const refusals: string[] = []
  const clock = { now: 0 }
  const exchange = new Exchange(
    {
      toHub(frame) {
        const space = frame.indexOf(' ')
        toHub.push({ n: Number(frame.slice(0, space)), body: JSON.parse(frame.slice(space)) as Body })
      },
      toClient: line => toClient.push(JSON.parse(String(line)) as Body),
      handshakeRefused: answer => refusals.push(answer),
    },
    'en',
    () => clock.now,
  )
  const client = (body: Body) => {
    const line = JSON.stringify({ jsonrpc: '2.0', ...body })
    exchange.fromClient(line, readMessage(line))
  }
  const hub = (body: Body) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...body })
    if (!exchange.lineFromHub(Buffer.from(`${text}\n`))) exchange.fromHub(text)
  }
  return { exchange, toHub, toClient, refusals, clock, client, hub, taken: () => toHub.splice(0) }
}

function connected() {
  const world = makeExchange()
  world.exchange.attach()
  world.client({ id: 'init', method: 'initialize' })
  world.hub({ id: 'init', result: {} })
  world.client({ method: 'notifications/initialized' })
  world.taken()
  world.toClient.splice(0)
  return world
}

test('a new hub hears handshake, subscriptions and what is unanswered, in that order and under the old numbers', () => {
  const { exchange, client, hub, taken, toClient } = makeExchange()
  exchange.attach()
  client({ id: 1, method: 'initialize' })
  hub({ id: 1, result: {} })
  client({ method: 'notifications/initialized' })
  client({ id: 2, method: 'resources/subscribe', params: { uri: 'a' } })
  hub({ id: 2, result: {} })
  client({ id: 3, method: 'resources/subscribe', params: { uri: 'b' } })
  hub({ id: 3, result: {} })
  client({ id: 4, method: 'resources/unsubscribe', params: { uri: 'a' } })
  hub({ id: 4, result: {} })
  client({ id: 5, method: 'tools/call' })
  taken()
  exchange.detach(60_000)
  client({ id: 6, method: 'tools/list' })
  toClient.splice(0)

  exchange.attach()
  expect(taken()).toMatchObject([{ n: 1, body: { method: 'initialize' } }])
  expect(exchange.ready).toBe(false)
  hub({ id: 1, result: { other: true } })
  expect(exchange.ready).toBe(true)
  expect(taken()).toMatchObject([
    { n: 2, body: { method: 'notifications/initialized' } },
    { n: 4, body: { id: 3, params: { uri: 'b' } } },
    { n: 6, body: { id: 5 } },
    { n: 7, body: { id: 6 } },
  ])
  hub({ id: 3, result: {} })
  // Not the answer, which the client has had, but that updates may have been missed for a while.
  expect(toClient.splice(0)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'b' } },
  ])
  hub({ id: 5, result: {} })
  expect(toClient).toMatchObject([{ id: 5 }])
})

test('a client that has a list of tools is told by a new hub that it may have changed', () => {
  const { exchange, client, hub, toClient } = connected()
  const again = () => {
    exchange.detach(1)
    exchange.attach()
    hub({ id: 'init', result: {} })
    return toClient.splice(0)
  }
  expect(again()).toEqual([])
  client({ id: 1, method: 'tools/list' })
  hub({ id: 1, result: { tools: [] } })
  toClient.splice(0)
  expect(again()).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }])
})

test('a hub that refuses the repeated handshake is of no use, and the client does not hear of it', () => {
  const { exchange, hub, toClient, refusals } = connected()
  exchange.detach(1)
  exchange.attach()
  hub({ id: 'init', error: { code: -32602 } })
  expect(refusals).toHaveLength(1)
  expect([toClient, exchange.ready]).toEqual([[], false])
})

test('a hub that is full fails what no hub ever got; what an earlier one may have done waits on, as long as without a hub', () => {
  const { exchange, client, hub, toClient, clock } = connected()
  client({ id: 1, method: 'tools/call' })
  exchange.detach(60_000)
  client({ id: 2, method: 'tools/call' })
  for (clock.now = 1000; clock.now < PATIENCE_MS; clock.now += 1000) {
    exchange.attach()
    exchange.detach(1, 'No room.')
    exchange.expire()
  }
  expect(toClient.splice(0)).toMatchObject([{ id: 2, result: { content: [{ text: 'No room.' }], isError: true } }])
  exchange.attach()
  exchange.detach(1, 'No room.')
  exchange.expire()
  expect(JSON.stringify(toClient.splice(0))).toContain('Check whether it took effect')

  client({ id: 3, method: 'tools/call' })
  exchange.attach()
  hub({ id: 'init', result: {} })
  hub({ id: 3, result: {} })
  expect(toClient).toMatchObject([{ id: 3, result: {} }])
})

test('an answer is passed on byte for byte; what is not plainly the answer to a waiting request is looked at first', () => {
  const lines: (string | Buffer)[] = []
  const outputs = { toHub: () => {}, toClient: (line: string | Buffer) => void lines.push(line), handshakeRefused() {} }
  const exchange = new Exchange(outputs, 'en', () => 0)
  exchange.attach()
  const ask = (id: string) => {
    const line = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`
    exchange.fromClient(line, readMessage(line))
  }
  const hears = (line: string) => exchange.lineFromHub(Buffer.from(`${line}\n`))
  for (const id of ['7', '"a-1"', '"\\u0061"', '"棟"', '"b"', '8']) ask(id)
  const answer = (id: string, more = '') => `{"jsonrpc":"2.0","id":${id},"result":{"text":"棟梁"${more}}}`
  expect([hears(answer('7')), hears(answer('"a-1"'))]).toEqual([true, true])
  expect(lines).toEqual([Buffer.from(`${answer('7')}\n`), Buffer.from(`${answer('"a-1"')}\n`)])
  // Twice, never asked, ids that can be written in several ways, an error, a line break of another kind, a notification.
  const others = ['7', '9', '07', '"\\u0061"', '"棟"', '-7'].map(id => answer(id))
  others.push(
    '{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"no"}}',
    answer('8', ' \r'),
    '{"jsonrpc":"2.0","method":"x"}',
  )
  for (const line of others) expect({ line, isTaken: hears(line) }).toEqual({ line, isTaken: false })
  expect(exchange.waiting).toBe(4)
  for (const id of ['"\\u0061"', '"棟"', '8']) exchange.fromHub(answer(id))
  expect([exchange.waiting, hears(answer('"b"')), exchange.waiting]).toEqual([1, true, 0])
})

test('a client that waits for nothing gets its handshake repeated whole', () => {
  const { exchange, client, taken } = makeExchange()
  client({ id: 1, method: 'initialize' })
  client({ method: 'notifications/initialized' })
  client({ id: 2, method: 'tools/list' })
  exchange.attach()
  const first = taken()
  expect(first.map(({ n }) => n)).toEqual([1, 2, 3])
  exchange.detach(1)
  exchange.attach()
  expect(taken()).toEqual(first)
})

test('a cancelled request is never replayed, and only a hub that got it hears of the end', () => {
  const { exchange, client, taken, toClient } = connected()
  client({ id: 1, method: 'tools/call' })
  client({ method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(taken()).toMatchObject([{ body: { id: 1 } }, { body: { method: 'notifications/cancelled' } }])
  exchange.detach(1)
  client({ id: 2, method: 'tools/call' })
  client({ method: 'notifications/cancelled', params: { requestId: 2 } })
  exchange.attach()
  expect(taken().map(({ body }) => body.method)).toEqual(['initialize'])
  expect([exchange.waiting, toClient]).toEqual([0, []])
})

test('after 30 s without a hub each request fails once, and a late answer is dropped', () => {
  const { exchange, client, hub, toClient, clock, taken } = connected()
  client({ id: 1, method: 'tools/call' })
  exchange.detach(1)
  clock.now += 1000
  client({ id: 2, method: 'resources/list' })
  clock.now += PATIENCE_MS - 1001
  exchange.expire()
  expect(toClient).toEqual([])
  clock.now += 1
  exchange.expire()
  expect(toClient).toMatchObject([{ id: 1, result: { isError: true } }])
  expect(JSON.stringify(toClient[0])).toContain('Check whether it took effect')
  clock.now += 1000
  exchange.expire()
  expect(toClient).toMatchObject([{ id: 1 }, { id: 2, error: { code: -32001 } }])
  expect(JSON.stringify(toClient[1])).toContain('was not carried out')
  taken()
  exchange.attach()
  hub({ id: 'init', result: {} })
  hub({ id: 1, result: {} })
  expect(toClient).toHaveLength(2)
  expect(taken().map(({ body }) => body.id)).not.toContain(1)
})

test('a request that a hub works on may take as long as it likes', () => {
  const { exchange, client, toClient, clock } = connected()
  client({ id: 1, method: 'tools/call' })
  clock.now += 10 * PATIENCE_MS
  exchange.expire()
  expect(toClient).toEqual([])
})

test('a request under which hub after hub ends is given up', () => {
  const { exchange, client, hub, toClient } = connected()
  client({ id: 1, method: 'tools/call' })
  for (let round = 0; round < 24; round++) {
    exchange.detach(100)
    exchange.attach()
    hub({ id: 'init', result: {} })
  }
  expect(toClient).toEqual([])
  exchange.detach(100)
  expect(toClient).toMatchObject([{ id: 1, result: { isError: true } }])
})

test('an id that is still in use is refused', () => {
  const { client, toClient, taken } = connected()
  client({ id: 1, method: 'tools/call' })
  client({ id: 1, method: 'tools/list' })
  expect(toClient).toMatchObject([{ id: 1, error: { code: -32600 } }])
  expect(taken()).toHaveLength(1)
})

test('more than 32 MB of waiting requests are refused, not hoarded', () => {
  const { client, toClient } = makeExchange()
  const params = { text: 'x'.repeat(1_000_000) }
  for (let id = 0; id < 40; id++) client({ id, method: 'tools/call', params })
  expect(toClient.map(({ id }) => id)).toEqual([33, 34, 35, 36, 37, 38, 39])
})

test("an answer to the old hub's question never reaches the new hub's question of the same number", () => {
  const { exchange, client, hub, toClient, taken } = connected()
  hub({ id: 0, method: 'roots/list' })
  expect(toClient.splice(0)).toMatchObject([{ id: 0, method: 'roots/list' }])
  exchange.detach(1)
  expect(toClient.splice(0)).toMatchObject([{ method: 'notifications/cancelled', params: { requestId: 0 } }])
  exchange.attach()
  hub({ id: 'init', result: {} })
  hub({ id: 0, method: 'roots/list' })
  const [question] = toClient.splice(0)
  expect(question?.id).not.toBe(0)
  taken()
  client({ id: 0, result: { of: 'the old one' } })
  expect(taken()).toEqual([])
  client({ id: question?.id, result: { of: 'the new one' } })
  expect(taken()).toMatchObject([{ body: { id: 0, result: { of: 'the new one' } } }])
  hub({ id: 1, method: 'roots/list' })
  const asked = toClient.splice(0)[0]?.id
  hub({ method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(toClient).toMatchObject([{ params: { requestId: asked } }])
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'ask' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'vanish' as const }) },
)

test('whatever happens, each request is answered exactly once and keeps its number', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), steps => {
      const { exchange, client, hub, toHub, toClient } = makeExchange()
      const asked: number[] = []
      const cancelled = new Set<number>()
      let here = false
      /** What the present hub has got; it answers also what an earlier one has answered. */
      let got = 0
      const frames = () => toHub.slice(got).filter(({ body }) => body.id !== undefined)
      for (const move of steps) {
        if (move.do === 'ask') client({ id: asked.push(asked.length) - 1, method: 'tools/call' })
        if (move.do === 'answer' && here && frames().length > 0)
          hub({ id: frames()[move.which % frames().length]?.body.id, result: {} })
        if (move.do === 'cancel' && asked.length > 0) {
          const requestId = move.which % asked.length
          if (!toClient.some(({ id }) => id === requestId)) cancelled.add(requestId)
          client({ method: 'notifications/cancelled', params: { requestId } })
        }
        if (move.do !== 'restart' && move.do !== 'vanish') continue
        if (here) exchange.detach(60_000)
        here = move.do === 'restart'
        got = toHub.length
        if (here) exchange.attach()
      }
      if (here) exchange.detach(60_000)
      got = toHub.length
      exchange.attach()
      for (const { body } of frames()) hub({ id: body.id, result: {} })

      for (const id of asked) {
        const answers = toClient.filter(answer => answer.id === id).length
        expect(cancelled.has(id) ? [0, 1] : [1]).toContain(answers)
        expect(new Set(toHub.filter(({ body }) => body.id === id).map(({ n }) => n)).size).toBeLessThanOrEqual(1)
      }
      expect(exchange.waiting).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('a call that no hub can answer fails as its tool does, in the form of the last hub; anything else fails as an error', () => {
  const { exchange, client, clock, toClient } = connected()
  const forms = (tools: string[]) => JSON.stringify([{ body: { error: true, code: 'AWAY', message: '%s' }, tools }])
  const call = (id: number, name: unknown) => client({ id, method: 'tools/call', params: { name } })
  const expire = () => {
    exchange.detach(60_000)
    clock.now += PATIENCE_MS + 1
    exchange.expire()
    return toClient.splice(0).map(({ id, result, error }) => [id, error?.code ?? text(result)])
  }
  const sentence = expect.stringMatching(/^The hub has been out of reach for 30 s/)
  const shaped = expect.toSatisfy((said: string) => {
    const { error, code, message } = JSON.parse(said) as Record<string, unknown>
    return error === true && code === 'AWAY' && String(message).startsWith('The hub has been out of reach')
  })
  call(1, 'run-it')
  expect(expire()).toEqual([[1, sentence]])

  exchange.learnErrors(forms(['run_it']))
  exchange.attach()
  call(2, 'run-it')
  call(3, 'run_it')
  call(4, 'other')
  call(5, 7)
  client({ id: 6, method: 'tools/list' })
  expect(expire()).toEqual([
    [2, shaped],
    [3, shaped],
    [4, sentence],
    [5, sentence],
    [6, -32001],
  ])

  // A hub that says nothing of it, or nothing that can be read, changes nothing; one that does, everything.
  exchange.learnErrors('not JSON')
  exchange.learnErrors('{"body":1}')
  call(7, 'run_it')
  expect(expire()).toEqual([[7, expect.stringContaining('AWAY')]])
  exchange.learnErrors(forms(['other']))
  call(8, 'run_it')
  call(9, 'other')
  expect(expire()).toEqual([
    [8, expect.not.stringContaining('AWAY')],
    [9, expect.stringContaining('AWAY')],
  ])
})

function text(result: unknown): string | undefined {
  return (result as { content: { text: string }[] } | undefined)?.content[0]?.text
}
