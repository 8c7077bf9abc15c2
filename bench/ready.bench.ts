// How long a client waits from starting its MCP server until it has the list of tools.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { BRIDGE, buildFloor, cpuMs, Place, residentMb } from './programs.ts'
import { atMost, figure, median, report } from './report.ts'
import { StdioClient } from './rpc.ts'

const ROUNDS = 15
const COLD_ROUNDS = 7
/** 1.3 × of what a start took while we kept compiled code ourselves (3.28 ×): what that gained, nobody noticed. */
const COLD_LIMIT = 4.3

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
const coldCpu: number[] = []
const bareCpu: number[] = []
const coldMb: number[] = []
/** As long as an answer of tools/list is that a client with the usual toolsets gets. */
let listed = 0
// The first fills the caches of the file system, and is not measured.
for (let round = 0; round <= COLD_ROUNDS; round++) {
  await using place = new Place()
  const client = await place.bridge().open()
  const ms = performance.now() - client.spawnedAt
  // The bridge started it; it would stay for ten minutes.
  const hub = await place.adoptHub()
  const cpu = cpuMs(client.pid) + cpuMs(hub.pid)
  const mb = residentMb(hub.pid)
  if (round === 0) {
    listed = JSON.stringify((await client.request('tools/list')).result).length
  } else {
    cold.push(ms)
    coldCpu.push(cpu)
    coldMb.push(mb)
    bareCpu.push(bareNodeCpuMs())
  }
  await client.close()
}

report('ready', [
  figure('floor: spawn to tools/list, p50', median(floor), ' ms'),
  figure('bridge with a running hub, p50', median(bridge), ' ms'),
  atMost('bridge ÷ floor', median(bridge.map((ms, round) => ms / (floor[round] as number))), 1, ' ×'),
  figure('registered bridge, p50', median(registered), ' ms'),
  atMost('registered bridge, slowest', Math.max(...registered), 3000, ' ms'),
  atMost('bridge.js', statSync(BRIDGE).size / 1000, 5000, ' kB'),
  atMost('tools/list of the default toolsets', listed / 1000, 40, ' kB'),
  atMost('bridge without a hub or database, slowest', Math.max(...cold), 3000, ' ms'),
  figure('a Node that does nothing, CPU', median(bareCpu), ' ms'),
  figure('the same start, CPU of bridge and hub together', median(coldCpu), ' ms'),
  // On a busy machine the same instructions take longer: this says how much longer than two bare Nodes.
  atMost('that ÷ two bare Nodes', median(coldCpu) / (2 * median(bareCpu)), COLD_LIMIT, ' ×'),
  atMost('its hub, resident', median(coldMb), 130, ' MB'),
])

/** What the machine needs today for a Node alone, up to its first line. */
function bareNodeCpuMs(): number {
  const line = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'
  return Number(execFileSync(process.execPath, ['-e', line], { encoding: 'utf8' }))
}

async function readyMs(client: StdioClient): Promise<number> {
  await client.open()
  const ms = performance.now() - client.spawnedAt
  await client.close()
  return ms
}
