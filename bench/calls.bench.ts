// What one call costs through bridge and hub, beside the floor and beside one commit that is on disk.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { ROOT } from '../scripts/sources.js'
import { keepAwake } from './awake.ts'
import { buildFloor, commitsOf, cpuMs, Place } from './programs.ts'
import { atMost, figure, median, percentile, report, timeEach } from './report.ts'
import { StdioClient } from './rpc.ts'

const WARM_UP = 2000
/** Many short rounds: what is compared lies close together in time, on a machine that others use as well. */
const ROUNDS = 40
const CALLS = 250
const WRITES = 75
const COUNTED = 1000
const COUNTED_ROUNDS = 5

using _ = keepAwake()
await using place = new Place()
const hub = await place.startHub()
const { taskId } = await hub.seed(100)
const floor = await new StdioClient(await buildFloor()).open()
const bridge = await place.bridge().open()
const disk = openDisk()
const way = await openWay()

const echo = () => floor.call('echo', { text: 'hello' })
const save = (index: number) => bridge.call('save_context', { task_id: taskId, progress: `Step ${index} is done.` })
const kinds = {
  floor: (count: number) => timeEach(count, echo),
  way: (count: number) => timeEach(count, () => way.client.call('get_task', { task_id: taskId })),
  read: (count: number) => timeEach(count, () => bridge.call('get_task', { task_id: taskId })),
  commit: timeCommits,
  write: (count: number) => timeEach(count, save),
}
const COUNTS = { floor: CALLS, way: CALLS, read: CALLS, commit: WRITES, write: WRITES }
const names = Object.keys(kinds) as (keyof typeof kinds)[]

for (const name of names) await kinds[name](WARM_UP)
const rounds: Record<keyof typeof kinds, number>[] = []
const tails: Record<keyof typeof kinds, number>[] = []
for (let round = 0; round < ROUNDS; round++) {
  const times = { floor: [0], way: [0], read: [0], commit: [0], write: [0] }
  // Another order each round, so that none always follows the same neighbour.
  const first = round % names.length
  for (const name of [...names.slice(first), ...names.slice(0, first)]) times[name] = await kinds[name](COUNTS[name])
  rounds.push(mapValues(times, values => median(values)))
  tails.push(mapValues(times, values => percentile(values, 0.99)))
}
// Counted apart from the rounds: how many commits a write takes, and what the hub's own work is beside the floor's. Not beside a
// read's: then a quicker read would look like a slower write.
const before = commitsOf(place.db)
const counted: Record<'floor' | 'read' | 'write', number>[] = []
for (let round = 0; round < COUNTED_ROUNDS; round++)
  counted.push({
    floor: await cpuOf(floor.pid, kinds.floor),
    read: await cpuOf(hub.pid, kinds.read),
    write: await cpuOf(hub.pid, kinds.write),
  })
const commits = (commitsOf(place.db) - before) / (COUNTED * COUNTED_ROUNDS)
await Promise.all([floor.close(), bridge.close(), way.client.close()])
way.answering.kill()
disk.close()

const p50 = (name: keyof typeof kinds) => median(rounds.map(round => round[name]))
const p99 = (name: keyof typeof kinds) => median(tails.map(round => round[name]))
// Ratios within a round: what else the machine did then slowed both.
const readRatio = median(rounds.map(round => round.read / round.floor))
const wayRatio = median(rounds.map(round => round.way / round.floor))
const cpu = (name: 'floor' | 'read' | 'write') => median(counted.map(round => round[name]))
const cpuRatio = (name: 'read' | 'write') => median(counted.map(round => round[name] / round.floor))
const writeRatio = median(rounds.map(round => round.write / (round.floor + 3 * round.commit)))
report('calls', [
  figure('floor: echo, p50', p50('floor'), ' ms'),
  figure('floor: echo, p99', p99('floor'), ' ms'),
  figure('two programs that only pass on and answer, p50', p50('way'), ' ms'),
  figure('those ÷ floor', wayRatio, ' ×'),
  figure('one commit with fsync, p50', p50('commit'), ' ms'),
  figure('read (get_task), p50', p50('read'), ' ms'),
  figure('read (get_task), p99', p99('read'), ' ms'),
  atMost('read ÷ floor', readRatio, 2.5, ' ×'),
  figure('durable write (save_context), p50', p50('write'), ' ms'),
  figure('durable write (save_context), p99', p99('write'), ' ms'),
  // Not a gate: the quicker the disk, the more of it is the work, and the ratio says more of the disk than of us.
  figure('write ÷ (floor + 3 commits)', writeRatio, ' ×'),
  // The hub's own housekeeping commits once in ten seconds.
  atMost('commits for each write', commits, 1.05, ''),
  figure('floor: CPU', cpu('floor'), ' ms'),
  figure('read: CPU of the hub', cpu('read'), ' ms'),
  figure('write: CPU of the hub', cpu('write'), ' ms'),
  atMost('read ÷ floor, CPU', cpuRatio('read'), 1.5, ' ×'),
  atMost('write ÷ floor, CPU', cpuRatio('write'), 6, ' ×'),
])

async function cpuOf(pid: number, kind: (count: number) => Promise<unknown>): Promise<number> {
  const began = cpuMs(pid)
  await kind(COUNTED)
  return (cpuMs(pid) - began) / COUNTED
}

/** In the rhythm of calls: a disk that is never let go for a moment answers quicker than any call can have it. */
async function timeCommits(count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    await echo()
    times.push(...(await timeEach(1, () => disk.commit())))
  }
  return times
}

/** The path of a call without any work at its end. */
async function openWay() {
  const program = join(ROOT, 'bench', 'passing-on.js')
  const socket = join(place.home, 'way.sock')
  const answering = spawn(process.execPath, [program, 'answer', socket], { stdio: 'ignore' })
  while (!existsSync(socket)) await pause(20)
  return { answering, client: new StdioClient([process.execPath, program, 'relay', socket]) }
}

/** One row a transaction, with the settings that the hub uses, beside the hub's own database. */
function openDisk() {
  const sqlite = new Sqlite(join(place.home, 'disk.db'))
  sqlite.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, t TEXT)',
  )
  return {
    commit: () => sqlite.run('INSERT INTO rows (t) VALUES (?)', ['x'.repeat(300)]),
    close: () => sqlite.close(),
  }
}

function mapValues<K extends string>(from: Record<K, number[]>, map: (values: number[]) => number): Record<K, number> {
  return Object.fromEntries(Object.entries(from).map(([key, values]) => [key, map(values as number[])])) as Record<
    K,
    number
  >
}
