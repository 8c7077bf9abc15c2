// How long a client waits from starting its MCP server until it has the list of tools.
import { statSync } from 'node:fs'
import { BRIDGE, buildFloor, Place } from './programs.ts'
import { atMost, figure, median, report } from './report.ts'
import { StdioClient } from './rpc.ts'

const ROUNDS = 15
const COLD_ROUNDS = 5

const floorCommand = await buildFloor()
const floor: number[] = []
const bridge: number[] = []
{
  await using place = new Place()
  await place.startHub()
  // The first of each fills the caches of the file system.
  for (let round = 0; round <= ROUNDS; round++) {
    const times = { floor: await readyMs(new StdioClient(floorCommand)), bridge: await readyMs(place.bridge()) }
    if (round === 0) continue
    floor.push(times.floor)
    bridge.push(times.bridge)
  }
}

const registered: number[] = []
{
  await using place = new Place()
  await place.startRegisteredHub()
  for (let round = 0; round < ROUNDS; round++) registered.push(await readyMs(place.registeredBridge()))
}

const cold: number[] = []
for (let round = 0; round < COLD_ROUNDS; round++) {
  await using place = new Place()
  cold.push(await readyMs(place.bridge()))
  // The bridge started it; it would stay for ten minutes.
  await place.adoptHub()
}

report('ready', [
  figure('floor: spawn to tools/list, p50', median(floor), ' ms'),
  figure('bridge with a running hub, p50', median(bridge), ' ms'),
  atMost('bridge ÷ floor', median(bridge.map((ms, round) => ms / (floor[round] as number))), 1, ' ×'),
  figure('registered bridge, p50', median(registered), ' ms'),
  atMost('registered bridge, slowest', Math.max(...registered), 3000, ' ms'),
  atMost('bridge.js', statSync(BRIDGE).size / 1000, 5000, ' kB'),
  atMost('bridge without a hub or database, slowest', Math.max(...cold), 3000, ' ms'),
])

async function readyMs(client: StdioClient): Promise<number> {
  await client.open()
  const ms = performance.now() - client.spawnedAt
  await client.close()
  return ms
}
