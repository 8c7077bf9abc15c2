// What a hub uses while it gets no requests, before a client came and with one connected.
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMs, Place, residentMb } from './programs.ts'
import { atMost, figure, report } from './report.ts'

/** V8 tidies up three times within some seventy seconds of a start or of a first client; after that a hub is idle. */
const SETTLE_MS = 90_000
const WATCH_MS = 60_000

await using place = new Place()
const hub = await place.startHub()
await hub.seed(100)
const alone = await idleMs()
const bridge = await place.bridge().open()
await bridge.request('ping')
const watched = await idleMs()

report('idle: 100 tasks', [
  atMost('hub, resident', residentMb(hub.pid), 130, ' MB'),
  atMost('hub without a client, CPU time a minute', alone, 60, ' ms'),
  atMost('hub with a client, CPU time a minute', watched, 60, ' ms'),
  figure('bridge, resident', residentMb(bridge.pid), ' MB'),
])
await bridge.close()

async function idleMs(): Promise<number> {
  await pause(SETTLE_MS)
  const before = cpuMs(hub.pid)
  await pause(WATCH_MS)
  return cpuMs(hub.pid) - before
}
