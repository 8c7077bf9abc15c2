// What agents that were given the tools of planning can do to tasks by moving them.
import { expect, test } from 'vitest'
import { databases, type TestConnection } from '#test/hub.ts'
import { inShop, put, reached, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'

test.each(databases)(
  'a task that its agent moves to done is taken, checked and merged like a report (%s)',
  async database => {
    await inShop({ database, settings: { accept: 'checks' } }, async ({ hub, path, passkey, repo }) => {
      await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
      put(path, 'cart', 'one')
      const agent = await hub.connect()
      const session_token = await agent.signIn('agt_kim', passkey, project_id)
      await agent.call('get_my_task', { session_token })
      expect((await agent.call('update_task_status', { task_id, status: 'done' })).isError).toBe(false)
      const said = { session_token, result: 'success', summary: 'The cart is there' }
      expect((await agent.call('report_completed', said)).isError).toBe(false)
      await reached(hub, 'merged')
      expect(await rows(hub, 'snapshots')).toMatchObject([
        { cause: 'report', result: 'success', changed_files: 1, summary: 'The cart is there' },
      ])
      expect(repo.git('log', '-1', '--format=%B', 'main')).toContain('The cart is there')
      expect(repo.git('show', 'HEAD:cart')).toBe('one')
    })
  },
)

test('so it is where the report is enough', async () => {
  await inShop({ settings: { accept: 'report' } }, async ({ hub, path, passkey, repo }) => {
    put(path, 'cart', 'one')
    const agent = await hub.connect()
    await agent.signIn('agt_kim', passkey, project_id)
    await agent.call('update_task_status', { task_id, status: 'done' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'HEAD:cart')).toBe('one')
  })
})

test.each(databases)(
  'an agent moves nothing that was reported, and reports and cancels nothing of others (%s)',
  async database => {
    await inShop({ database }, async ({ hub, path, repo, passkey }) => {
      const eve = await hub.api('agent.add', { id: 'agt_eve', name: 'Eve', engine: 'claude' })
      await hub.api('project.assign', { project_id, agent_id: 'agt_eve' })
      const other = await hub.connect()
      await other.signIn('agt_eve', eve.passkey, project_id)
      const own = await hub.connect()
      const session_token = await own.signIn('agt_kim', passkey, project_id)
      const refusals = async (agent: TestConnection, ...statuses: string[]) => {
        const answers = await Promise.all(statuses.map(status => agent.call('update_task_status', { task_id, status })))
        return answers.map(({ body }) => body['code'])
      }
      expect(await refusals(other, 'done', 'cancelled')).toEqual(['TASK_IN_HANDS', 'NOT_YOUR_PLAN'])
      // Not cancelled: that would put its workspace away.
      for (const status of ['todo', 'blocked', 'in_progress']) expect(await refusals(own, status)).toEqual([undefined])

      put(path, 'README', 'changed')
      await own.call('get_my_task', { session_token })
      await own.call('report_completed', { session_token, result: 'success' })
      await reached(hub, 'review')
      expect(await refusals(other, 'in_progress', 'cancelled')).toEqual(['TASK_REPORTED', 'TASK_REPORTED'])
      repo.write('README', 'unsaved by a person')
      await hub.api('task.verdict', { task_id, decision: 'accept' })
      await reached(hub, 'queued')
      const again = await hub.connect()
      await again.signIn('agt_kim', passkey, project_id)
      for (const agent of [other, again])
        expect(await refusals(agent, 'cancelled', 'todo')).toEqual(['TASK_REPORTED', 'TASK_REPORTED'])
      expect(await hub.api('task.show', { task_id })).toMatchObject({ stage: 'queued' })
      expect(await hub.api('task.move', { task_id, status: 'cancelled' })).toMatchObject({ stage: 'cancelled' })
    })
  },
)

/** Every tool by which an agent gives its task to another. */
type Way = (from: string, to: string) => [tool: string, args: Record<string, unknown>]
const HANDED: Way = (from_agent_id, to_agent_id) => [
  'create_handoff',
  { task_id, from_agent_id, to_agent_id, summary: 'Yours' },
]
const ASSIGNED: Way = (_, assignee_id) => ['assign_task', { task_id, assignee_id }]
const PLANNED: Way = (_, assignee_id) => ['update_task', { task_id, assignee_id, status: 'in_progress' }]

/** Kim and Lee, in turn: each signs in, takes the task, gives it to the other in the next of these ways and reports. */
async function toAndFro(
  { hub, passkey, path }: Pick<Shop, 'hub' | 'passkey' | 'path'>,
  times: number,
  change?: (count: number) => string,
  ways: readonly Way[] = [HANDED],
): Promise<number> {
  const { passkey: other } = await hub
    .api('agent.add', { id: 'agt_lee', name: 'Lee', engine: 'claude' })
    .catch(() => hub.api('agent.rotate', { agent_id: 'agt_lee' }))
  await hub.api('project.assign', { project_id, agent_id: 'agt_lee' })
  const agents = [
    ['agt_kim', passkey, 'agt_lee'],
    ['agt_lee', other, 'agt_kim'],
  ] as const
  for (let count = 0; count < times; count++) {
    const { status, assignee_id } = await hub.api('task.show', { task_id })
    if (status !== 'in_progress') return count
    const [id, key, to] = agents.find(([agent]) => agent === assignee_id) ?? agents[0]
    const agent = await hub.connect()
    const session_token = await agent.signIn(id, key, project_id)
    await agent.call('get_my_task', { session_token })
    if (change) put(path, 'cart', change(count))
    const [tool, args] = (ways[count % ways.length] ?? HANDED)(id, to)
    expect((await agent.call(tool, args)).body).toMatchObject({ success: true })
    await agent.call('report_completed', { session_token, result: 'success', summary: 'Handed over' })
    await agent.close()
  }
  return times
}

test.each(databases)(
  'a task that is handed back twice without a new tree is for a person; with one it goes on (%s)',
  async database => {
    await inShop({ database }, async shop => {
      const { hub } = shop
      expect(await toAndFro(shop, 7, count => `try ${count}`)).toBe(7)
      expect(await toAndFro(shop, 40)).toBe(2)
      const blocked = await hub.api('task.show', { task_id })
      expect(blocked).toMatchObject({
        stage: 'blocked',
        blocked_reason: expect.stringMatching(/^Its agents have handed it back 2 times without changing a file\. Read/),
      })
      const { items } = await hub.api('inbox.list', {})
      expect(items).toMatchObject([{ kind: 'blocked', detail: blocked.blocked_reason }])
      for (const agent_id of ['agt_kim', 'agt_lee'])
        expect((await hub.call('should_start', { agent_id, project_id })).body['should_start']).toBe(false)
      // A person who opens it grants as many again, and so does an answer.
      await hub.api('task.move', { task_id, status: 'in_progress' })
      expect(await toAndFro(shop, 40)).toBe(3)
      await hub.api('task.answer', { task_id, answer: 'Kim does it.' })
      expect(await toAndFro(shop, 2)).toBe(2)
    })
  },
)

test.each(
  databases.flatMap(database => [
    { database, name: 'assigned', ways: [ASSIGNED] },
    { database, name: 'updated', ways: [PLANNED] },
    { database, name: 'each in turn', ways: [ASSIGNED, HANDED, PLANNED] },
  ]),
)('so it is when the task is given to and fro without a handoff ($name, $database)', async ({ database, ways }) => {
  await inShop({ database }, async shop => {
    const { hub } = shop
    expect(await toAndFro(shop, 7, count => `try ${count}`, ways)).toBe(7)
    expect(await toAndFro(shop, 40, undefined, ways)).toBe(2)
    const blocked = await hub.api('task.show', { task_id })
    expect(blocked).toMatchObject({
      stage: 'blocked',
      blocked_reason: expect.stringMatching(/^Its agents have handed it back 2 times without changing a file\. Read/),
    })
    expect((await hub.api('inbox.list', {})).items).toMatchObject([{ kind: 'blocked', detail: blocked.blocked_reason }])
    // A person opens it, and grants as many again.
    await hub.api('task.answer', { task_id, answer: 'Kim does it.' })
    expect(await toAndFro(shop, 40, undefined, ways)).toBe(3)
    const stored = [...(await rows(hub, 'task_passes')), ...(await rows(hub, 'handoffs'))]
    expect(stored.filter(({ stopped }) => stopped === 1)).toHaveLength(2)
    expect(await reasonOf(hub)).toBe(blocked.blocked_reason)
    // No agent opens it, by none of these tools.
    const kim = await hub.connect()
    await kim.signIn('agt_kim', shop.passkey, project_id)
    expect((await kim.call(...ASSIGNED('', 'agt_kim'))).body).toMatchObject({ task: { status: 'blocked' } })
    expect((await kim.call(...PLANNED('', 'agt_lee'))).body).toMatchObject({ code: 'NOT_ALLOWED' })
  })
})

const reasonOf = async (hub: Shop['hub']) => (await hub.api('task.show', { task_id })).blocked_reason

test('in the folder of a project it is not known whether files have changed: there it ends later', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    await hub.api('task.move', { task_id, status: 'cancelled' })
    await until(async () => (await rows(hub, 'workspaces'))[0]?.['released_at'])
    await hub.api('project.edit', { project_id, workspace: 'folder', accept: 'report' })
    await hub.api('task.move', { task_id, status: 'in_progress' })
    expect(await toAndFro(shop, 40)).toBe(9)
    const { blocked_reason } = await hub.api('task.show', { task_id })
    expect(blocked_reason).toMatch(/^Its agents have handed it back 8 times\. Read/)
  })
})
