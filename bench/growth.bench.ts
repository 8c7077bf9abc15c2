// Whether a list stays as quick when there is much more than it shows, and a hub as small when it was asked much.
import { Place, residentMb } from './programs.ts'
import { atMost, figure, median, report, timeEach } from './report.ts'

const ROUNDS = 9
const CALLS = 100
const HALF = 11_000

await using few = new Place()
await using lots = new Place()
const fewHub = await few.startHub()
const small = await fewHub.seed(100)
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
// Most of what a call leaves is garbage; a hub that is asked without a pause must not keep it.
const half = await mostMb(HALF)
const whole = await mostMb(HALF)
await Promise.all([fewBridge.close(), lotsBridge.close()])

report('growth: list_tasks of a project by status, ten rows', [
  figure('100 tasks, p50', median(rounds.map(round => round.few)), ' ms'),
  figure('10,000 tasks, p50', median(rounds.map(round => round.lots)), ' ms'),
  atMost('10,000 ÷ 100 tasks', median(rounds.map(round => round.lots / round.few)), 2, ' ×'),
  figure(`hub in the first ${HALF} of ${2 * HALF} calls, eight in flight, most resident`, half, ' MB'),
  atMost('the same in the second half', whole, 220, ' MB'),
  atMost('growth from half to half', whole - half, 20, ' MB'),
])

/** Every fifth call writes. */
async function mostMb(calls: number): Promise<number> {
  let left = calls
  let most = 0
  const client = async () => {
    while (left-- > 0) {
      if (left % 5 === 0) await fewBridge.call('save_context', { task_id: small.taskId, progress: `Step ${left}` })
      else await fewBridge.call('get_task', { task_id: small.taskId })
      if (left % 100 === 0) most = Math.max(most, residentMb(fewHub.pid))
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
  return most
}
