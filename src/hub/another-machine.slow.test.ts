// Two hubs on one database, each with a clone of its own: what one of them has, the other can only name. The other machine is made by
// rows, as its hub leaves them when it goes.
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { sql } from '#test/queries-past-the-hub.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beside, inShop, newTask, put, reached, report, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_shelf'

test.each(databases)(
  'a start waits until the base here has what it waited for, and says where that is (%s)',
  async database => {
    const config = { engines: { shell: { terminal: ['/bin/sh'] } } }
    await inShop({ database, config, settings: { accept: 'report' } }, async shop => {
      const { hub, repo } = shop
      put(shop.path, 'cart', 'one')
      await report(shop)
      await reached(hub, 'merged')
      await until(async () => (await rows(hub, 'workspaces'))[0]?.['released_at'])
      const merged = repo.git('rev-parse', 'main').trim()
      // From here on it was another machine's.
      await sql(hub, `UPDATE worktrees SET home = 'another'`)
      await sql(hub, `UPDATE runs SET started_by = 'attic:0a1b2c'`)
      repo.git('reset', '-q', '--hard', 'HEAD~1')
      await hub.api('task.add', {
        ...{ id: task_id, project_id, title: 'Build the shelf', assignee_id: 'agt_kim', status: 'in_progress' },
        depends_on: ['tsk_cart'],
      })
      const asked = async () => (await hub.call('should_start', { agent_id: 'agt_kim', project_id })).body
      expect(await asked()).toEqual({ should_start: false, reason: 'base_behind' })
      const said = `Waits for shop-1: it is merged on attic (${merged.slice(0, 8)}), and main in the folder here does not have it yet. Push it there and pull it here.`
      expect(await hub.api('task.show', { task_id })).toMatchObject({ not_started: said })
      // By whichever door: an agent that comes on its own, a tab, a crew.
      const agent = await hub.connect()
      const session_token = await agent.signIn('agt_kim', shop.passkey, project_id)
      const refused = await agent.call('get_my_task', { session_token })
      expect([refused.body['code'], refused.text.includes(said)]).toEqual(['BASE_BEHIND', true])
      await agent.call('logout', { session_token })
      await agent.close()
      await expect(hub.api('tab.launch', { engine: 'shell', task_id })).rejects.toThrow('BASE_BEHIND')
      repo.git('merge', '-q', '--ff-only', merged)
      expect(await hub.api('task.show', { task_id })).toMatchObject({ not_started: null })
      expect(await asked()).toMatchObject({ should_start: true })
    })
  },
)

/** From here on it was another machine's, which is away since noon. */
async function becomesAnothers({ hub }: Pick<Shop, 'hub'>): Promise<void> {
  await sql(hub, `UPDATE worktrees SET home = 'another'`)
  await sql(hub, `UPDATE runs SET started_by = 'attic:0a1b2c'`)
  await sql(
    hub,
    `INSERT INTO runners (name, engines, created_at, seen_at) VALUES ('attic:0a1b2c', '[]', 1, ${Date.parse('2025-12-24T12:00:00Z')})`,
  )
}

test.each(databases)('accepted work of a machine that is away says so, and can be taken back (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, repo } = shop
    put(shop.path, 'README', 'with a cart')
    await report(shop)
    await reached(hub, 'review')
    repo.write('README', 'unsaved by a person')
    await hub.api('task.verdict', { task_id: 'tsk_cart', decision: 'accept' })
    await until(async () => (await hub.api('merge.list', {})).merges[0]?.step === 'waiting')
    await hub.running.hub.thread.dispose()
    await sql(hub, `UPDATE merges SET waits = NULL, owner = 'attic', held_until = 1`)
    await becomesAnothers(shop)
    const said =
      'Waits for the hub on attic, away since 2025-12-24T12:00:00.000Z: it merges into its own clone. Until then `toryo task review --changes` takes the work back.'
    expect((await hub.api('merge.list', {})).merges).toMatchObject([{ step: 'waiting', waits: said }])
    // While it says that it works on it, it is believed.
    await sql(hub, `UPDATE merges SET held_until = ${Date.now() + 3_600_000}`)
    expect((await hub.api('merge.list', {})).merges).toMatchObject([{ step: 'merging', waits: null }])
    const changes = { task_id: 'tsk_cart', decision: 'changes', summary: 'Here, please.' } as const
    await hub.api('task.verdict', changes)
    const { stage, not_started } = await hub.api('task.show', { task_id: 'tsk_cart' })
    expect(stage).toBe('working')
    expect(not_started).toBe(
      `The workspace of shop-1 is on attic, which is away since 2025-12-24T12:00:00.000Z, in ${shop.path}; work on it there, or begin afresh here with \`toryo task start shop-1 --here\`.`,
    )
  })
})

test.each(databases)('a task that was begun on another machine is begun afresh here (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, repo, path } = shop
    await newTask(shop, 'tsk_shelf')
    put(path, 'cart', 'half')
    await report(shop, { result: 'failed', summary: 'Half of it' })
    await until(async () => (await rows(hub, 'snapshots')).some(row => row['commit_id'] !== null))
    await hub.api('task.move', { task_id: 'tsk_cart', status: 'in_progress' })
    // Its snapshot came here with a fetch; its branch and folder never did.
    for (const { path: folder, branch } of (await hub.api('worktree.list', {})).worktrees) {
      if (branch === null) continue
      repo.git('worktree', 'remove', '--force', folder)
      repo.git('branch', '-D', branch)
    }
    await becomesAnothers(shop)
    const [worktree] = (await hub.api('worktree.list', {})).worktrees
    const removed = hub.api('worktree.remove', { worktree_id: worktree?.worktree_id ?? '', force: true })
    await expect(removed).rejects.toThrow('belongs to another hub, perhaps on another machine; do this there.')
    const [commit] = (await rows(hub, 'snapshots')).map(row => row['commit_id'])
    expect(await hub.api('task.here', { task_id: 'tsk_cart' })).toEqual({
      ...{ task_id: 'tsk_cart', handle: 'shop-1', from: 'snapshot', commit, machine: 'attic' },
    })
    expect(await hub.api('task.here', { task_id: 'tsk_shelf' })).toMatchObject({ from: 'base', commit: null })
    // Again, there is nothing to do.
    expect(await hub.api('task.here', { task_id: 'tsk_cart' })).toMatchObject({ from: null })
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', shop.passkey, project_id)
    const { body } = await agent.call('get_my_task', { session_token })
    const { working_directory } = body['task'] as { working_directory: string }
    expect(existsSync(join(working_directory, 'cart'))).toBe(true)
  })
})

test.each(databases)(
  'merged work names its machine and folder where the project has more than one (%s)',
  async database => {
    await inShop({ database, settings: { accept: 'report' } }, async shop => {
      const { hub, repo, path } = shop
      const merges = async () => (await hub.api('merge.list', { ended: true })).merges
      const severalIn = async () =>
        (await hub.api('doctor.run', {})).findings.filter(({ check }) => check === 'machines').map(one => one.message)
      put(path, 'cart', 'one')
      await report(shop)
      await reached(hub, 'merged')
      expect([(await merges())[0]?.merged_on, await severalIn()]).toEqual([null, []])
      // Another machine has a workspace of the same project.
      await newTask(shop, task_id)
      await sql(
        hub,
        `UPDATE worktrees SET home = 'another' WHERE id = (SELECT worktree_id FROM workspaces WHERE task_id = '${task_id}')`,
      )
      const { merged_on } = (await merges())[0] ?? {}
      expect(merged_on).toEqual({ machine: expect.stringMatching(/^[\w-]+$/), folder: repo.root })
      expect(await hub.api('task.show', { task_id: 'tsk_cart' })).toMatchObject({ merge: { merged_on } })
      await newTask(shop, 'tsk_till')
      expect(await severalIn()).toEqual([
        `shop has work on several machines (${merged_on?.machine}, another machine), each with a clone of its own. The hub on each merges what was made there into the base of that clone alone: no clone has all of the work until you push and pull between them.`,
      ])
    })
  },
)

test.runIf(databases.includes('postgres'))(
  'two hubs on one database say of each merge whose clone has it',
  async () => {
    await inShop({ database: 'postgres', settings: { accept: 'report' } }, async shop => {
      const { hub, repo, path } = shop
      await using other = await beside(shop)
      const elsewhere = { ...shop, hub: other, path: await newTask({ hub: other }, task_id) }
      put(path, 'cart', 'one')
      await report(shop)
      await reached(hub, 'merged')
      put(elsewhere.path, 'shelf', 'one')
      await report(elsewhere)
      await reached(other, 'merged', task_id)
      const list = async (at: typeof hub) =>
        (await at.api('merge.list', { ended: true })).merges.map(({ handle, merged_on }) => [handle, merged_on])
      const on = { machine: expect.stringMatching(/^[\w-]+$/), folder: repo.root }
      expect(await list(hub)).toEqual([
        ['shop-2', on],
        ['shop-1', on],
      ])
      expect(await list(other)).toEqual(await list(hub))
      const [one, two] = (await rows(hub, 'merges')).map(({ details }) => JSON.parse(String(details)).machine)
      expect(one).not.toBe(two)
    })
  },
)
