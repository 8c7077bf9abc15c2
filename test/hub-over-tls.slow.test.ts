// A hub that speaks TLS with a certificate of the team's own, as the guide makes one. On its machine everything finds it without an
// authority in the environment; from elsewhere a client says what is wrong with the certificate or the name, and what to do.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { BridgeClient } from './bridge/bridge-client.ts'
import { makeCertificate } from './certificate.ts'
import { testHub } from './hub.ts'
import { build } from './processes.ts'
import { DIST } from '../scripts/sources.js'
import { Tap } from './tap.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

const PATIENT = { timeout: 900_000 }
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } }

beforeAll(() => build())

test('its own machine needs no authority: commands, the page, and the bridge that agents start', PATIENT, async () => {
  await using toryo = new Toryo()
  const { cert, key } = makeCertificate(toryo.folder)
  const up = toryo.start('up', '--port', '0', '--json', '--no-runner', '--tls-cert', cert, '--tls-key', key)
  const [, url = ''] = await up.output(/"url":"([^"]+)"/)
  expect(url).toMatch(/^https:/)
  const said = async (...words: string[]) => {
    const { code, out, err } = await toryo.run(words)
    return { words, code, out: out + err }
  }
  for (const [words, out] of [
    [['status'], url],
    [['logs'], 'the hub listens'],
    [['open'], `${url}/#login=`],
    [['project', 'list'], 'No projects yet'],
    [['tab', 'list'], 'No tab is open'],
    [['doctor'], url],
  ] as const)
    expect(await said(...words)).toMatchObject({ code: 0, out: expect.stringContaining(out) })
  // What is in the engines' config files: it is given no database.
  const registered = new BridgeClient(path.join(DIST, 'bridge.js'), [], toryo.env() as Record<string, string>)
  expect((await registered.request('initialize', HELLO)).result).toBeDefined()
  registered.child.stdin.end()
  await registered.exit
  expect(await said('stop')).toMatchObject({ code: 0, out: expect.stringContaining('Stopped the hub') })
  expect(await up.ended).toBe(0)
})

test('elsewhere, clients say which certificate they do not trust and what to do', PATIENT, async () => {
  await using toryo = new Toryo()
  const { cert, key } = makeCertificate(toryo.folder)
  await using hub = await testHub({ tls: { cert, key } })
  const unknown = `The certificate of the hub at ${hub.url} is signed by an authority that is not known here, so the hub was sent no token. Name the authority's file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.`
  await everyDoor(toryo, hub.url, unknown)
  // Known, but made for other names: localhost is none of them.
  toryo.more = { NODE_EXTRA_CA_CERTS: cert }
  const other = hub.url.replace('127.0.0.1', 'localhost')
  const misnamed = `The certificate of the hub at ${other} is not for localhost, so the hub was sent no token. Use a name or address that it has, or make one for localhost.`
  await everyDoor(toryo, other, misnamed)
})

test('elsewhere, clients say that the hub does not answer to the name that they dialled', PATIENT, async () => {
  await using toryo = new Toryo()
  await using hub = await testHub()
  await using forward = await Tap.to(Number(new URL(hub.url).port), { keepHost: true })
  await everyDoor(
    toryo,
    forward.url,
    `The hub at ${forward.url} does not answer to this name or address (Host not allowed), so it was sent no token. Start the hub with \`toryo up --allow-host 127.0.0.1:${forward.port}\`.`,
  )
})

/** The command line, a bridge, whose client gets the sentence as well, and a Runner. */
async function everyDoor(toryo: Toryo, url: string, sentence: string): Promise<void> {
  const token = path.join(toryo.folder, 'token')
  fs.writeFileSync(token, `opr_${'x'.repeat(43)}`, { mode: 0o600 })
  const there = ['--url', url, '--token-file', token]
  for (const words of [['status'], ['project', 'list'], ['tab', 'list']])
    expect(await toryo.run([...words, ...there]), words.join(' ')).toEqual({
      code: 3,
      out: '',
      err: `toryo: ${sentence}\n`,
    })
  const bridge = new BridgeClient(path.join(DIST, 'bridge.js'), there, toryo.env() as Record<string, string>)
  expect((await bridge.request('initialize', HELLO)).error?.message).toContain(sentence)
  expect(bridge.stderr).toContain(sentence)
  bridge.child.stdin.end()
  await bridge.exit
  const runner = toryo.start('runner', ...there)
  await until(() => runner.seen.err.includes(sentence))
  expect(runner.seen.err).not.toContain('refuses this token')
  runner.child.kill('SIGTERM')
  await runner.ended
}
