// Many agents at once on one hub: every call is answered once, to its caller, with what was asked for.
import { setTimeout as pause } from 'node:timers/promises'
import { Place, residentMb } from './programs.ts'
import { atMost, figure, percentile, report } from './report.ts'
import type { StdioClient } from './rpc.ts'

/** Of each group; the second finds a hub that has met as many. */
const BRIDGES = 100
const CALLS = 50
/** Processes that start at the same time would measure the machine, not the hub. */
const START_AT_ONCE = 10
const SETTLE_MS = 80_000

await using place = new Place()
const hub = await place.startHub()
const { projectId } = await hub.seed(1)
const times: number[] = []
let lost = 0
let crossed = 0

// What many calls at once cost once, such as the room that V8 makes for them, is not a connection's.
const first = await group('first')
await first.call()
const before = await settledMb()

const second = await group('second')
const connected = residentMb(hub.pid)
await second.call()
const loaded = residentMb(hub.pid)
const settled = await settledMb()

await first.look()
await second.look()

report(`many: twice ${BRIDGES} bridges, ${CALLS} calls each, every fifth a durable write`, [
  atMost('calls or writes lost', lost, 0, ''),
  atMost('answers crossed or doubled', crossed, 0, ''),
  figure('calls answered', times.length, ''),
  figure('p50 while all of a group call at once', percentile(times, 0.5), ' ms'),
  figure('p99 while all of a group call at once', percentile(times, 0.99), ' ms'),
  figure('hub with the first, idle, resident', before, ' MB'),
  figure('hub with both connected, resident', connected, ' MB'),
  figure('hub after the calls of the second, resident', loaded, ' MB'),
  figure('the same once it was idle, resident', settled, ' MB'),
  figure('hub memory per connection before it called', ((connected - before) / BRIDGES) * 1024, ' kB'),
  // Idle against idle: what calls leave for the collector is not a connection's.
  atMost('hub memory per connection', ((settled - before) / BRIDGES) * 1024, 150, ' kB'),
])

async function group(name: string) {
  const bridges: StdioClient[] = []
  while (bridges.length < BRIDGES)
    bridges.push(...(await Promise.all(Array.from({ length: START_AT_ONCE }, () => place.bridge().open()))))
  const nameOf = (index: number) => `bridge ${index} of the ${name}`
  const tasks = await Promise.all(
    bridges.map((_, index) => hub.api('task.add', { project_id: projectId, title: nameOf(index) })),
  )
  return {
    call: () => Promise.all(bridges.map((bridge, index) => work(bridge, tasks[index]?.task_id ?? '', nameOf(index)))),
    /** What was answered as saved must be there, once. */
    async look() {
      for (const [index, task] of tasks.entries()) {
        const { notes } = await hub.api('task.show', { task_id: task.task_id })
        const own = notes.filter(note => note.progress?.startsWith(`${nameOf(index)}:`))
        lost += CALLS / 5 - own.length
        crossed += notes.length - own.length
      }
      crossed += bridges.reduce((sum, bridge) => sum + bridge.strays, 0)
      await Promise.all(bridges.map(bridge => bridge.close()))
    },
  }
}

/** The least that it has within the time in which V8 gives back what it does not need. */
async function settledMb(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await pause(1000))
    least = Math.min(least, residentMb(hub.pid))
  return least
}

/** Every fifth call writes, the others read the bridge's own task. */
async function work(bridge: StdioClient, taskId: string, name: string): Promise<void> {
  for (let index = 0; index < CALLS; index++) {
    const before = performance.now()
    try {
      const text =
        index % 5 === 0
          ? JSON.stringify(await bridge.call('save_context', { task_id: taskId, progress: `${name}: ${index}` }))
          : JSON.stringify(await bridge.call('get_task', { task_id: taskId }))
      if (!text.includes(index % 5 === 0 ? `${name}: ${index}` : taskId)) crossed++
      times.push(performance.now() - before)
    } catch (error) {
      console.error(error)
      lost++
    }
  }
}
