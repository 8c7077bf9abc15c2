// Terminals: how long a key takes to come back through the hub, beside a terminal without anything around it; and what twenty
// that flood do to the hub.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pty from '@lydell/node-pty'
import { WebSocket } from 'ws'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { Place } from './programs.ts'
import { atMost, figure, median, percentile, report, timeEach } from './report.ts'

const ROUNDS = 15
const KEYS = 200
const FLOODS = 20
const FLOOD_MS = 10_000
const PING_MS = 10
/** Whoever runs this may have told git no name. */
const IN = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', '-c', 'commit.gpgsign=false']

type Address = { url: string; token: string }

/** A program as people use them: it reads keys as they come and draws by itself. */
const ECHO = 'stty raw -echo; printf ready; exec cat'

await using place = new Place()
const FLOOD = 'printf ready; read go; exec yes "$(printf %0100d 0)"'
const engine = (script: string) => ({ terminal: ['/bin/sh', '-c', script] })
const limits = { tabs: FLOODS + 1, launchesPerMinute: FLOODS + 1 }
writeFileSync(
  join(place.home, 'config.json'),
  JSON.stringify({ limits, engines: { echo: engine(ECHO), flood: engine(FLOOD) } }),
)
const repository = join(place.home, 'repository')
execFileSync('git', ['init', '-q', repository])
execFileSync('git', ['-C', repository, ...IN, 'commit', '-q', '--allow-empty', '-m', 'first'])
const served = await place.startHub()
const hub: Address = await place.readState(() => null)
await served.api('project.add', { id: 'prj', name: 'prj', directory: repository })
const launch = async (name: string, branch: string) =>
  (await served.api('tab.launch', { engine: name, branch, project_id: 'prj' })).tab_id
const echo = await launch('echo', 'echo')
const floods: string[] = []
for (let at = 0; at < FLOODS; at++) floods.push(await launch('flood', `flood-${at}`))
for (;;) {
  const { tabs } = await served.api('tab.list', {})
  if (tabs.every(({ status }) => status !== 'starting')) break
  await pause(50)
}

const bare = bareTerminal()
const through = await viewer(hub, echo)
await Promise.all([bare.ready, through.ready])
await timeEach(KEYS, () => bare.key())
await timeEach(KEYS, () => through.key())
const rounds = []
for (let round = 0; round < ROUNDS; round++) {
  const alone = median(await timeEach(KEYS, () => bare.key()))
  const hubbed = median(await timeEach(KEYS, () => through.key()))
  rounds.push({ alone, hubbed, ratio: hubbed / alone })
}
bare.end()

const before = await lag(hub, 2000)
const viewers = await Promise.all(floods.map(id => viewer(hub, id)))
await Promise.all(viewers.map(({ ready }) => ready))
for (const { socket } of viewers) socket.send(Buffer.from('\r'))
await pause(1000)
for (const one of viewers) one.bytes = 0
const during = await lag(hub, FLOOD_MS)
const megabytes = viewers.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
const slowest = Math.min(...viewers.map(({ bytes }) => bytes)) / 1e6

report('terminals', [
  figure('a key and back, bare terminal, p50', median(rounds.map(({ alone }) => alone)), ' ms'),
  figure('a key and back, through the hub, p50', median(rounds.map(({ hubbed }) => hubbed)), ' ms'),
  atMost('through the hub ÷ bare', median(rounds.map(({ ratio }) => ratio)), 3, ' ×'),
  figure('the hub answers a ping, nobody floods, p99', percentile(before, 0.99), ' ms'),
  atMost(`the hub answers a ping, ${FLOODS} terminals flood their viewers, p99`, percentile(during, 0.99), 100, ' ms'),
  figure('what the viewers got, together', megabytes / (FLOOD_MS / 1000), ' MB/s'),
  figure('the least that one of them got', slowest / (FLOOD_MS / 1000), ' MB/s'),
])
for (const { socket } of [through, ...viewers]) socket.terminate()

function bareTerminal() {
  const terminal = pty.spawn('/bin/sh', ['-c', ECHO], {
    cols: 120,
    rows: 40,
    cwd: place.home,
    env: process.env,
  })
  let came = (_text: string) => {}
  terminal.onData(text => came(text))
  const ready = new Promise<void>(resolve => {
    let all = ''
    came = text => {
      all += text
      if (all.includes('ready')) resolve()
    }
  })
  const key = () =>
    new Promise<void>(resolve => {
      came = () => resolve()
      terminal.write('x')
    })
  return { ready, key, end: () => terminal.kill('SIGKILL') }
}

async function viewer({ url, token }: Address, id: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/tabs/${id}/terminal`, TERMINAL_PROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  })
  const one = { socket, bytes: 0, ready: Promise.resolve(), key: () => Promise.resolve() }
  let came = (_data: Buffer) => {}
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return
    one.bytes += data.length
    came(data)
  })
  one.ready = new Promise<void>(resolve => {
    let all = ''
    came = data => {
      all += data.toString()
      if (!all.includes('ready')) return
      came = () => {}
      resolve()
    }
  })
  const key = Buffer.from('x')
  one.key = () =>
    new Promise<void>(resolve => {
      came = () => resolve()
      socket.send(key)
    })
  await new Promise(resolve => socket.once('open', resolve))
  return one
}

/** How long the hub takes to answer a ping: its event loop answers, so this is its lag and a little more. */
async function lag({ url, token }: Address, ms: number): Promise<number[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/events`, { headers: { authorization: `Bearer ${token}` } })
  await new Promise(resolve => socket.once('open', resolve))
  const times: number[] = []
  const until = performance.now() + ms
  while (performance.now() < until) {
    const sent = performance.now()
    await new Promise<void>(resolve => {
      socket.once('pong', () => resolve())
      socket.ping()
    })
    times.push(performance.now() - sent)
    await pause(PING_MS)
  }
  socket.terminate()
  return times
}
