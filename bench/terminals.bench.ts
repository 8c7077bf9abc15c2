// Terminals: how long a key takes to come back through the hub, beside a terminal without anything around it; and what twenty
// that flood do to the hub.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pty from '@lydell/node-pty'
import { WebSocket } from 'ws'
import { TerminalLink } from '#client/terminal-link.ts'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { keepAwake } from './awake.ts'
import { Place } from './programs.ts'
import { atMost, figure, median, percentile, report, timeEach } from './report.ts'

const ROUNDS = 15
const KEYS = 200
const FLOODS = 20
const FLOOD_MS = 10_000
const PING_MS = 10
/** The user who runs this may have no name in their git configuration. */
const IN = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', '-c', 'commit.gpgsign=false']

type Address = { url: string; token: string; socket?: string }

/** What lies at the other end. Both read keys as they come and draw by themselves, as programs for terminals do. */
const PROGRAMS = {
  /** Next to no work: what is measured is the way alone. */
  cat: 'stty raw -echo; printf ready; exec cat',
  /** A line editor, as people type into. */
  readline: 'PS1=ready exec bash --noprofile --norc -i',
}
type Program = keyof typeof PROGRAMS
const programs = Object.keys(PROGRAMS) as Program[]
/** A letter, and what takes it back: a line that grew would be dearer to draw with each key. */
const STROKES = ['x', '\x7f']

await using place = new Place()
const FLOOD = 'printf ready; read go; exec yes "$(printf %0100d 0)"'
const engine = (script: string) => ({ terminal: ['/bin/sh', '-c', script] })
const TABS = FLOODS + 2 * programs.length
const limits = { tabs: TABS, launchesPerMinute: TABS }
writeFileSync(
  join(place.home, 'config.json'),
  JSON.stringify({
    limits,
    engines: { cat: engine(PROGRAMS.cat), readline: engine(PROGRAMS.readline), flood: engine(FLOOD) },
  }),
)
const repository = join(place.home, 'repository')
execFileSync('git', ['init', '-q', repository])
execFileSync('git', ['-C', repository, ...IN, 'commit', '-q', '--allow-empty', '-m', 'first'])
const served = await place.startHub()
const hub: Address = await place.readState(() => null)
await served.api('project.add', { id: 'prj', name: 'prj', directory: repository })
const launch = async (name: string, branch: string) =>
  (await served.api('tab.launch', { engine: name, branch, project_id: 'prj' })).tab_id
/** One for each viewer: what two see is sent twice. */
const tabs = new Map<string, string>()
for (const program of programs)
  for (const way of ['port', 'socket']) tabs.set(`${program} ${way}`, await launch(program, `${program}-${way}`))
const floods: string[] = []
for (let at = 0; at < FLOODS; at++) floods.push(await launch('flood', `flood-${at}`))
for (;;) {
  const { tabs } = await served.api('tab.list', {})
  if (tabs.every(({ status }) => status !== 'starting')) break
  await pause(50)
}

/** By the port, as a page does, and by the hub's own socket, as `toryo tab attach` does. */
const ways = { bare: bareTerminal, port: throughPort, socket: throughSocket }
type Way = keyof typeof ways
const typists: { program: Program; way: Way; typist: Typist }[] = []
for (const program of programs)
  for (const way of Object.keys(ways) as Way[]) typists.push({ program, way, typist: await ways[way](program) })
const awake = keepAwake()
for (const { typist } of typists) await timeEach(KEYS, index => typist.key(index))
const rounds: Record<Program, Record<Way, number>>[] = []
for (let round = 0; round < ROUNDS; round++) {
  const times = { cat: { bare: 0, port: 0, socket: 0 }, readline: { bare: 0, port: 0, socket: 0 } }
  for (const { program, way, typist } of typists)
    times[program][way] = median(await timeEach(KEYS, index => typist.key(index)))
  rounds.push(times)
}
awake[Symbol.dispose]()
for (const { typist } of typists) typist.end()
const p50 = (program: Program, way: Way) => median(rounds.map(round => round[program][way]))
const ratio = (program: Program, way: Way) => median(rounds.map(({ [program]: times }) => times[way] / times.bare))

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
  ...programs.flatMap(program => [
    figure(`${program}: a key and back, bare terminal, p50`, p50(program, 'bare'), ' ms'),
    figure(`${program}: through the hub, as \`toryo tab attach\` does, p50`, p50(program, 'socket'), ' ms'),
    figure(`${program}: through the hub, as a page does, p50`, p50(program, 'port'), ' ms'),
    atMost(`${program}: \`toryo tab attach\` ÷ bare`, ratio(program, 'socket'), 3, ' ×'),
    atMost(`${program}: page ÷ bare`, ratio(program, 'port'), 3, ' ×'),
  ]),
  figure('the hub answers a ping, nobody floods, p99', percentile(before, 0.99), ' ms'),
  atMost(`the hub answers a ping, ${FLOODS} terminals flood their viewers, p99`, percentile(during, 0.99), 100, ' ms'),
  figure('what the viewers got, together', megabytes / (FLOOD_MS / 1000), ' MB/s'),
  figure('the least that one of them got', slowest / (FLOOD_MS / 1000), ' MB/s'),
])
for (const { socket } of viewers) socket.terminate()

/** A person at a terminal who types a key and waits for the echo. */
type Typist = { key(index: number): Promise<void>; end(): void }

function typistWith(type: (text: string) => void, end: () => void) {
  let came = (_text: string) => {}
  const ready = new Promise<void>(resolve => {
    let all = ''
    came = text => {
      all += text
      if (all.includes('ready')) resolve()
    }
  })
  const typist: Typist = {
    key: index =>
      new Promise<void>(resolve => {
        came = () => resolve()
        type(STROKES[index % 2] as string)
      }),
    end,
  }
  return { ready, typist, came: (text: string) => came(text) }
}

/** node-pty in a process that does nothing else meanwhile: this one. */
async function bareTerminal(program: Program): Promise<Typist> {
  const env = { ...process.env, TERM: 'xterm-256color' }
  const options = { name: 'xterm-256color', cols: 120, rows: 40, cwd: place.home, env }
  const terminal = pty.spawn('/bin/sh', ['-c', PROGRAMS[program]], options)
  const { ready, typist, came } = typistWith(
    text => terminal.write(text),
    () => terminal.kill('SIGKILL'),
  )
  terminal.onData(came)
  await ready
  return typist
}

function throughPort(program: Program): Promise<Typist> {
  return linked(tabs.get(`${program} port`), { url: hub.url, token: hub.token })
}

function throughSocket(program: Program): Promise<Typist> {
  if (hub.socket === undefined) throw new Error('the hub has no socket here')
  return linked(tabs.get(`${program} socket`), hub)
}

async function linked(tab = '', address: Address): Promise<Typist> {
  const { ready, typist, came } = typistWith(
    text => link.input(Buffer.from(text)),
    () => link.close(),
  )
  const heard = (bytes: Buffer) => came(bytes.toString())
  const rest = { resized: () => {}, ended: () => {}, notice: () => {}, closed: () => {} }
  const events = { screen: heard, output: heard, ...rest }
  const link = await TerminalLink.open({ ...address }, { tab }, events)
  await ready
  return typist
}

async function viewer({ url, token }: Address, id: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/tabs/${id}/terminal`, TERMINAL_PROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  })
  const one = { socket, bytes: 0, ready: Promise.resolve() }
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
