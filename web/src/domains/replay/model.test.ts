import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TASK_STATUSES } from '#contract/task-values.ts'
import { countAt, film, GAP_MS, pictureAt, type ReplayEvent, type TaskNow } from './model.ts'

const START = Date.parse('2026-11-17T09:00:00Z')
const event = (seq: number, type: string, payload: object, ms = seq * 1000): ReplayEvent => ({
  ...{ seq, at: new Date(START + ms).toISOString(), type, payload },
})
const cart: TaskNow = { id: 'tsk_1', handle: 'shop-1', title: 'Cart', status: 'done', agentId: 'agt_aoi' }

test('a task stands where it stood, before its first move and after each', () => {
  const events = [
    event(1, 'task.moved', { taskId: 'tsk_1', from: 'todo', to: 'in_progress' }),
    event(2, 'task.moved', { taskId: 'tsk_1', from: 'in_progress', to: 'done' }),
  ]
  const made = film(events, [cart])
  const status = [0, 1, 2].map(count => pictureAt(made, count).tasks.get('tsk_1')?.status)
  expect(status).toEqual(['todo', 'in_progress', 'done'])
})

test('a task is not there before it was added, also when the event says only its id', () => {
  const events = [event(1, 'task.added', { taskId: 'tsk_1' })]
  const made = film(events, [cart])
  expect(pictureAt(made, 0).tasks.size).toBe(0)
  expect(pictureAt(made, 1).tasks.get('tsk_1')).toMatchObject({ handle: 'shop-1', title: 'Cart' })
})

test('a run that began earlier is at work from the first moment until its end', () => {
  const made = film([event(1, 'run.ended', { runId: 'run_1', outcome: 'success' })], [])
  expect(pictureAt(made, 0).work.get('run_1')).toMatchObject({ startedAt: null, endedAt: null })
  expect(pictureAt(made, 1).work.get('run_1')).toMatchObject({ endedAt: START + 1000, outcome: 'success' })
})

test('long gaps are shortened, and a moment is found by its time', () => {
  const made = film([event(1, 'x', {}, 0), event(2, 'x', {}, 1000), event(3, 'x', {}, 8 * 3_600_000)], [])
  expect(made.times).toEqual([0, 1000, 1000 + GAP_MS])
  expect([-1, 0, 999, 1000, made.length].map(ms => countAt(made, ms))).toEqual([0, 1, 1, 2, 3])
})

test('events of the same moment are told apart', () => {
  const made = film([event(1, 'x', {}, 0), event(2, 'x', {}, 0), event(3, 'x', {}, -5)], [])
  expect(made.times).toEqual([0, 1, 2])
})

const status = fc.constantFrom(...TASK_STATUSES)
const agent = fc.constantFrom('agt_aoi', 'agt_ren', null)
type Step = { kind: 'add' | 'move' | 'assign' | 'edit'; which: number; status: TaskNow['status']; agent: string | null }
const step: fc.Arbitrary<Step> = fc.record({
  ...{ kind: fc.constantFrom('add', 'move', 'assign', 'edit'), which: fc.nat(9), status, agent },
})

/** What a hub would write down, and what it would be left with. */
function played(steps: readonly Step[]): { events: ReplayEvent[]; states: TaskNow[][] } {
  const tasks = new Map<string, TaskNow>()
  const states: TaskNow[][] = [[]]
  const events = steps.flatMap(({ kind, which, status, agent }, index) => {
    const id = `tsk_${which}`
    const task = tasks.get(id)
    const seq = index + 1
    if (kind === 'add' ? task : !task) return []
    const before = task as TaskNow
    const after: TaskNow =
      kind === 'add'
        ? { id, handle: `shop-${which}`, title: `Task ${which}`, status, agentId: agent }
        : { ...before, ...(kind === 'move' && { status }), ...(kind === 'assign' && { agentId: agent }) }
    if (kind === 'edit') after.title = `Task ${which}, edited ${seq}`
    tasks.set(id, after)
    states.push([...tasks.values()])
    const { handle, title } = after
    if (kind === 'add') return event(seq, 'task.added', { taskId: id, handle, title, status, agentId: agent })
    if (kind === 'move') return event(seq, 'task.moved', { taskId: id, from: before.status, to: status })
    if (kind === 'edit') return event(seq, 'task.edited', { taskId: id, fields: ['title'], title })
    return event(seq, 'task.assigned', { taskId: id, from: before.agentId, agentId: agent })
  })
  return { events, states }
}

test('from any moment on, the picture is what the hub had then; the last one is what it has now', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 700 }), fc.nat(), fc.nat(), (steps, from, to) => {
      const { events, states } = played(steps)
      const begin = from % (events.length + 1)
      const made = film(events.slice(begin), states.at(-1) ?? [])
      for (const count of [0, to % (events.length - begin + 1), events.length - begin]) {
        const shown = [...pictureAt(made, count).tasks.values()].map(({ id, handle, status, agentId }) => ({
          ...{ id, handle, status, agentId },
        }))
        const then = states[begin + count]?.map(({ id, handle, status, agentId }) => ({ id, handle, status, agentId }))
        expect(shown.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          then?.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        )
      }
    }),
    { numRuns: 200 },
  )
})
