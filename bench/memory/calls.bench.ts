// What memory costs through bridge and hub, as clients call it: reads one at a time, durable writes with sixteen in flight.
// Judged by the hub's CPU time beside a read's and by commits, which other work on the machine changes little.
import { DatabaseSync } from '@photostructure/sqlite'
import { commitsOf, cpuMs, Place } from '../programs.ts'
import { atLeast, atMost, figure, report } from '../report.ts'
import { texts } from './texts.ts'

const WARM_UP = 1000
const READS = 4000
const WRITES = 4000
const IN_FLIGHT = 16
/** 1,500 a second of one core where a read takes 0.14 ms of it. */
const WRITE_LIMIT = 4.75
const WRITES_A_SECOND = 1500
const USUAL_READ_MS = 0.14

await using place = new Place()
const hub = await place.startHub()
const bridge = await place.bridge().open()
const source = texts(11)
const { structuredContent: project } = await bridge.call('add-project', { name: 'bench', description: 'measured' })
const projectId = (project as { project_id: number }).project_id
const { structuredContent: topic } = await bridge.call('add-topic', { project_id: projectId, title: 'measured' })
const topicId = (topic as { topic_id: number }).topic_id
let textBytes = 0
const decide = () => {
  const decision = source.record()
  textBytes += Buffer.byteLength(decision)
  return bridge.call('add-decision', { topic_id: topicId, decision, reason: 'measured' })
}
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

const sizes = sizesOf(place.db)
textBytes = 0
const decisions = await writes(decide)
const grown = sizesOf(place.db).map((bytes, part) => (bytes - (sizes[part] as number)) / (WRITES + WARM_UP)) as Sizes
const textEach = textBytes / (WRITES + WARM_UP)
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
  // The aim is 600 a decision of the usual length. Stored answers are deleted after a day, and their pages used again.
  figure('text of a decision', textEach, ' B'),
  figure('record and indexes of a decision', grown[0], ' B'),
  figure('its event', grown[1], ' B'),
  figure('its stored answer', grown[2], ' B'),
])

type Sizes = [memory: number, events: number, answers: number]

/** Bytes of pages, as committed. */
function sizesOf(file: string): Sizes {
  using database = new DatabaseSync(file, { readOnly: true })
  const of = (where: string) =>
    (database.prepare(`SELECT coalesce(sum(pgsize), 0) AS bytes FROM dbstat WHERE ${where}`).get() as { bytes: number })
      .bytes
  const [events, answers] = ["name LIKE '%event\\_%' ESCAPE '\\'", "name LIKE 'answers%'"]
  return [of(`NOT (${events} OR ${answers})`), of(events), of(answers)]
}

type Written = { perSecond: number; cpu: number; commits: number }

function lines(name: string, { perSecond, cpu, commits }: Written) {
  return [
    // On a slower machine, or one that others use, as much less as a read takes longer.
    atLeast(`${name}, ${IN_FLIGHT} in flight`, perSecond, WRITES_A_SECOND * slowness(), ' a second'),
    figure(`${name}: CPU of the hub`, cpu, ' ms'),
    atMost(`${name} ÷ get-projects`, cpu / (perRead.get('get-projects') ?? 0), WRITE_LIMIT, ' ×'),
    atMost(`${name}: commits for each`, commits, 0.5, ''),
  ]
}

function slowness(): number {
  return Math.min(1, USUAL_READ_MS / (perRead.get('get-projects') ?? USUAL_READ_MS))
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
