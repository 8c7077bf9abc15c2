// A bridge knows no tool, and still refuses a call as the tool would when its hub has gone.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Relay } from '#bridge/relay.ts'
import type { ErrorForm } from '#contract/error-form.ts'
import { ERRORS_HEADER, RELAY_PROTOCOL } from '#contract/limits.ts'
import { TOOLSETS } from '#contract/toolsets.ts'
import { type TestHub, testHub } from './hub.ts'
import { until } from './until.ts'

type Answer = { id?: number; result?: { content: { text: string }[]; isError?: boolean } }

const BODIES: [string, (message: unknown) => unknown][] = [
  ['should_start', said => ({ success: false, error: said, code: 'HUB_UNAVAILABLE' })],
  ['get_my_task', said => ({ success: false, error: said, code: 'HUB_UNAVAILABLE' })],
  ['list_tasks', said => ({ success: false, error: said, code: 'HUB_UNAVAILABLE' })],
  ['get_pending_tasks', said => ({ success: false, error: said, code: 'HUB_UNAVAILABLE' })],
  ['list_roles', said => ({ error: true, code: 'HUB_UNAVAILABLE', message: said })],
  ['gwt_list_tabs', said => ({ error: true, code: 'HUB_UNAVAILABLE', message: said })],
  ['get_phase_context', said => ({ error: { code: 'INTERNAL_ERROR', message: said, details: HERE } })],
  ['get_topics', said => ({ error: { code: 'DATABASE_ERROR', message: said, reason: 'HUB_UNAVAILABLE' } })],
  ['list_agents', said => ({ success: false, error: said, code: 'HUB_UNAVAILABLE' })],
]
const HERE = { reason: 'HUB_UNAVAILABLE' }

test.each(['en', 'ja'] as const)(
  'when its hub has gone, each call fails in the form of its toolset (%s)',
  async lang => {
    await using hub = await testHub()
    await using client = new BridgeInHand(hub, lang)
    await client.connected()
    await hub.stop()
    await client.lost()
    const ids = BODIES.map(([tool]) => client.call(tool))
    const answers = await client.giveUp(ids)
    const sentence = expect.stringMatching(
      { en: /^The hub has been out of reach for 30 s/, ja: /^ハブに 30 秒間/ }[lang],
    )
    for (const [at, [tool, body]] of BODIES.entries()) {
      const { result } = answers[at] ?? {}
      expect(result?.isError, tool).toBe(true)
      expect({ tool, body: JSON.parse(result?.content[0]?.text ?? '') as unknown }).toEqual({
        tool,
        body: body(sentence),
      })
    }
  },
)

test('over WebSocket, too, the hub says for every tool of the connection how it refuses, and for no other', async () => {
  await using hub = await testHub()
  const all = await formsOf(hub, TOOLSETS.join())
  expect(all.flatMap(({ tools }) => tools).length).toBeGreaterThan(50)
  expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThan(4096)
  const [memory, ...others] = await formsOf(hub, 'memory')
  expect(others).toEqual([])
  expect(memory?.tools).toContain('recall')
  expect(memory?.tools).not.toContain('list_tasks')
})

async function formsOf(hub: TestHub, toolsets: string): Promise<ErrorForm[]> {
  const headers = { authorization: `Bearer ${hub.token}` }
  const url = `${hub.url.replace('http', 'ws')}/bridge?toolsets=${toolsets}`
  const socket = new WebSocket(url, RELAY_PROTOCOL, { headers })
  const [[response]] = (await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])) as [
    [{ headers: Record<string, string> }],
    unknown,
  ]
  socket.terminate()
  return JSON.parse(response.headers[ERRORS_HEADER] ?? '') as ErrorForm[]
}

/** A bridge whose client and clock are the test. */
class BridgeInHand implements AsyncDisposable {
  readonly #answers: Answer[] = []
  readonly #notes: string[] = []
  readonly #relay: Relay
  readonly #run: Promise<number>
  #now = 0
  #id = 0

  constructor({ url, token }: TestHub, lang: 'en' | 'ja') {
    this.#relay = new Relay({
      source: { find: () => ({ url, credential: token, token }) },
      hello: { toolsets: TOOLSETS.join(), secret: 's'.repeat(32), lang, directory: undefined },
      lang,
      toClient: line => this.#answers.push(JSON.parse(String(line)) as Answer) > 0,
      pauseClient() {},
      note: sentence => void this.#notes.push(sentence),
      now: () => this.#now,
    })
    this.#run = this.#relay.run()
  }

  async connected(): Promise<void> {
    const id = this.#send('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    await until(() => this.#answers.some(answer => answer.id === id))
  }

  /** It has tried to reach its hub again, and could not. */
  async lost(): Promise<void> {
    await until(() => this.#notes.length > 0)
  }

  call(name: string): number {
    return this.#send('tools/call', { name, arguments: {} })
  }

  /** Lets its patience run out. */
  async giveUp(ids: readonly number[]): Promise<(Answer | undefined)[]> {
    this.#now += 31_000
    await until(() => ids.every(id => this.#answers.some(answer => answer.id === id)))
    return ids.map(id => this.#answers.find(answer => answer.id === id))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#relay.end(0)
    await this.#run
  }

  #send(method: string, params: object): number {
    const id = ++this.#id
    this.#relay.fromClient(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`))
    return id
  }
}
