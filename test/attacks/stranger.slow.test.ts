// What listens where a client expects its hub: a stranger that says yes to everything, and one that passes every word on to the
// real hub. Neither may learn the client's credential.
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { TerminalLink } from '#client/terminal-link.ts'
import { ROOT } from '../../scripts/sources.js'
import { BridgeClient } from '../bridge/bridge-client.ts'
import { type TestHub, testHub } from '../hub.ts'
import { build } from '../processes.ts'
import { Tap } from '../tap.ts'
import { Toryo } from '../toryo.ts'
import { until } from '../until.ts'

const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')

beforeAll(() => build())

type Credentials = { token: string; runner: string; ticket: string }

/** A hub with every kind of credential that a client may show. */
async function credentialsOf(hub: TestHub): Promise<Credentials> {
  const { token: runner } = await hub.api('runner.add', { name: 'elsewhere' })
  const { project_id } = await hub.api('project.add', { name: 'shop', directory: hub.home })
  const { agent_id } = await hub.api('agent.add', { name: 'Worker', engine: 'claude' })
  await hub.api('project.assign', { project_id, agent_id })
  const { task_id } = await hub.api('task.add', { project_id, title: 'work', assignee_id: agent_id })
  await hub.api('task.move', { task_id, status: 'in_progress' })
  const asking = await hub.connect({ credential: runner, toolsets: 'runner' })
  await fetch(`${hub.url}/api/runner.hold`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ engines: ['claude'], instances: [] }),
  })
  const { body } = await asking.call('should_start', { agent_id, project_id })
  expect(body).toMatchObject({ should_start: true })
  return { token: hub.token, runner, ticket: String(body['ticket']) }
}

type Meeting = { url: string; secret: string; file: string; toryo: Toryo; tap: Tap }
type Kind = { name: string; credential: keyof Credentials; hint?: false; meet(meeting: Meeting): Promise<string> }

const command = (...words: string[]): Kind => ({
  name: `toryo ${words.join(' ')}`,
  credential: 'token',
  async meet({ url, file, toryo }) {
    const { code, out, err } = await toryo.run([...words, '--url', url, '--token-file', file])
    expect(code).not.toBe(0)
    return out + err
  },
})

/** Without --url: what the state file says leads to the stranger, as after the hub has ended and its port was taken. */
const byStateFile = (...words: string[]): Kind => ({
  name: `toryo ${words.join(' ')}, by its database`,
  credential: 'token',
  hint: false,
  async meet({ url, secret: token, toryo }) {
    fs.mkdirSync(toryo.home, { mode: 0o700 })
    const state = { pid: process.pid, url, token, version: '0', startedAt: new Date().toISOString() }
    fs.writeFileSync(`${toryo.db}.hub.json`, JSON.stringify(state), { mode: 0o600 })
    const { out, err } = await toryo.run(words)
    return out + err
  },
})

/** Lives until it is ended: long enough to have tried each of its connections more than once. */
const TRIES = 6

const kinds: Kind[] = [
  command('task', 'list'),
  command('status'),
  command('stop'),
  command('export'),
  command('tab', 'list'),
  byStateFile('status'),
  byStateFile('stop'),
  byStateFile('doctor'),
  {
    name: 'toryo runner',
    credential: 'runner',
    hint: false,
    async meet({ url, file, toryo, tap, secret }) {
      const runner = toryo.start('runner', '--url', url, '--token-file', file)
      let ended = false
      void runner.ended.then(() => (ended = true))
      await until(() => ended || tap.connections >= TRIES || tap.heard.includes(secret))
      runner.child.kill('SIGKILL')
      await runner.ended
      return runner.seen.out + runner.seen.err
    },
  },
  ...(['token', 'ticket'] as const).map(
    (credential): Kind => ({
      name: `toryo mcp with a ${credential}`,
      credential,
      async meet({ url, file, toryo, tap, secret }) {
        const given = credential === 'token' ? ['--token-file', file] : []
        const env = toryo.env(credential === 'ticket' ? { TORYO_TICKET_FILE: file } : {}) as Record<string, string>
        const bridge = new BridgeClient(PROGRAM, ['mcp', '--url', url, ...given], env)
        let ended = false
        void bridge.exit.then(() => (ended = true))
        await until(() => ended || tap.connections >= TRIES || tap.heard.includes(secret))
        bridge.child.kill('SIGKILL')
        await bridge.exit
        return bridge.stderr
      },
    }),
  ),
  {
    name: 'the terminal of toryo tab attach',
    credential: 'token',
    async meet({ url, secret: token }) {
      const events = { screen() {}, output() {}, resized() {}, ended() {}, notice() {}, closed() {} }
      const opening = TerminalLink.open({ url, token }, { tab: 'tab_1' }, events)
      return await opening.then(
        () => expect.fail('it opened a terminal'),
        (problem: Error) => problem.message,
      )
    },
  },
  {
    name: 'a hub that takes its prompts from another',
    credential: 'token',
    hint: false,
    async meet({ url, file, toryo }) {
      await using hub = await testHub({ config: { prompts: { url, tokenFile: file } } })
      const { body, text } = await hub.call('inject_phase_prompt', {
        phase: 'phase0',
        context: { projectPath: toryo.folder },
      })
      expect(body).toMatchObject({ error: { code: 'CLOUD_API_ERROR', details: { fault: 'unproven' } } })
      return text
    },
  },
]

async function meet(kind: Kind, tap: Tap, secret: string): Promise<string> {
  await using toryo = new Toryo()
  const file = path.join(toryo.folder, 'secret')
  fs.writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  return await kind.meet({ url: tap.url, secret, file, toryo, tap })
}

describe.each(kinds)('$name', kind => {
  test('tells a stranger nothing', async () => {
    const stranger = http.createServer((_, response) => {
      response.setHeader('x-toryo-proof', `2 ${'A'.repeat(43)}`).end('{}')
    })
    await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve))
    await using tap = await Tap.to((stranger.address() as AddressInfo).port)
    const secret = `hub_${'s'.repeat(43)}`
    await meet(kind, tap, secret)
    expect(tap.connections).toBeGreaterThan(0)
    expect(tap.heard).not.toContain(secret)
    expect(tap.heard.toLowerCase()).not.toContain('authorization')
    stranger.closeAllConnections()
    await new Promise(resolve => stranger.close(resolve))
  })

  test('tells nothing to one that passes on what the real hub answers', async () => {
    await using hub = await testHub()
    const credentials = await credentialsOf(hub)
    await using tap = await Tap.to(Number(new URL(hub.url).port))
    const said = await meet(kind, tap, credentials[kind.credential])
    expect(tap.connections).toBeGreaterThan(0)
    for (const secret of Object.values(credentials)) expect(tap.heard).not.toContain(secret)
    expect(tap.heard.toLowerCase()).not.toContain('authorization')
    // What to do when it was meant to be so.
    if (kind.hint !== false) expect(said).toContain(`--allow-host 127.0.0.1:${tap.port}`)
  })
})
