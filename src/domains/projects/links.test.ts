// The order of tasks: what they wait for and what they are parts of.
import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { eventsOf, onBoth, rowsOf, type Scene, success } from '#test/scene.ts'
import { wayTo } from './graph.ts'

const add = async ({ hub, projectId }: Pick<Scene, 'hub' | 'projectId'>, title: string, more: object = {}) =>
  (await hub.api('task.add', { project_id: projectId, title, ...more })).task_id
const show = ({ hub }: Pick<Scene, 'hub'>, task_id: string) => hub.api('task.show', { task_id })
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => ({ code: 'none', message: '' }),
    (error: Error) => {
      const { code, message } = JSON.parse(error.message.replace(/^.*? answered \d+: /, '')).error
      return { code: String(code), message: String(message) }
    },
  )

describe('links', () => {
  onBoth('a task is linked when it is added and later, and says what it waits for', async scene => {
    const { hub, projectId } = scene
    const cart = await add(scene, 'Cart')
    const pay = await add(scene, 'Pay', { depends_on: [cart] })
    const mail = await add(scene, 'Mail')
    expect(await hub.api('task.link', { task_id: mail, depends_on: [pay, cart] })).toMatchObject({
      depends_on: [cart, pay].toSorted(),
      stage: 'waiting',
    })
    expect(await show(scene, pay)).toMatchObject({
      stage: 'waiting',
      depends_on: [cart],
      waits_for: [{ task_id: cart, handle: 'demo-2', title: 'Cart', stage: 'planned' }],
      not_started: 'It waits for demo-2 (planned) and is started when that is accepted.',
    })
    const body = JSON.stringify({ task_id: pay })
    const headers = { 'accept-language': 'ja' }
    const inJapanese = await hub.fetch('/api/task.show', { method: 'POST', body, headers })
    expect(await inJapanese.json()).toMatchObject({
      not_started: 'demo-2 (計画) を待っています。承認されると開始します。',
    })
    const { tasks } = await hub.api('task.list', { project_id: projectId })
    expect(tasks.find(({ task_id }) => task_id === pay)).toMatchObject({ depends_on: [cart], stage: 'waiting' })
    expect(success(await hub.call('get_task', { task_id: pay }))['task']).toMatchObject({ depends_on: [cart] })
    await hub.api('task.move', { task_id: cart, status: 'done' })
    expect(await show(scene, pay)).toMatchObject({ stage: 'planned', waits_for: [], not_started: null })
    expect(eventsOf(await rowsOf(hub, 'events'), 'task.ready')).toEqual([{ taskId: pay }])
  })

  onBoth('linking twice and unlinking what is not linked change nothing', async scene => {
    const { hub } = scene
    const a = await add(scene, 'a')
    const b = await add(scene, 'b', { depends_on: [a, a] })
    const before = await rowsOf(hub)
    await hub.api('task.link', { task_id: b, depends_on: [a] })
    await hub.api('task.unlink', { task_id: a, depends_on: [b], parent: true })
    expect(await rowsOf(hub)).toEqual(before)
    expect(await hub.api('task.unlink', { task_id: b, depends_on: [a] })).not.toHaveProperty('depends_on')
    const rows = await rowsOf(hub)
    expect(rows['task_links']).toEqual([])
    expect(eventsOf(rows, 'task.unlinked')).toEqual([{ taskId: b, dependsOn: a }])
  })

  onBoth('a circle is refused and named by handles, also across sub-tasks', async scene => {
    const { hub } = scene
    const a = await add(scene, 'a')
    const b = await add(scene, 'b', { depends_on: [a] })
    const c = await add(scene, 'c', { depends_on: [b] })
    const before = await rowsOf(hub)
    const circle = await refusal(hub.api('task.link', { task_id: a, depends_on: [c] }))
    expect(circle.code).toBe('TASK_CYCLE')
    expect(circle.message).toContain('demo-2 → demo-4 → demo-3 → demo-2')
    const self = await refusal(hub.api('task.link', { task_id: a, depends_on: [a] }))
    expect(self.message).toContain('demo-2 → demo-2')
    expect(await rowsOf(hub)).toEqual(before)

    const part = await add(scene, 'part', { parent_id: a })
    const ofParent = await refusal(hub.api('task.link', { task_id: part, depends_on: [a] }))
    expect(ofParent.message).toContain('demo-5 → demo-2 → demo-5')
    const around = await refusal(hub.api('task.link', { task_id: part, depends_on: [c] }))
    expect(around.message).toContain('demo-5 → demo-4 → demo-3 → demo-2 → demo-5')
    const nested = await refusal(hub.api('task.link', { task_id: a, parent_id: part }))
    expect(nested.code).toBe('TASK_CYCLE')
    const fresh = await refusal(add(scene, 'new', { parent_id: a, depends_on: [c] }))
    expect(fresh.code).toBe('TASK_CYCLE')
    expect((await rowsOf(hub, 'tasks'))['tasks']).not.toContainEqual(expect.objectContaining({ title: 'new' }))
    // A parent may begin after one of its own sub-tasks: it needs it in any case.
    expect(await hub.api('task.link', { task_id: a, depends_on: [part] })).toMatchObject({ stage: 'waiting' })
  })

  onBoth('other projects, a fourth level, the 51st sub-task and the 51st dependency are refused', async scene => {
    const { hub, other } = scene
    const top = await add(scene, 'top')
    const middle = await add(scene, 'middle', { parent_id: top })
    const low = await add(scene, 'low', { parent_id: middle })
    const code = async (call: Promise<unknown>) => (await refusal(call)).code
    expect(await code(hub.api('task.link', { task_id: top, depends_on: [other.taskId] }))).toBe('OTHER_PROJECT')
    expect(await code(add(scene, 'lower', { parent_id: low }))).toBe('TASK_DEPTH')
    const above = await add(scene, 'above')
    expect(await code(hub.api('task.link', { task_id: top, parent_id: above }))).toBe('TASK_DEPTH')
    expect(await hub.api('task.link', { task_id: middle, parent_id: above })).toMatchObject({ parent_id: above })
    expect(await hub.api('task.unlink', { task_id: middle, parent: true })).not.toHaveProperty('parent_id')

    const many = await add(scene, 'many')
    const parts: string[] = []
    for (let n = 0; n < 50; n++) parts.push(await add(scene, `part ${n}`, { parent_id: many }))
    const refused = await refusal(add(scene, 'one more', { parent_id: many }))
    expect(refused).toMatchObject({ code: 'TASK_CHILDREN', message: expect.stringContaining('50 sub-tasks') })
    await hub.api('task.move', { task_id: parts[0] ?? '', status: 'cancelled' })
    await add(scene, 'one more', { parent_id: many })
    expect(await hub.api('task.link', { task_id: top, depends_on: parts })).toMatchObject({ stage: 'waiting' })
    expect(await code(hub.api('task.link', { task_id: top, depends_on: [many] }))).toBe('TASK_DEPENDENCIES')
    await hub.api('task.move', { task_id: above, status: 'done' })
    expect(await code(add(scene, 'late', { parent_id: above }))).toBe('PARENT_CLOSED')
  })

  onBoth('a cancelled dependency is named with what to do', async scene => {
    const { hub } = scene
    const a = await add(scene, 'a')
    const b = await add(scene, 'b', { depends_on: [a] })
    await hub.api('task.move', { task_id: a, status: 'cancelled' })
    const { not_started, stage } = await show(scene, b)
    expect(stage).toBe('waiting')
    expect(not_started).toContain('demo-2 is cancelled')
    expect(not_started).toContain('`toryo task unlink demo-3 --after demo-2`')
  })
})

describe('a task that waits', () => {
  onBoth('is not offered, not started and not given, until the last dependency is accepted', async scene => {
    const { hub, worker, token, taskId, agentId, projectId } = scene
    const pair = { agent_id: agentId, project_id: projectId }
    const a = await add(scene, 'a')
    await hub.api('task.link', { task_id: taskId, depends_on: [a] })
    const body = success(await worker.call('get_my_task', { session_token: token }))
    expect(body).toMatchObject({
      has_task: false,
      waiting: [{ task_id: taskId, handle: 'demo-1', waits_for: [{ task_id: a, stage: 'planned' }] }],
    })
    expect(body['instruction']).toMatch(/^demo-1: It waits for demo-2 \(planned\)/)
    expect(success(await hub.call('get_pending_tasks', { session_token: token }))['tasks']).toEqual([])
    await worker.call('report_completed', { session_token: token, result: 'success' })
    expect((await hub.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'no_work' })
    const { token: runner } = await hub.api('runner.add', { name: 'elsewhere' })
    const isOffered = async () => {
      const headers = { authorization: `Bearer ${runner}` }
      const answer = await hub.fetch('/api/runner.startable', { method: 'POST', body: '{}', headers })
      const { pairs } = (await answer.json()) as { pairs: { agent_id: string }[] }
      return pairs.some(({ agent_id }) => agent_id === agentId)
    }
    expect(await isOffered()).toBe(false)
    await hub.api('task.move', { task_id: a, status: 'done' })
    expect(await isOffered()).toBe(true)
    expect((await hub.call('should_start', pair)).body).toMatchObject({ should_start: true })
  })
})

onBoth('a task that an agent has begun stays in its hands when it is linked after another', async scene => {
  const { hub, worker, token, taskId } = scene
  success(await worker.call('get_my_task', { session_token: token }))
  await hub.api('task.link', { task_id: taskId, depends_on: [await add(scene, 'late')] })
  expect(success(await worker.call('get_my_task', { session_token: token }))['task']).toMatchObject({ task_id: taskId })
  success(await worker.call('report_completed', { session_token: token, result: 'success' }))
  expect(await show(scene, taskId)).toMatchObject({ status: 'done', not_started: null })
})

describe('a parent', () => {
  onBoth('is not moved to done while a sub-task is open, but by force', async scene => {
    const { hub } = scene
    const parent = await add(scene, 'parent')
    const part = await add(scene, 'part', { parent_id: parent })
    const refused = await refusal(hub.api('task.move', { task_id: parent, status: 'done' }))
    expect(refused).toMatchObject({
      code: 'TASK_HAS_OPEN_CHILDREN',
      message: expect.stringContaining('has open sub-tasks: demo-3.'),
    })
    const { body } = await hub.call('update_task_status', { task_id: parent, status: 'done' })
    expect(body).toMatchObject({ code: 'TASK_HAS_OPEN_CHILDREN' })
    expect(await hub.api('task.move', { task_id: parent, status: 'done', force: true })).toMatchObject({
      stage: 'done',
    })
    expect(await show(scene, parent)).toMatchObject({
      children: [{ task_id: part, handle: 'demo-3', stage: 'planned' }],
    })
    await hub.api('task.move', { task_id: parent, status: 'todo' })
    await hub.api('task.move', { task_id: part, status: 'cancelled' })
    expect(await hub.api('task.move', { task_id: parent, status: 'done' })).toMatchObject({ status: 'done' })
  })

  onBoth('keeps its agent’s report, and is done when its last sub-task is accepted', async scene => {
    const { hub, worker, token, taskId, agentId, projectId } = scene
    const part = await add(scene, 'part', { parent_id: taskId })
    const small = await add(scene, 'small', { parent_id: part })
    await worker.call('get_my_task', { session_token: token })
    success(await worker.call('report_completed', { session_token: token, result: 'success', summary: 'planned it' }))
    expect(await show(scene, taskId)).toMatchObject({
      status: 'in_progress',
      stage: 'waiting',
      executions: [{ status: 'completed', result: 'success' }],
      not_started: expect.stringMatching(/^Its agent has reported; .*: demo-2 \(planned\)\.$/),
    })
    const pair = { agent_id: agentId, project_id: projectId }
    expect((await hub.call('should_start', pair)).body).toEqual({ should_start: false, reason: 'no_work' })
    const again = await hub.connect()
    const second = await again.signIn(agentId, scene.passkey, projectId)
    expect(success(await again.call('get_my_task', { session_token: second }))).toMatchObject({
      has_task: false,
      waiting: [{ task_id: taskId, waits_for: [{ task_id: part }] }],
    })
    await hub.api('task.move', { task_id: small, status: 'done' })
    expect(await show(scene, taskId)).toMatchObject({ status: 'in_progress' })
    await hub.api('task.move', { task_id: part, status: 'done' })
    expect(await show(scene, taskId)).toMatchObject({ status: 'done', stage: 'done' })
    const moves = eventsOf(await rowsOf(hub, 'events'), 'task.moved').filter(move => move['taskId'] === taskId)
    expect(moves).toEqual([{ taskId, from: 'in_progress', to: 'done', reason: null }])
  })

  onBoth('that was reported is started again when a person moves it back', async scene => {
    const { hub, worker, token, taskId, agentId, projectId } = scene
    await add(scene, 'part', { parent_id: taskId })
    await worker.call('get_my_task', { session_token: token })
    await worker.call('report_completed', { session_token: token, result: 'success' })
    await hub.api('task.move', { task_id: taskId, status: 'todo' })
    await hub.api('task.move', { task_id: taskId, status: 'in_progress' })
    const pair = { agent_id: agentId, project_id: projectId }
    expect((await hub.call('should_start', pair)).body).toMatchObject({ should_start: true })
  })
})

onBoth('the tree has each task before its sub-tasks, with what it waits for', async scene => {
  const { hub, projectId, taskId, other } = scene
  const shop = await add(scene, 'shop')
  const cart = await add(scene, 'cart', { parent_id: shop })
  const pay = await add(scene, 'pay', { parent_id: shop, depends_on: [cart] })
  const card = await add(scene, 'card', { parent_id: cart })
  const over = await add(scene, 'over', { status: 'done' })
  const shape = async (input: Parameters<typeof hub.api<'task.tree'>>[1]) => {
    const { tasks } = await hub.api('task.tree', input)
    return tasks.map(task => [task.level, task.task_id, task.waits_for.map(({ task_id }) => task_id)])
  }
  const whole = [
    [1, shop, []],
    [2, cart, []],
    [3, card, []],
    [2, pay, [cart]],
  ]
  expect(await shape({ task_id: shop })).toEqual(whole)
  expect(await shape({ project_id: projectId })).toEqual([[1, taskId, []], ...whole])
  expect(await shape({ project_id: projectId, all: true })).toEqual([[1, taskId, []], ...whole, [1, over, []]])
  expect(await shape({})).toContainEqual([1, other.taskId, []])
})

test.each(databases)('5,000 tasks with 10,000 links: a circle is found and named (%s)', async database => {
  await using hub = await testHub({ database })
  const { project_id } = await hub.api('project.add', { id: 'shop', name: 'shop' })
  const { lines } = await plan(project_id, 5000, [1, 7])
  await using copy = await testHub({ database })
  expect((await copy.fetch('/api/import', { method: 'POST', body: lines })).status).toBe(200)
  const circle = await refusal(copy.api('task.link', { task_id: 't0', depends_on: ['t4999'] }))
  expect(circle.code).toBe('TASK_CYCLE')
  expect(circle.message).toMatch(/: shop-1 → shop-5000 → .* → … → shop-8 → shop-1\. /)
  expect(await copy.api('task.link', { task_id: 't4999', depends_on: ['t0'] })).toMatchObject({ stage: 'waiting' })
  const { tasks, truncated } = await copy.api('task.tree', { project_id })
  expect([tasks.length, truncated]).toEqual([500, true])
  expect((await copy.api('task.list', { project_id, limit: 200 })).tasks).toHaveLength(200)

  async function plan(projectId: string, count: number, steps: readonly number[]) {
    await hub.api('task.add', { id: 't0', project_id: projectId, title: 't' })
    const exported = (await (await hub.fetch('/api/export')).text()).trimEnd().split('\n')
    const rows = exported.slice(1).map(line => JSON.parse(line) as { table: string; row: Record<string, unknown> })
    const first = rows.find(({ table }) => table === 'tasks')?.row
    const of = (name: string) => rows.filter(({ table }) => table === name)
    const numbers = Array.from({ length: count }, (_, n) => n)
    const tasks = numbers.map(n => ({ table: 'tasks', row: { ...first, id: `t${n}`, number: n + 1 } }))
    const links = numbers.flatMap(n =>
      steps.flatMap(step =>
        n < step ? [] : { table: 'task_links', row: { task_id: `t${n}`, depends_on: `t${n - step}`, at: 1 } },
      ),
    )
    const all = [...of('projects'), ...tasks, ...links].map(line => JSON.stringify(line))
    return { lines: [exported[0], ...all].join('\n') }
  }
})

test('a way of 100,000 steps needs no stack', () => {
  const needs = new Map(Array.from({ length: 100_000 }, (_, n) => [n, [n + 1]]))
  expect(wayTo(needs, 0, 100_000)).toHaveLength(100_001)
  expect(wayTo(needs, 100_000, 0)).toBeUndefined()
})
