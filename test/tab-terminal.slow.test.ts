// `/tabs/{id}/terminal`, through real hubs: who may look, what they see, and that terminals outlive the hub that opened them.
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { TerminalLink } from '#client/terminal-link.ts'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { isStill } from '#kernel/processes/record.ts'
import type { OpenTerminal } from '#kernel/terminals/terminals.ts'
import { type TestHub, testHub } from './hub.ts'
import { insertRows } from './queries.ts'
import { type HubChild, post } from './processes.ts'
import { TabWorkshop } from './real-tabs.ts'
import { markedProcesses, newMarker, temporaryFolder, until } from './scripted.ts'
import { waitsIn } from './waits-in.ts'

const folders = { cleanUp: [] as (() => unknown)[] }
afterAll(() => {
  for (const clean of folders.cleanUp) clean()
})

function terminal(id: string, script: string): OpenTerminal {
  const folder = temporaryFolder()
  folders.cleanUp.push(() => folder[Symbol.dispose]())
  const marker = newMarker()
  const logFile = path.join(folder.path, 'terminal.log')
  const env = { PATH: process.env['PATH'] ?? '' }
  return { id, program: '/bin/sh', args: ['-c', script], cwd: folder.path, env, marker, cols: 80, rows: 24, logFile }
}

type Place = { url: string; token: string }
type Said = { type: string } & Record<string, unknown>

const KEPT = 200_000

/** A client of the terminal's WebSocket that keeps what it received. */
class Client {
  readonly socket: WebSocket
  readonly said: Said[] = []
  readonly closed: Promise<number>
  bytes = 0
  /** The latest of it: searching all of a flood again and again would take longer than the flood. */
  text = ''

  constructor({ url, token }: Place, id: string, query = '') {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/tabs/${id}/terminal${query}`, TERMINAL_PROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    })
    this.socket.on('error', () => {})
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        this.bytes += data.length
        this.text = `${this.text}${data.toString()}`.slice(-KEPT)
      }
      if (!isBinary) this.said.push(JSON.parse(data.toString()) as Said)
    })
    this.closed = new Promise(resolve => this.socket.on('close', resolve))
  }

  async sees(text: string): Promise<void> {
    await until(() => this.text.includes(text))
  }

  async hears(type: string): Promise<Said> {
    await until(() => this.said.some(said => said.type === type))
    return this.said.find(said => said.type === type) as Said
  }
}

/** The HTTP status that stands in place of an upgrade; 101 when there was one. */
function status(
  url: string,
  headers: Record<string, string>,
  protocols: string[] = [TERMINAL_PROTOCOL],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), protocols, { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}

describe.runIf(process.platform === 'linux')("a tab's terminal", () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await testHub({ terminals: true })
  })
  afterAll(() => hub[Symbol.asyncDispose]())

  test('is for people: tickets, strangers and other origins do not get in, and no ticket is used up', async () => {
    const options = terminal('tab_guarded', 'cat')
    await hub.running.hub.terminals.open(options)
    const { projectId, agentId } = await hub.seed('guarded')
    const runner = await hub.connect()
    const { body } = await runner.call('should_start', { agent_id: agentId, project_id: projectId })
    const ticket = String(body['ticket'])
    const url = `${hub.url}/tabs/tab_guarded/terminal`
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

    expect(await status(url, {})).toBe(401)
    expect(await status(url, bearer('hub_wrong'))).toBe(401)
    for (const prefix of ['rtk', 'ttk', 'rnr'])
      expect(await status(url, bearer(`${prefix}_${'x'.repeat(40)}`))).toBe(403)
    expect(await status(url, bearer(ticket))).toBe(403)
    expect(await status(url, { ...bearer(hub.token), origin: 'https://evil.example' })).toBe(403)
    expect(await status(url, { ...bearer(hub.token), host: 'evil.example' })).toBe(403)
    expect(await status(url, bearer(hub.token), [])).toBe(400)
    expect(await status(`${hub.url}/tabs/tab_none/terminal`, bearer(hub.token))).toBe(404)
    expect(await status(`${hub.url}/tabs/..%2f..%2fetc/terminal`, bearer(hub.token))).toBe(404)
    expect(await status(url, bearer(hub.token))).toBe(101)

    // The ticket still works for the one it was made for.
    const agent = await hub.connect({ credential: ticket })
    const signedIn = await agent.call('authenticate', { agent_id: agentId, project_id: projectId })
    expect(signedIn.isError).toBe(false)
  })

  test('shows its screen first, takes keys and sizes, and tells when the program has ended', async () => {
    await hub.running.hub.terminals.open(
      terminal('tab_usual', 'echo ready; read line; stty size; echo "<$line>"; exit 3'),
    )
    const client = new Client(hub, 'tab_usual', '?cols=100&rows=30')
    await client.sees('ready')
    expect(await client.hears('screen')).toMatchObject({ cols: 100, rows: 30, resync: false })
    client.socket.send(JSON.stringify({ type: 'resize', cols: 111, rows: 31 }))
    expect(await client.hears('resize')).toEqual({ type: 'resize', cols: 111, rows: 31 })
    client.socket.send(Buffer.from('こんにちは\r'))
    expect(await client.hears('exit')).toEqual({ type: 'exit', code: 3, signal: null, lost: false })
    expect(await client.closed).toBe(1000)
    expect(client.text).toContain('31 111')
    expect(client.text).toContain('<こんにちは>')
  })

  test('cannot be changed by one who only looks', async () => {
    await hub.running.hub.terminals.open(terminal('tab_watched', 'cat'))
    const reader = new Client(hub, 'tab_watched', '?readonly=1&cols=50&rows=10')
    const writer = new Client(hub, 'tab_watched')
    expect(await reader.hears('screen')).toMatchObject({ cols: 80, rows: 24 })
    await writer.hears('screen')
    reader.socket.send(Buffer.from('from the reader\r'))
    reader.socket.send(JSON.stringify({ type: 'resize', cols: 50, rows: 10 }))
    // After what the reader sent: the hub takes the frames of a socket in order, and of both in the order of arrival.
    await new Promise<void>(resolve => {
      reader.socket.once('pong', () => resolve())
      reader.socket.ping()
    })
    writer.socket.send(Buffer.from('from the writer\r'))
    await reader.sees('from the writer')
    expect(reader.text).not.toContain('from the reader')
    expect((await hub.running.hub.terminals.screen('tab_watched')).lines).toHaveLength(24)
    for (const { socket } of [reader, writer]) socket.close()
  })

  test.each([
    ['a message that is none', '{"type":"dance"}', 1002],
    ['no JSON', 'hello', 1002],
    ['a size that cannot be', '{"type":"resize","cols":100000,"rows":2}', 1002],
    ['more than anybody types', Buffer.alloc(65 * 1024), 1009],
  ])('is closed to one who sends %s, and to nobody else', async (_name, message, code) => {
    await hub.running.hub.terminals.open(terminal(`tab_${newMarker()}`, 'cat'))
    const id = (await hub.running.hub.terminals.list()).at(-1)?.id ?? ''
    const [bad, good] = [new Client(hub, id), new Client(hub, id)]
    await bad.hears('screen')
    await good.hears('screen')
    bad.socket.send(message)
    expect(await bad.closed).toBe(code)
    good.socket.send(Buffer.from('still here\r'))
    await good.sees('still here')
    good.socket.close()
  })

  test('tells for a while how it ended after it is gone, and minds no nonsense then', async () => {
    const { terminals } = hub.running.hub
    const ended = new Promise<void>(resolve => terminals.onExit(id => id === 'tab_past' && resolve()))
    await terminals.open(terminal('tab_past', 'exit 4'))
    await ended
    await terminals.forget('tab_past')
    const bad = new Client(hub, 'tab_past')
    // Not masked, which is a fault of the protocol.
    bad.socket.on('upgrade', ({ socket }) => socket.write(Buffer.from([0x82, 0x01, 0x78])))
    await bad.closed
    const good = new Client(hub, 'tab_past')
    expect(await good.hears('exit')).toEqual({ type: 'exit', code: 4, signal: null, lost: false })
    expect(await good.closed).toBe(1000)
  })

  test('tells of a tab that ended long ago how it ended, so that a page does not ask again and again', async () => {
    const { projectId } = await hub.seed('long-ago')
    await insertRows(hub.target.db, 'tabs', [
      {
        ...{ id: 'tab_old', hub: 'other', engine: 'claude', project_id: projectId, directory: '/x', branch: 'b' },
        ...{
          depth: 1,
          launched_by: 'operator',
          ticket_connections: '[]',
          permission: 'ask',
          created_at: 1,
          began_at: 1,
        },
        ...{ ended_at: 2, end_reason: 'exited', exit_code: 7 },
      },
    ])
    const late = new Client(hub, 'tab_old')
    expect(await late.hears('exit')).toEqual({ type: 'exit', code: 7, signal: null, lost: false })
    expect(await late.closed).toBe(1000)
  })

  test('takes all of a flood of tiny messages in order, and what was said last before its viewer went', async () => {
    const end = 'stty raw -echo; printf ready; cat'
    await hub.running.hub.terminals.open(terminal('tab_hasty', end))
    const [hasty, viewer] = [new Client(hub, 'tab_hasty'), new Client(hub, 'tab_hasty')]
    await hasty.sees('ready')
    await viewer.sees('ready')
    const words = Array.from({ length: 3000 }, (_, n) => `${n},`)
    for (const [n, word] of words.entries()) {
      hasty.socket.send(Buffer.from(word))
      if (n % 10 === 0) hasty.socket.send(JSON.stringify({ type: 'resize', cols: 100 + (n % 90), rows: 30 }))
    }
    hasty.socket.send(JSON.stringify({ type: 'resize', cols: 99, rows: 33 }))
    hasty.socket.send(Buffer.from('LAST'))
    hasty.socket.close()
    await viewer.sees('LAST')
    expect(viewer.text.slice(viewer.text.indexOf('ready') + 5)).toBe(`${words.join('')}LAST`)
    await until(() => viewer.said.findLast(said => said.type === 'resize')?.['cols'] === 99)
    viewer.socket.close()
  })

  test('T34: that floods fills nobody’s memory for twenty who do not read; they get a fresh screen later', async () => {
    const script = 'read go; yes "$(printf %0100d 0)" | head -c 30000000; echo; echo LAST; cat'
    await hub.running.hub.terminals.open(terminal('tab_flood', script))
    const quick = new Client(hub, 'tab_flood')
    const slow = Array.from({ length: 20 }, () => new Client(hub, 'tab_flood'))
    for (const client of [quick, ...slow]) await client.hears('screen')
    for (const { socket } of slow) socket.pause()
    // One that neither reads nor says anything is cut off after two pings; however long the flood takes, this one stays.
    const alive = () =>
      slow.forEach(({ socket }) => socket.send(JSON.stringify({ type: 'resize', cols: 80, rows: 24 })))
    const sign = setInterval(alive, 1_000)
    quick.socket.send(Buffer.from('\r'))
    await quick.sees('LAST')
    clearInterval(sign)
    for (const client of slow) {
      client.socket.resume()
      await until(() => client.said.filter(said => said.type === 'screen').length > 1)
      expect(client.said.findLast(said => said.type === 'screen')).toMatchObject({ resync: true })
      await client.sees('LAST')
      // What the system had taken for it, and the megabyte that we keep; not all that was written.
      expect(client.bytes).toBeLessThan(20_000_000)
    }
    for (const { socket } of [...slow, quick]) socket.close()
  })
})

const state = (hub: HubChild): Place => {
  if (!hub.state) throw new Error(hub.exit?.stderr)
  return hub.state
}

describe.runIf(process.platform === 'linux')('terminals and real hubs', () => {
  test('survive kill -9 of the hub with their screen, and are there for the next; a stop ends them', async () => {
    const script = 'trap "" HUP; echo before; while read line; do echo "<$line>"; done'
    await using tabs = new TabWorkshop({ talk: script })
    const first = await tabs.shop.hub()
    const tab = await tabs.launch(first, 'talk')
    const { host } = tabs
    const { marker } = tabs.program(tab)
    const one = new Client(state(first), tab)
    await one.sees('before')
    one.socket.send(Buffer.from('to the first hub\r'))
    await one.sees('<to the first hub>')
    await first.kill()
    expect(isStill(host)).toBe(true)
    // Viewers do not even notice.
    one.socket.send(Buffer.from('without a hub\r'))
    await one.sees('<without a hub>')

    const second = await tabs.shop.hub()
    const two = new Client(state(second), tab)
    await two.sees('<without a hub>')
    expect(two.text).toContain('before')
    two.socket.send(Buffer.from('to the second\r'))
    for (const client of [one, two]) await client.sees('<to the second>')

    await second.stop()
    for (const { said } of [one, two])
      expect(said.at(-1)).toMatchObject({ type: 'exit', signal: expect.stringMatching(/^SIG/) })
    expect(isStill(host)).toBe(false)
    expect(markedProcesses(marker)).toEqual([])
    await tabs.shop.allGone()
  })

  test('go over to the hub that `toryo up` starts in place of a background one', async () => {
    await using tabs = new TabWorkshop({ talk: 'echo before; cat' })
    const background = await tabs.shop.hub()
    const tab = await tabs.launch(background, 'talk')
    const { host } = tabs
    const one = new Client(state(background), tab)
    await one.sees('before')
    const up = await tabs.shop.hub(tabs.shop.db(), ['--port', '0', '--no-register', '--no-runner'])
    expect((await background.ended).code).toBe(0)
    expect(one.said.some(said => said.type === 'exit')).toBe(false)
    const two = new Client(state(up), tab)
    await two.sees('before')
    // Who looked on before still does.
    one.socket.send(Buffer.from('to both\r'))
    for (const client of [one, two]) await client.sees('to both')
    expect(isStill(host)).toBe(true)
    await up.stop()
    expect(isStill(host)).toBe(false)
  })

  test('keep a background hub from going, which goes when they have ended', async () => {
    using folder = temporaryFolder()
    const go = path.join(folder.path, 'go')
    await using tabs = new TabWorkshop({ wait: `while [ ! -e ${go} ]; do sleep 0.05; done` })
    const first = await tabs.shop.hub()
    await tabs.launch(first, 'wait')
    await first.kill()
    const hub = await tabs.shop.hub(tabs.shop.db(), ['--background', '--idle-ms', '300'])
    await pause(1500)
    expect(hub.exit).toBeUndefined()
    fs.writeFileSync(go, '')
    expect((await hub.ended).code).toBe(0)
  })
})

describe.runIf(process.platform === 'linux')('terminals of one real hub', () => {
  let tabs: TabWorkshop
  let hub: HubChild
  beforeAll(async () => {
    tabs = new TabWorkshop({
      talk: 'echo before; cat',
      raw: 'stty raw -echo; printf ready; exec cat',
      one: 'exec sleep 1000',
      two: 'exec sleep 1000',
    })
    hub = await tabs.shop.hub()
  })
  afterAll(async () => {
    await hub?.stop()
    await tabs?.[Symbol.asyncDispose]()
  })

  test('lose no key of viewers who type in the moment in which they are let in', async () => {
    const tab = await tabs.launch(hub, 'raw')
    const viewer = new Client(state(hub), tab)
    await viewer.sees('ready')
    const hasty = Array.from({ length: 60 }, (_, n) => {
      const client = new Client(state(hub), tab)
      client.socket.on('open', () => client.socket.send(Buffer.from(`<${n}>`)))
      return client
    })
    await until(() => hasty.every((_, n) => viewer.text.includes(`<${n}>`)))
    expect(viewer.text.match(/<\d+>/g)).toHaveLength(60)
    expect((await post(state(hub), 'hub.status', {})).body['connections']).toBe(61)
    for (const { socket } of [...hasty, viewer]) socket.close()
  })

  test('T12: give nobody else a way in: every kind of child has its own three descriptors and no more', async () => {
    const ids = [await tabs.launch(hub, 'one'), await tabs.launch(hub, 'two')]
    const client = new Client(state(hub), ids[0] ?? '')
    await client.hears('screen')
    const descriptors = (pid: number) => fs.readdirSync(`/proc/${pid}/fd`).toSorted()
    for (const id of ids) {
      const { pid } = tabs.program(id)
      await until(() => waitsIn(pid, 'sleep'))
      expect(descriptors(pid)).toEqual(['0', '1', '2'])
    }
    // The host itself holds no socket, pipe or file of a hub's, but its log and what it opened.
    const { pid: host } = tabs.host
    const held = descriptors(host).flatMap(fd => {
      try {
        return [fs.readlinkSync(`/proc/${host}/fd/${fd}`)]
      } catch {
        return [] // Closed while we looked.
      }
    })
    expect(held.filter(name => /toryo\.db|hub-.*\.log$|\.lock/.test(name))).toEqual([])
    expect(held[0]).toBe('/dev/null')
    client.socket.close()
  })

  test('are reached over the hub’s own socket, and over the port where a relay, a stranger or nobody listens at another', async () => {
    const tab = await tabs.launch(hub, 'talk')
    using folder = temporaryFolder()
    const { url, token, socket: own = '' } = hub.state ?? { url: '', token: '' }
    const passed: string[] = []
    const door = (name: string, open: (visitor: net.Socket) => void, at = path.join(folder.path, name)) =>
      new Promise<net.Server & AsyncDisposable>(resolve => {
        const server = net.createServer(visitor => {
          visitor.on('data', data => passed.push(`${name}: ${data.toString('latin1')}`))
          visitor.on('error', () => {}) // It goes when it has seen enough.
          open(visitor)
        })
        server.listen(at, () => resolve(server))
      })
    // To see what passes there, the hub's socket is moved aside, and a door that leads to it stands in its place.
    const aside = `${own}.aside`
    fs.renameSync(own, aside)
    const through = (visitor: net.Socket) => visitor.pipe(net.connect(aside)).pipe(visitor)
    await using _own = await door('own', through, own)
    await using _relay = await door('relay', through)
    await using _stranger = await door('stranger', visitor =>
      visitor.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    )
    for (const name of ['own', 'relay', 'stranger', 'nobody']) {
      let seen = ''
      const note = (bytes: Buffer) => (seen += bytes.toString())
      const rest = { resized: () => {}, ended: () => {}, notice: () => {}, closed: () => {} }
      const endpoint = { url, token, socket: name === 'own' ? own : path.join(folder.path, name) }
      const link = await TerminalLink.open(endpoint, { tab }, { screen: note, output: note, ...rest })
      link.input(Buffer.from(`by ${name}\r`))
      await until(() => seen.includes(`by ${name}`))
      link.close()
    }
    expect(passed.some(text => text.startsWith('own: GET /tabs/'))).toBe(true)
    expect(passed.filter(text => !text.startsWith('own') && text.includes(token))).toEqual([])
  })
})
