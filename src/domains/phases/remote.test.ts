import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { databases, TestClock, type TestHub, testHub } from '#test/hub.ts'

import { RemotePrompts } from './remote.ts'

const folders = mkdtempSync(join(tmpdir(), 'toryo-remote-'))
const folder = (name: string) => mkdirSync(join(folders, name), { recursive: true }) ?? folders
const [PROJECT, ANOTHER, THIRD] = [folder('project'), folder('another'), folder('third')] as const
afterAll(() => rmSync(folders, { recursive: true }))

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A real source on the loopback that answers as the test wants, and notes what it was asked. */
async function source(answer: Answer) {
  const asked: { url: string | undefined; token: string | undefined; lang: string | undefined }[] = []
  const current = { answer }
  const server = createServer((request, response) => {
    const { authorization: token, 'accept-language': lang } = request.headers
    asked.push({ url: request.url, token, lang })
    current.answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url: `http://127.0.0.1:${port}`, port, asked, current, stop, [Symbol.asyncDispose]: stop }
}

const json =
  (value: unknown, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const prompt = (version: number, content = `# Remote ${version}`, phase = 'phase0') => json({ phase, version, content })

const inject = (hub: TestHub, phase = 'phase0', projectPath = PROJECT) =>
  hub.call('inject_phase_prompt', { phase, context: { projectPath } })

const metadata = (answer: { result: Record<string, unknown> }) => answer.result['metadata']

describe.each(databases)('prompts of a source, on %s', database => {
  test('are fetched once within the cache time, with the token, in the language of the caller', async () => {
    const clock = new TestClock()
    await using remote = await source(prompt(7))
    const env = { PROMPT_API_URL: `${remote.url}/base/`, PROMPT_API_TOKEN: 'tok', CACHE_TTL: '1000' }
    await using hub = await testHub({ database, clock, env })
    const answers = await Promise.all([inject(hub), inject(hub, 'phase0', ANOTHER)])
    expect(answers.map(answer => answer.text.split('\n')[0])).toEqual(['# Remote 7', '# Remote 7'])
    expect(remote.asked).toEqual([{ url: '/base/prompts/phase0', token: 'Bearer tok', lang: 'en' }])
    const fetchedAt = '2026-01-01T00:00:00.000Z'
    expect(metadata(await inject(hub))).toEqual({ phase: 'phase0', version: 7, fetchedAt, cached: true })
    clock.advance(1000)
    expect(metadata(await inject(hub))).toMatchObject({ version: 7, cached: false })
    expect(remote.asked).toHaveLength(2)
  })

  test('a phase in progress keeps its version; the next start takes the new one', async () => {
    const clock = new TestClock()
    await using remote = await source(prompt(1))
    await using hub = await testHub({ database, clock, env: { PROMPT_API_URL: remote.url, CACHE_TTL: '10' } })
    await inject(hub)
    remote.current.answer = prompt(2)
    clock.advance(10)
    const kept = await inject(hub)
    expect(kept.text).toContain('# Remote 1')
    expect(metadata(kept)).toMatchObject({ version: 1, cached: true })
    const elsewhere = await inject(hub, 'phase0', ANOTHER)
    expect(metadata(elsewhere)).toMatchObject({ version: 2 })
    // The same number with other words is not the same prompt.
    remote.current.answer = prompt(2, '# Swapped')
    clock.advance(10)
    expect((await inject(hub, 'phase0', ANOTHER)).text).toContain('# Remote 2')
    expect((await inject(hub, 'phase0', THIRD)).text).toContain('# Swapped')
  })

  test('a phase that a transition started keeps the first prompt it is given', async () => {
    const clock = new TestClock()
    await using remote = await source((request, response) =>
      prompt(request.url?.endsWith('phase1') ? 5 : 1, '# Old', request.url?.split('/').at(-1))(request, response),
    )
    await using hub = await testHub({ database, clock, env: { PROMPT_API_URL: remote.url, CACHE_TTL: '10' } })
    await inject(hub)
    await inject(hub, 'phase1')
    await hub.call('transition_to_next_phase', {
      currentPhase: 'phase0',
      result: { status: 'completed' },
      context: { projectPath: PROJECT },
    })
    clock.advance(10)
    remote.current.answer = prompt(6, '# New', 'phase1')
    expect(metadata(await inject(hub, 'phase1'))).toMatchObject({ version: 6, cached: false })
    remote.current.answer = prompt(7, '# Newer', 'phase1')
    clock.advance(10)
    expect(metadata(await inject(hub, 'phase1'))).toMatchObject({ version: 6, cached: true })
  })

  test('a copy serves while the source is down, also after a restart of the hub', async () => {
    const clock = new TestClock()
    await using remote = await source((request, response) =>
      prompt(3, '# Kept', request.url?.split('/').at(-1))(request, response),
    )
    const env = { PROMPT_API_URL: remote.url, CACHE_TTL: '10' }
    await using hub = await testHub({ database, clock, env })
    await inject(hub, 'phase2')
    clock.advance(10)
    remote.current.answer = json({}, 500)
    expect(metadata(await inject(hub, 'phase2'))).toMatchObject({ version: 3, cached: true })
    await remote.stop()
    await hub.stop()
    await using again = await testHub({ target: hub.target, env })
    const answer = await inject(again, 'phase2')
    expect(answer.text).toContain('# Kept')
    expect(metadata(answer)).toMatchObject({ version: 3, cached: true })
    expect((await inject(again, 'phase4')).body).toMatchObject({ error: { code: 'CLOUD_API_ERROR' } })
  })

  test('every fault is CLOUD_API_ERROR, says nothing about the source, and writes nothing', async () => {
    await using other = await source(prompt(1))
    const secret = 'a-very-secret-token'
    const faults: [fault: string, answer: Answer][] = [
      ['refused', json({ message: 'at Server.handle (/srv/app.js:1:2)' }, 500)],
      ['refused', json({}, 401)],
      ['broken', (_request, response) => void response.end('<html>')],
      ['broken', json({ phase: 'phase1', version: 1, content: 'x' })],
      ['broken', json({ phase: 'phase0', version: '1', content: 'x' })],
      ['broken', json({ phase: 'phase0', version: 1, content: '' })],
      ['broken', json({ phase: 'phase0', version: 1, content: 'a\0b' })],
      ['broken', prompt(1, '---\nrequires: [../../etc/passwd]\n---\n')],
      ['broken', (_request, response) => void response.end(Buffer.from([0x22, 0xff, 0x22]))],
      ['too_large', prompt(1, 'x'.repeat(300_000))],
      ['too_large', endless],
      ['unreachable', (_request, response) => void response.destroy()],
      ['redirected', (_request, response) => void response.writeHead(302, { location: other.url }).end()],
      ['redirected', (request, response) => void response.writeHead(302, { location: request.url }).end()],
    ]
    const slow: typeof faults = [
      ['timeout', () => {}],
      ['timeout', (_request, response) => void response.writeHead(200).write('{"phase":')],
    ]
    await using remote = await source(prompt(1))
    // Only what is meant to be slow may meet the limit.
    for (const [limit, cases] of [['300', slow] as const, ['60000', faults] as const]) {
      const env = { PROMPT_API_URL: remote.url, PROMPT_API_TOKEN: secret, PROMPT_API_TIMEOUT: limit }
      await using hub = await testHub({ database, env })
      for (const [fault, answer] of cases) {
        remote.current.answer = answer
        const { body, isError, text } = await inject(hub)
        const details = { phase: 'phase0', fault }
        const error = { code: 'CLOUD_API_ERROR', message: expect.any(String), details }
        expect({ isError, body }).toEqual({ isError: true, body: { error } })
        for (const leak of [String(remote.port), '127.0.0.1', secret, '.js', 'at ', 'ECONN'])
          expect(text).not.toContain(leak)
      }
      expect((await hub.api('hub.status', {})).last_event).toBe(0)
    }
    await remote.stop()
    await using hub = await testHub({ database, env: { PROMPT_API_URL: remote.url } })
    expect((await inject(hub)).body).toMatchObject({ error: { details: { fault: 'unreachable' } } })
    expect(other.asked).toEqual([])
  })

  test('a source without the prompt is PROMPT_NOT_FOUND, and no copy hides that', async () => {
    const clock = new TestClock()
    await using remote = await source(prompt(1, '# Once', 'phase2'))
    await using hub = await testHub({ database, clock, env: { PROMPT_API_URL: remote.url, CACHE_TTL: '10' } })
    await inject(hub, 'phase2')
    remote.current.answer = json({}, 404)
    clock.advance(10)
    for (const phase of ['phase0', 'phase2'])
      expect((await inject(hub, phase)).body).toMatchObject({ error: { code: 'PROMPT_NOT_FOUND', details: { phase } } })
  })

  test('one hub is the source of another, with its state file as token file', async () => {
    await using origin = await testHub()
    await origin.api('phase.prompt.edit', { phase: 'phase0', content: '# Ours' })
    await origin.api('phase.prompt.edit', { phase: 'phase0', language: 'ja', content: '# 私たちの' })
    await using hub = await testHub({ database })
    const config = { prompts: { url: origin.url, tokenFile: origin.target.statePath } }
    writeFileSync(join(hub.home, 'config.json'), JSON.stringify(config))
    await expect.poll(async () => (await hub.api('phase.prompt.list', {})).remote).toBe(true)
    const english = await inject(hub)
    expect(english.text).toMatch(/^# Ours\n/)
    expect(metadata(english)).toMatchObject({ version: 2, cached: false })
    const japanese = await hub.connect({ lang: 'ja', directory: PROJECT })
    expect((await japanese.call('inject_phase_prompt', { phase: 'phase0' })).text).toMatch(/^# 私たちの\n/)
  })
})

function endless(_request: IncomingMessage, response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

test.each([['ftp://x.example'], ['not an address'], ['http://user:pass@127.0.0.1:1']])(
  'an address that cannot be used (%s) is told without it',
  async url => {
    await using hub = await testHub({ env: { PROMPT_API_URL: url } })
    const { body, text } = await inject(hub)
    expect(body).toMatchObject({ error: { code: 'CLOUD_API_ERROR', details: { fault: 'misconfigured' } } })
    expect(text).not.toContain(url)
  },
)

test('GET /prompts/{phase} serves the hub’s own prompts to whoever has the token', async () => {
  await using hub = await testHub()
  const response = await hub.fetch('/prompts/phase1', { headers: { 'accept-language': 'ja' } })
  expect(await response.json()).toMatchObject({ phase: 'phase1', version: 1, content: expect.stringContaining('計画') })
  expect((await hub.fetch('/prompts/phase9')).status).toBe(404)
  expect((await fetch(`${hub.url}/prompts/phase1`)).status).toBe(401)
})

function lonely(url: string, token: () => Promise<string | undefined>, clock = new TestClock()) {
  const settings = () => ({ url, ttlMs: 0, timeoutMs: 50, token })
  const log = { error() {}, warn() {}, info() {}, debug() {} }
  return new RemotePrompts({ settings, clock, log: log as never })
}

test('a token crosses no network in clear text', async () => {
  let read = 0
  const remote = lonely('http://192.0.2.1:9', async () => {
    read++
    return 'secret'
  })
  await expect(remote.fetch('phase0', 'en')).rejects.toMatchObject({ code: 'CLOUD_API_ERROR' })
  expect(read).toBe(0)
})

test('a source is left alone in proportion to what its failure cost', async () => {
  const clock = new TestClock()
  const slow = async () => {
    clock.advance(100)
    return undefined
  }
  const remote = lonely('http://127.0.0.1:9', slow, clock)
  await expect(remote.fetch('phase0', 'en')).rejects.toMatchObject({ code: 'CLOUD_API_ERROR' })
  expect([remote.isResting('phase0', 'en'), remote.isResting('phase1', 'en')]).toEqual([true, false])
  clock.advance(399)
  expect(remote.isResting('phase0', 'en')).toBe(true)
  clock.advance(1)
  expect(remote.isResting('phase0', 'en')).toBe(false)
})
