// Whether what a person looks at all day stays as quick with a hundred thousand finished tasks as with a thousand. Both hubs are asked by
// turns, and as many tasks wait in each: what is measured is what is done.
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { Place } from './programs.ts'
import { atMost, figure, median, report, timeEach } from './report.ts'

const ROUNDS = 9
const CALLS = 10
const NOWHERE_CALLS = 5
const SIZES = { few: 1_000, lots: 100_000 } as const

await using few = await hubWith(SIZES.few)
await using lots = await hubWith(SIZES.lots)

const LOOKS = {
  'inbox.list': hub => hub.api('inbox.list', {}),
  'task.cards': hub => hub.api('task.cards', {}),
  'task.list --stage review': hub => hub.api('task.list', { stage: 'review' }),
  'task.show': hub => hub.api('task.show', { task_id: 'tsk_20' }),
  'search.find of tasks': hub => hub.api('search.find', { text: 'task', kinds: ['task'] }),
  'search.find among what is closed': hub => hub.api('search.find', { text: 'task 99', kinds: ['task'] }),
  'runner.waiting': hub => hub.api('runner.waiting', {}),
} satisfies Record<string, (hub: (typeof few)['hub']) => Promise<unknown>>

const figures = []
for (const [name, look] of Object.entries(LOOKS)) {
  await look(few.hub)
  await look(lots.hub)
  const rounds: { few: number; lots: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      few: median(await timeEach(CALLS, () => look(few.hub))),
      lots: median(await timeEach(CALLS, () => look(lots.hub))),
    })
  figures.push(
    figure(`${name}, ${SIZES.few} tasks, p50`, median(rounds.map(round => round.few)), ' ms'),
    atMost(`${name}, ${SIZES.lots} ÷ ${SIZES.few} tasks`, median(rounds.map(round => round.lots / round.few)), 2, ' ×'),
  )
}
// A text that is nowhere is looked for in all of them: that grows, and has no gate.
for (const [size, { hub }] of Object.entries({ few, lots })) {
  const times = await timeEach(NOWHERE_CALLS, () => hub.api('search.find', { text: 'nothing', kinds: ['task'] }))
  figures.push(
    figure(`search.find of what is nowhere, ${SIZES[size as keyof typeof SIZES]} tasks, p50`, median(times), ' ms'),
  )
}
report('waiting: what is open among what was done', figures)

/** Merged tasks, of which a few dozen wait: written past the hub, before it starts again. */
async function hubWith(tasks: number) {
  const place = new Place()
  const first = await place.startHub()
  await first.seed(1)
  const { project_id } = await first.api('project.add', { name: 'shop', directory: '/' })
  await first.stop()
  const file = new Sqlite(place.db)
  const done = `(n > 60)`
  const fact = (condition: string) => `CASE WHEN ${condition} THEN n END`
  file.exec(`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${tasks})
    INSERT INTO tasks (id, project_id, title, description, status, priority, created_at, updated_at, number, folded,
      reported_at, verified_at, accepted_at, queued_at, merged_at)
    SELECT 'tsk_' || n, '${project_id}', 'Task ' || n, 'What it is about', CASE WHEN n <= 20 THEN 'todo' WHEN n <= 30 THEN 'blocked' ELSE 'done' END,
      'medium', n, n, n, 'task ' || n, ${fact('n > 30')}, ${fact('n > 30')}, ${fact(done)}, ${fact(done)}, ${fact(done)} FROM s`)
  file.close()
  const hub = await place.startHub()
  return { hub, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}
