// Decisions on the thread of a task: given to its agent, cited by its report, flagged when another replaces them.
import { expect } from 'vitest'
import { eventsOf, onBoth, rowsOf, type Scene, success } from '#test/scene.ts'

const decide = async ({ hub }: Pick<Scene, 'hub'>, decision: string, more: Record<string, unknown> = {}) => {
  const { body, isError } = await hub.call('add-decision', { decision, reason: 'because', ...more })
  expect({ isError, body }).toMatchObject({ isError: false })
  return Number(body['decision_id'])
}
const MOMENT = expect.stringMatching(/^\d{4}-.*Z$/) as string
const shown = async ({ hub, taskId }: Scene) => (await hub.api('task.show', { task_id: taskId })).decisions

onBoth('a decision that names a task comes first in what its agent is given', async scene => {
  const { hub, worker, token, taskId, projectId } = scene
  await decide(scene, 'Build the roof of slate', { project_id: projectId })
  const named = await decide(scene, 'Pay by invoice', { task_ids: [taskId, taskId] })
  const body = success(await worker.call('get_my_task', { session_token: token }))
  const given = body['decisions'] as { decision_id: number }[]
  expect(given.map(({ decision_id }) => decision_id)).toEqual([named, 1])
  expect(body).not.toHaveProperty('superseded')
  expect(await shown(scene)).toEqual([
    { decision_id: named, decision: 'Pay by invoice', cited: false, told_at: MOMENT },
  ])
  // Its project is that of the task.
  expect((await rowsOf(hub, 'decisions'))['decisions']?.map(row => Number(row['project']))).toEqual([1, 1])
})

onBoth('a report cites decisions; those that are not there are left out and nothing is lost', async scene => {
  const { hub, worker, token, taskId, projectId, other } = scene
  const own = await decide(scene, 'Slate', { project_id: projectId })
  const everywhere = await decide(scene, 'No tabs')
  const theirs = await decide(scene, 'Straw', { project_id: other.projectId })
  await worker.call('get_my_task', { session_token: token })
  const report = { session_token: token, result: 'success', decisions: [own, theirs, 999, everywhere, own] }
  success(await worker.call('report_completed', report))
  success(await worker.call('report_completed', report))
  expect(await shown(scene)).toEqual([
    { decision_id: own, decision: 'Slate', cited: true, told_at: null },
    { decision_id: everywhere, decision: 'No tabs', cited: true, told_at: null },
  ])
  expect(await hub.api('task.show', { task_id: taskId })).toMatchObject({ status: 'done' })
})

onBoth(
  'open tasks that followed a decision are flagged when it is superseded, until they know the newer one',
  async scene => {
    const { hub, worker, token, taskId, projectId } = scene
    const first = await decide(scene, 'Slate', { task_ids: [taskId] })
    const done = await hub.api('task.add', { project_id: projectId, title: 'old', status: 'done' })
    const closed = await decide(scene, 'Tin', { task_ids: [done.task_id] })
    const second = await decide(scene, 'Tiles', { project_id: projectId, supersedes: first })
    const third = await decide(scene, 'Copper', { project_id: projectId, supersedes: second })
    await decide(scene, 'Zinc', { project_id: projectId, supersedes: closed })
    expect(eventsOf(await rowsOf(hub, 'events'), 'task.decision_superseded')).toEqual([
      { taskId, decisionId: first, supersededBy: second },
    ])
    const flagged = { decision_id: first, decision: 'Slate', cited: false, superseded_by: third }
    expect(await shown(scene)).toEqual([{ ...flagged, told_at: MOMENT }])
    const body = success(await worker.call('get_my_task', { session_token: token }))
    // For people alone.
    expect(body['superseded']).toEqual([flagged])
    expect(body).toMatchObject({ decisions: [{ decision_id: third, decision: 'Copper' }] })
    expect(body['instruction']).toMatch(/^Decision 1, which this task followed, was replaced by decision 4: /)
    success(await worker.call('report_completed', { session_token: token, result: 'blocked', decisions: [third] }))
    expect(await shown(scene)).toEqual([
      { decision_id: first, decision: 'Slate', cited: false, told_at: MOMENT },
      { decision_id: third, decision: 'Copper', cited: true, told_at: null },
    ])
  },
)

onBoth('a decision names only tasks of its own project that the caller may see', async scene => {
  const { hub, worker, other, taskId, projectId } = scene
  const before = (await rowsOf(hub, 'decisions'))['decisions']
  const said = { decision: 'd', reason: 'r' }
  const wrong = [
    await hub.call('add-decision', { ...said, project_id: projectId, task_ids: [other.taskId] }),
    await hub.call('add-decision', { ...said, task_ids: [taskId, other.taskId] }),
    await hub.call('add-decision', { ...said, task_ids: ['tsk_none'] }),
  ]
  for (const { body } of wrong) expect(body).toMatchObject({ error: { code: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' } })
  const { body } = await worker.call('add-decision', { ...said, task_ids: [other.taskId] })
  expect(body).toMatchObject({ error: { reason: 'NOT_ALLOWED' } })
  expect((await rowsOf(hub, 'decisions'))['decisions']).toEqual(before)
})
