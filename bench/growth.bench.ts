// Whether a list stays as quick when there is much more than it shows.
import { Place } from './programs.ts'
import { atMost, figure, median, report, timeEach } from './report.ts'

const ROUNDS = 9
const CALLS = 100

await using few = new Place()
await using lots = new Place()
const small = await (await few.startHub()).seed(100)
const large = await (await lots.startHub()).seed(10_000)
const fewBridge = await few.bridge().open()
const lotsBridge = await lots.bridge().open()

/** As many rows in both answers: the smaller has ten tasks in progress. */
const list = (projectId: string) => ({ project_id: projectId, status: 'in_progress', limit: 10 })
const ofFew = () => fewBridge.call('list_tasks', list(small.projectId))
const ofLots = () => lotsBridge.call('list_tasks', list(large.projectId))

await timeEach(300, ofFew)
await timeEach(300, ofLots)
const rounds: { few: number; lots: number }[] = []
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ few: median(await timeEach(CALLS, ofFew)), lots: median(await timeEach(CALLS, ofLots)) })
await Promise.all([fewBridge.close(), lotsBridge.close()])

report('growth: list_tasks of a project by status, ten rows', [
  figure('100 tasks, p50', median(rounds.map(round => round.few)), ' ms'),
  figure('10,000 tasks, p50', median(rounds.map(round => round.lots)), ' ms'),
  atMost('10,000 ÷ 100 tasks', median(rounds.map(round => round.lots / round.few)), 2, ' ×'),
])
