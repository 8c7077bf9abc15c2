// What memory costs through bridge and hub, as clients call it: reads one at a time, durable writes with sixteen in flight.
// Judged by the hub's CPU time and by commits, which other work on the machine changes little.
import { commitsOf, cpuMs, Place } from '../programs.ts'
import { atMost, figure, report } from '../report.ts'
import { texts } from './texts.ts'

const WARM_UP = 1000
const READS = 4000
const WRITES = 4000
const IN_FLIGHT = 16

await using place = new Place()
const hub = await place.startHub()
const bridge = await place.bridge().open()
const source = texts(11)
const { structuredContent: project } = await bridge.call('add-project', { name: 'bench', description: 'measured' })
const projectId = (project as { project_id: number }).project_id
const { structuredContent: topic } = await bridge.call('add-topic', { project_id: projectId, title: 'measured' })
const topicId = (topic as { topic_id: number }).topic_id
const decide = () => bridge.call('add-decision', { topic_id: topicId, decision: source.record(), reason: 'measured' })
const say = () => bridge.call('add-log', { topic_id: topicId, content: source.record() })
for (let index = 0; index < 30; index++) await decide()
for (let index = 0; index < 30; index++) await say()

const reads = {
  'get-projects': () => bridge.call('get-projects', {}),
  'get-topics': () => bridge.call('get-topics', { project_id: projectId }),
  'get-decisions': () => bridge.call('get-decisions', { topic_id: topicId, limit: 5 }),
  'get-logs': () => bridge.call('get-logs', { topic_id: topicId, limit: 5 }),
  'search-decisions': () => bridge.call('search-decisions', { project_id: projectId, keyword: 'measured', limit: 5 }),
}
const perRead = new Map<string, number>()
for (const [name, read] of Object.entries(reads)) {
  for (let index = 0; index < WARM_UP; index++) await read()
  const before = cpuMs(hub.pid)
  for (let index = 0; index < READS; index++) await read()
  perRead.set(name, (cpuMs(hub.pid) - before) / READS)
}

const decisions = await writes(decide)
const logs = await writes(say)
await bridge.close()

report('memory through bridge and hub', [
  ...[...perRead].map(([name, ms]) => figure(`${name}: CPU of the hub`, ms, ' ms')),
  atMost(
    'get-decisions ÷ get-projects',
    (perRead.get('get-decisions') ?? 0) / (perRead.get('get-projects') ?? 0),
    1.5,
    ' ×',
  ),
  ...lines('add-decision', decisions),
  ...lines('add-log', logs),
])

type Written = { perSecond: number; cpu: number; commits: number }

function lines(name: string, { perSecond, cpu, commits }: Written) {
  return [
    // The aim is 1,500; not a gate before it was met on a quiet machine.
    figure(`${name}, ${IN_FLIGHT} in flight`, perSecond, ' a second'),
    figure(`${name}: CPU of the hub`, cpu, ' ms'),
    atMost(`${name}: commits for each`, commits, 0.5, ''),
  ]
}

async function writes(write: () => Promise<unknown>): Promise<Written> {
  for (let index = 0; index < WARM_UP / IN_FLIGHT; index++) await Promise.all(Array.from({ length: IN_FLIGHT }, write))
  const before = { at: performance.now(), cpu: cpuMs(hub.pid), commits: commitsOf(place.db) }
  let left = WRITES
  const client = async () => {
    while (left-- > 0) await write()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
  return {
    perSecond: (WRITES / (performance.now() - before.at)) * 1000,
    cpu: (cpuMs(hub.pid) - before.cpu) / WRITES,
    commits: (commitsOf(place.db) - before.commits) / WRITES,
  }
}
