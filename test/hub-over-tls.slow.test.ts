// A hub that speaks TLS with a certificate of the team's own, as the guide makes one. On its machine everything finds it without an
// authority in the environment; from elsewhere a client says what is wrong with the certificate or the name, and what to do. The
// guide's own commands make them here, too, also the one of PostgreSQL.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { BridgeClient } from './bridge/bridge-client.ts'
import { makeCertificate } from './certificate.ts'
import { connect } from './emptied.ts'
import { testHub } from './hub.ts'
import { blocksIn } from './languages.ts'
import { freshPostgres } from './postgres.ts'
import { build } from './processes.ts'
import { DIST, ROOT } from '../scripts/sources.js'
import { Tap } from './tap.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } }

beforeAll(() => build())

test('its own machine needs no authority: commands, the page, and the bridge that agents start', async () => {
  await using toryo = new Toryo()
  const { cert, key } = makeCertificate(toryo.folder)
  const up = toryo.start('up', '--port', '0', '--json', '--no-runner', '--tls-cert', cert, '--tls-key', key)
  const [, url = ''] = await up.output(/"url":"([^"]+)"/)
  expect(url).toMatch(/^https:/)
  const said = async (...words: string[]) => {
    const { code, out, err } = await toryo.here(words)
    return { words, code, out: out + err }
  }
  expect(await toryo.run(['status'])).toMatchObject({ code: 0, out: expect.stringContaining(url) })
  for (const [words, out] of [
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

test('elsewhere, clients say which certificate they do not trust and what to do', async () => {
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

test('clients that never begin to speak TLS keep nobody out, and each known caller has its place', async () => {
  await using toryo = new Toryo()
  const { cert, key } = makeCertificate(toryo.folder)
  await using hub = await testHub({ tls: { cert, key }, room: { known: 1, strangers: 4 } })
  const port = Number(new URL(hub.url).port)
  const silent = Array.from({ length: 8 }, () => net.connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(silent.slice(0, 4).map(socket => once(socket, 'close')))
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: fs.readFileSync(cert) })
  const asked = (through: https.Agent) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${hub.token}` }
      const request = https.request(`${hub.url}/mcp`, { method: 'POST', headers, agent: through })
      request
        .on('error', reject)
        .on('response', response => response.resume().on('end', () => resolve(response.statusCode)))
      request.end('{}')
    })
  expect([await asked(agent), await asked(agent)]).not.toContain(503)
  const another = new https.Agent({ ca: fs.readFileSync(cert) })
  expect(await asked(another)).toBe(503)
  agent.destroy()
  await until(async () => (await asked(another)) !== 503)
  for (const socket of silent) socket.destroy()
})

test('elsewhere, clients say that the hub does not answer to the name that they dialled', async () => {
  await using toryo = new Toryo()
  await using hub = await testHub()
  await using forward = await Tap.to(Number(new URL(hub.url).port), { keepHost: true })
  await everyDoor(
    toryo,
    forward.url,
    `The hub at ${forward.url} does not answer to this name or address (Host not allowed), so it was sent no token. Start the hub with \`toryo up --allow-host 127.0.0.1:${forward.port}\`.`,
  )
})

test("the guide's commands make a certificate that the hub serves and that clients of the authority trust", async () => {
  await using toryo = new Toryo()
  // The example's address, which is nobody's, is another of this machine's own.
  const { last } = runGuide('postgresql.md', toryo.folder, [
    ['192.0.2.10', '127.0.0.2'],
    ['0.0.0.0', '127.0.0.2'],
  ])
  expect(last).toMatch(/^toryo up .*--allow-host hub\.example --allow-host 127\.0\.0\.2$/)
  const words = last.split(' ').slice(1)
  const up = toryo.start(...words, '--port', '0', '--json', '--no-runner', '--no-register')
  const [, url = ''] = await up.output(/"url":"([^"]+)"/)
  expect(url).toMatch(/^https:\/\/127\.0\.0\.2:/)
  const { token } = await toryo.json<{ token: string }>('token', 'create', 'laptop')
  const file = path.join(toryo.folder, 'laptop.token')
  fs.writeFileSync(file, token, { mode: 0o600 })
  const there = ['project', 'list', '--url', url, '--token-file', file]
  const env = { TORYO_HOME: path.join(toryo.folder, 'laptop') }
  expect(await toryo.here(there, { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  })
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: path.join(toryo.folder, 'ca.pem') }
  expect(await toryo.run(there, { env: trusting })).toMatchObject({
    code: 0,
    err: expect.stringContaining('No projects'),
  })
  expect(await toryo.here(['stop'])).toMatchObject({ code: 0, out: expect.stringContaining('Stopped the hub') })
  expect(await up.ended).toBe(0)
})

test("the guide's certificate of PostgreSQL is checked by the authority that sslrootcert names", async () => {
  await using toryo = new Toryo()
  await using database = await freshPostgres()
  runGuide('team.md', toryo.folder, [['DNS:db.example', 'IP:127.0.0.1']])
  await using _ = await encrypting(database.url, toryo.folder)
  const list = (db: string) => toryo.here(['project', 'list', '--db', db])
  const checked = `${database.url}?sslmode=verify-full`
  const refused = await list(checked)
  expect(refused.err).toContain(
    'is signed by an authority that is not known here. Name its file in --db: &sslrootcert=',
  )
  expect(refused.code).not.toBe(0)
  const named = `${checked}&sslrootcert=${path.join(toryo.folder, 'ca.pem')}`
  expect(await list(named)).toMatchObject({ code: 0, err: expect.stringContaining('No projects') })
  const client = await connect(database.url)
  const { rows } = await client.query(`select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where application_name = 'toryo' and datname = current_database()`)
  await client.end()
  expect(rows).toEqual([{ ssl: true }])
  expect(await toryo.here(['stop', '--db', named])).toMatchObject({ code: 0 })
})

/** Runs what the guide's first block about certificates has, and answers its last line where that is another program's. */
function runGuide(page: string, folder: string, names: readonly (readonly [string, string])[]): { last: string } {
  const guide = fs.readFileSync(path.join(ROOT, 'docs', 'guide', 'en', page), 'utf8')
  let text = blocksIn(guide).find(block => block.text.includes('openssl req -x509'))?.text ?? ''
  for (const [example, own] of names) {
    expect(text).toContain(example)
    text = text.replaceAll(example, own)
  }
  const lines = text.trim().split('\n')
  const made = lines.filter(line => /^(openssl|printf) /.test(line))
  expect(made).toHaveLength(4)
  execFileSync('sh', ['-ec', made.join('\n')], { cwd: folder, stdio: 'pipe' })
  return { last: lines.at(-1) ?? '' }
}

/** The server of this test run, which takes encrypted connections as well from now on. */
async function encrypting(url: string, folder: string): Promise<AsyncDisposable> {
  const admin = await connect(url)
  const [{ data_directory: data } = { data_directory: '' }] = (await admin.query('show data_directory')).rows
  const { uid, gid } = fs.statSync(data)
  for (const name of ['db.pem', 'db.key']) {
    fs.copyFileSync(path.join(folder, name), path.join(data, name))
    fs.chownSync(path.join(data, name), uid, gid)
    fs.chmodSync(path.join(data, name), 0o600)
  }
  const settings = { ssl_cert_file: 'db.pem', ssl_key_file: 'db.key', ssl: 'on' }
  for (const [name, value] of Object.entries(settings)) await admin.query(`alter system set ${name} = '${value}'`)
  await admin.query('select pg_reload_conf()')
  await until(async () => (await admin.query('show ssl')).rows[0].ssl === 'on')
  return {
    async [Symbol.asyncDispose]() {
      for (const name of Object.keys(settings)) await admin.query(`alter system reset ${name}`)
      await admin.query('select pg_reload_conf()')
      await admin.end()
    },
  }
}

/** The command line, a bridge, whose client gets the sentence as well, and a Runner. */
async function everyDoor(toryo: Toryo, url: string, sentence: string): Promise<void> {
  const token = path.join(toryo.folder, 'token')
  fs.writeFileSync(token, `opr_${'x'.repeat(43)}`, { mode: 0o600 })
  const there = ['--url', url, '--token-file', token]
  for (const words of [['status'], ['project', 'list'], ['tab', 'list']])
    expect(await toryo.here([...words, ...there]), words.join(' ')).toEqual({
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
