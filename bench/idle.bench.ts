// What a hub takes of the machine while nobody asks it anything.
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMs, Place, residentMb } from './programs.ts'
import { atMost, figure, report } from './report.ts'

const SETTLE_MS = 3000
const WATCH_MS = 15_000

await using place = new Place()
const hub = await place.startHub()
await hub.seed(100)
const bridge = await place.bridge().open()
await bridge.request('ping')
await pause(SETTLE_MS)

const before = cpuMs(hub.pid)
await pause(WATCH_MS)
const cpu = cpuMs(hub.pid) - before
report('idle: one client, 100 tasks', [
  atMost('hub, resident', residentMb(hub.pid), 130, ' MB'),
  figure('hub, CPU time a minute', (cpu * 60_000) / WATCH_MS, ' ms'),
  figure('bridge, resident', residentMb(bridge.pid), ' MB'),
])
await bridge.close()
