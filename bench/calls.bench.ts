// What one call costs through bridge and hub, beside the floor and beside one commit that is on disk.
import { join } from 'node:path'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { buildFloor, Place } from './programs.ts'
import { atMost, figure, median, percentile, report, timeEach } from './report.ts'
import { StdioClient } from './rpc.ts'

const WARM_UP = 2000
/** Many short rounds: what is compared lies close together in time, on a machine that others use as well. */
const ROUNDS = 40
const CALLS = 250
const WRITES = 75

await using place = new Place()
const hub = await place.startHub()
const { taskId } = await hub.seed(100)
const floor = await new StdioClient(await buildFloor()).open()
const bridge = await place.bridge().open()
const disk = openDisk()

const kinds = {
  floor: { count: CALLS, act: () => floor.call('echo', { text: 'hello' }) },
  read: { count: CALLS, act: () => bridge.call('get_task', { task_id: taskId }) },
  commit: { count: WRITES, act: () => disk.commit() },
  write: {
    count: WRITES,
    act: (index: number) => bridge.call('save_context', { task_id: taskId, progress: `Step ${index} is done.` }),
  },
}
const names = Object.keys(kinds) as (keyof typeof kinds)[]

for (const name of names) await timeEach(WARM_UP, kinds[name].act)
const rounds: Record<keyof typeof kinds, number>[] = []
const tails: Record<keyof typeof kinds, number>[] = []
for (let round = 0; round < ROUNDS; round++) {
  const times = { floor: [0], read: [0], commit: [0], write: [0] }
  // Another order each round, so that none always follows the same neighbour.
  for (const name of [...names.slice(round % 4), ...names.slice(0, round % 4)])
    times[name] = await timeEach(kinds[name].count, kinds[name].act)
  rounds.push(mapValues(times, values => median(values)))
  tails.push(mapValues(times, values => percentile(values, 0.99)))
}
await Promise.all([floor.close(), bridge.close()])
disk.close()

const p50 = (name: keyof typeof kinds) => median(rounds.map(round => round[name]))
const p99 = (name: keyof typeof kinds) => median(tails.map(round => round[name]))
// Ratios within a round: what else the machine did then slowed both.
const readRatio = median(rounds.map(round => round.read / round.floor))
const writeRatio = median(rounds.map(round => round.write / (round.floor + 3 * round.commit)))
report('calls', [
  figure('floor: echo, p50', p50('floor'), ' ms'),
  figure('floor: echo, p99', p99('floor'), ' ms'),
  figure('one commit with fsync, p50', p50('commit'), ' ms'),
  figure('read (get_task), p50', p50('read'), ' ms'),
  figure('read (get_task), p99', p99('read'), ' ms'),
  atMost('read ÷ floor', readRatio, 2, ' ×'),
  figure('durable write (save_context), p50', p50('write'), ' ms'),
  figure('durable write (save_context), p99', p99('write'), ' ms'),
  atMost('write ÷ (floor + 3 commits)', writeRatio, 1, ' ×'),
])

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
