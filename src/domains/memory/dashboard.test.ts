// What the dashboard reads of memory: the whole tree at once, and a decision with its chain and its tasks.
import { expect } from 'vitest'
import { onBoth } from '#test/scene.ts'

onBoth('the tree has every topic after its parent, with what is in it and whether it is decided', async scene => {
  const { hub, projectId, other } = scene
  const top = await hub.api('memory.topic.add', { project_id: projectId, title: 'Architecture' })
  const below = await hub.api('memory.topic.add', { project_id: projectId, title: '決済', parent_topic_id: top.id })
  await hub.api('memory.topic.add', { project_id: other.projectId, title: 'Elsewhere' })
  await hub.api('memory.log.add', { topic_id: below.id, content: 'Cookie or bearer?' })
  const old = await hub.api('memory.decision.add', { topic_id: top.id, decision: 'Cookies', reason: 'No scripts' })
  const { topics } = await hub.api('memory.topic.tree', { project_id: projectId })
  expect(topics).toMatchObject([
    { id: top.id, parent_topic_id: null, title: 'Architecture', logs: 0, decisions: 1 },
    { id: below.id, parent_topic_id: top.id, title: '決済', logs: 1, decisions: 0 },
  ])
  // One that was replaced is not counted beside the one that stands.
  const next = { topic_id: top.id, decision: 'Signed cookies', reason: 'Forged ones', supersedes: old.id }
  await hub.api('memory.decision.add', next)
  expect((await hub.api('memory.topic.tree', { project_id: projectId })).topics[0]).toMatchObject({ decisions: 1 })
})

onBoth('a decision comes with its chain, the oldest first, and with the tasks that follow it', async scene => {
  const { hub, projectId, taskId, worker, token, agentId } = scene
  const topic = await hub.api('memory.topic.add', { project_id: projectId, title: 'Prices' })
  const add = (decision: string, supersedes?: number) =>
    hub.api('memory.decision.add', {
      ...{ topic_id: topic.id, decision, reason: 'because', task_ids: [taskId] },
      ...(supersedes !== undefined && { supersedes }),
    })
  const first = await add('Floats')
  const second = await add('Strings', first.id)
  const third = await add('Integers', second.id)
  await worker.call('get_my_task', { session_token: token })
  const done = { session_token: token, result: 'success', summary: 'done', decisions: [third.id] }
  await worker.call('report_completed', done)
  for (const id of [first.id, second.id, third.id]) {
    const shown = await hub.api('memory.decision.show', { decision_id: id })
    expect(shown.chain.map(one => one.id)).toEqual([first.id, second.id, third.id])
    expect(shown).toMatchObject({ id, topic_title: 'Prices', project_name: 'demo' })
    expect(shown.tasks).toMatchObject([{ task_id: taskId, handle: 'demo-1', title: 'Build the roof', named: true }])
    expect(shown.tasks[0]?.cited).toBe(id === third.id)
    // The agent took its task when the last of them stood.
    expect(shown.told_to).toEqual(id === third.id ? [agentId] : [])
  }
  const body = JSON.stringify({ decision_id: 999 })
  const response = await hub.fetch('/api/memory.decision.show', { method: 'POST', body })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { code: 'DECISION_NOT_FOUND' } })
})

onBoth('decisions are listed by topic and by task, newest first and page by page', async scene => {
  const { hub, projectId, taskId, other } = scene
  const topic = async (title: string) => (await hub.api('memory.topic.add', { project_id: projectId, title })).id
  const [prices, carts] = [await topic('Prices'), await topic('Carts')]
  const add = async (topic_id: number, decision: string, task_ids: string[] = []) =>
    (await hub.api('memory.decision.add', { topic_id, decision, reason: 'because', task_ids })).id
  const first = await add(prices, 'Integers', [taskId])
  const second = await add(carts, 'In memory')
  const third = await add(prices, 'Taxes included')
  const last = await add(carts, 'At most 999', [taskId])
  const list = async (filter: object) =>
    (await hub.api('memory.decision.list', { project_id: projectId, ...filter })).decisions.map(({ id }) => id)
  expect(await list({})).toEqual([last, third, second, first])
  expect(await list({ topic_id: prices })).toEqual([third, first])
  expect(await list({ task_id: taskId })).toEqual([last, first])
  expect(await list({ task_id: taskId, topic_id: prices })).toEqual([first])
  expect(await list({ topic_id: prices, before_id: third })).toEqual([first])
  const page = await hub.api('memory.decision.list', { project_id: projectId, task_id: taskId, limit: 1 })
  expect(page).toMatchObject({ decisions: [{ id: last }], next_before_id: last })
  // What is of another project is not here, whatever is named.
  expect(await list({ task_id: other.taskId })).toEqual([])
  const elsewhere = await hub.api('memory.decision.list', { project_id: other.projectId, topic_id: prices })
  expect(elsewhere.decisions).toEqual([])
})
