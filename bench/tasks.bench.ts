// Whether a list of tasks with their stages stays as quick when the project has much more, and much of it is linked.
import { Place } from './programs.ts'
import { atMost, figure, median, report, timeEach } from './report.ts'

const ROUNDS = 9
const CALLS = 60
const SHOWN = 50

await using few = new Place()
await using lots = new Place()
const small = await plan(await few.startHub(), 100)
const large = await plan(await lots.startHub(), 10_000)

await timeEach(100, small.list)
await timeEach(100, large.list)
const rounds: { few: number; lots: number }[] = []
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ few: median(await timeEach(CALLS, small.list)), lots: median(await timeEach(CALLS, large.list)) })
const trees = median(await timeEach(5, large.tree))
const links = median(await timeEach(20, large.link))

report(`tasks: task.list of a project, ${SHOWN} rows with their stages, every task after two others`, [
  figure('100 tasks, p50', median(rounds.map(round => round.few)), ' ms'),
  figure('10,000 tasks, p50', median(rounds.map(round => round.lots)), ' ms'),
  atMost('10,000 ÷ 100 tasks', median(rounds.map(round => round.lots / round.few)), 2, ' ×'),
  figure('10,000 tasks: task.tree, 500 of them', trees, ' ms'),
  figure('10,000 tasks: a link that would be a circle is found and refused', links, ' ms'),
])

/** Each after the one before it and the one before that. */
async function plan(hub: Awaited<ReturnType<Place['startHub']>>, count: number) {
  const { project_id } = await hub.api('project.add', { id: 'plan', name: 'plan' })
  for (let n = 0; n < count; n++) {
    const depends_on = [n - 1, n - 2].filter(before => before >= 0).map(before => `t${before}`)
    await hub.api('task.add', { id: `t${n}`, project_id, title: `Task ${n}`, depends_on })
  }
  return {
    list: () => hub.api('task.list', { project_id, status: 'todo', limit: SHOWN }),
    tree: () => hub.api('task.tree', { project_id }),
    link: () =>
      hub.api('task.link', { task_id: 't0', depends_on: [`t${count - 1}`] }).then(
        () => {
          throw new Error('the circle was not refused')
        },
        () => {},
      ),
  }
}
