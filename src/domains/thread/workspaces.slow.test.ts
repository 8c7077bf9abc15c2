import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { locate } from '#client/locate.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { Services } from '#hub/services.ts'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { Git } from '#kernel/git/git.ts'
import { tool } from '#kernel/tool.ts'
import { type Repo, run, Yard } from '#test/git.ts'
import { databases, type TestConnection, type TestHub, type TestHubOptions, testHub } from '#test/hub.ts'
import { callBy, eventsOf, operator, rowsOf, success } from '#test/scene.ts'

type Shop = { hub: TestHub; repo: Repo; one: TestConnection; two: TestConnection; tokens: string[] }

/** A project in a repository, with two agents that signed in by hand, and what the first of them has to do. */
async function inShop(options: TestHubOptions & { repo?: (repo: Repo) => void }, story: (shop: Shop) => Promise<void>) {
  using yard = new Yard()
  await using hub = await testHub(options)
  const repo = yard.repository()
  const prepare = options.repo ?? (it => void (it.write('part/a.txt', 'a'), it.commit()))
  prepare(repo)
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root, workspace: 'task' })
  const [one, two] = [await hub.connect(), await hub.connect()]
  const tokens: string[] = []
  for (const [id, connection] of [
    ['one', one],
    ['two', two],
  ] as const) {
    const { passkey } = await hub.api('agent.add', { id, name: id, engine: 'claude' })
    await hub.api('project.assign', { project_id: 'shop', agent_id: id })
    tokens.push(await connection.signIn(id, passkey, 'shop'))
  }
  await story({ hub, repo, one, two, tokens })
}

async function addTask(hub: TestHub, id: string, title: string, agent = 'one', priority: 'high' | 'low' = 'low') {
  const task = { id, project_id: 'shop', title, assignee_id: agent, status: 'in_progress', priority } as const
  await hub.api('task.add', task)
}

const take = (connection: TestConnection, token: string | undefined) =>
  connection.call('get_my_task', { session_token: token })

async function taken(connection: TestConnection, token: string | undefined): Promise<Record<string, unknown>> {
  const body = success(await take(connection, token))
  return { ...(body['task'] as object), workspace: body['workspace'], instruction: body['instruction'] }
}

const shown = async (hub: TestHub, taskId: string) => (await hub.api('task.show', { task_id: taskId })).workspace

/** What B's cleanup calls: through the one road, before the transaction. */
async function release(hub: TestHub, taskId: string): Promise<void> {
  const releasing = tool({
    name: 'release',
    toolset: 'api',
    title: '',
    description: '',
    effect: 'write',
    callers: ['operator'],
    input: z.object({}),
    output: z.object({}),
    prepare: ({ workspaces }: Services, _input, call) => workspaces.release(taskId as TaskId, call.caller),
    run: async () => ({}),
  })
  const outcome = await hub.running.hub.invoker.invoke(releasing, {}, callBy(operator))
  expect(outcome).toMatchObject({ ok: true })
}

test.each(databases)('an agent that signs in by hand gets a workspace of its own, once (%s)', database =>
  inShop({ database }, async ({ hub, repo, one, tokens }) => {
    await addTask(hub, 't1', 'Fix the Café — menu!')
    const branch = 'toryo/shop-1-fix-the-cafe-menu'
    const [first, again] = await Promise.all([taken(one, tokens[0]), taken(one, tokens[0])])
    expect(first).toMatchObject({
      task_id: 't1',
      workspace: { branch, base: 'main' },
      instruction: expect.stringContaining(`a checkout of the branch ${branch} for main`),
    })
    expect(again).toEqual(first)
    const folder = String(first['working_directory'])
    expect(folder).toMatch(new RegExp(`^${hub.target.home}/worktrees/`))
    expect(run(folder, ['rev-parse', '--abbrev-ref', 'HEAD']).trim()).toBe(branch)
    expect(run(repo.root, ['status', '--porcelain'])).toBe('')
    const view = await shown(hub, 't1')
    expect(view).toMatchObject({ path: folder, branch, base: 'main', holder: 'one', released: false })
    expect(view?.ports.to).toBe((view?.ports.from ?? 0) + 9)
    const rows = await rowsOf(hub)
    expect(rows['workspaces']).toMatchObject([{ task_id: 't1', base_ref: 'refs/heads/main', released_at: null }])
    expect(eventsOf(rows, 'workspace.made')).toEqual([{ taskId: 't1', worktreeId: view?.worktree_id, branch }])
  }),
)

test('two workspaces have neither folder nor port in common, and no port that is in use', () =>
  inShop({}, async ({ hub, one, two, tokens }) => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen({ port: 42_003, host: '127.0.0.1' }, resolve))
    server.on('error', () => {})
    try {
      await addTask(hub, 't1', '日本語の題名')
      await addTask(hub, 't2', 'Second', 'two')
      const [a, b] = await Promise.all([taken(one, tokens[0]), taken(two, tokens[1])])
      expect(a['workspace']).toEqual({ branch: 'toryo/shop-1', base: 'main' })
      expect(a['working_directory']).not.toBe(b['working_directory'])
      const ports = [(await shown(hub, 't1'))?.ports.from ?? 0, (await shown(hub, 't2'))?.ports.from ?? 0]
      expect(new Set(ports).size).toBe(2)
      expect(Math.min(...ports)).toBeGreaterThanOrEqual(42_010)
    } finally {
      server.close()
    }
  }))

test.each(databases)('a workspace that was deleted is made again on its branch, with the same ports (%s)', database =>
  inShop({ database }, async ({ hub, one, tokens }) => {
    await addTask(hub, 't1', 'Roof')
    const folder = String((await taken(one, tokens[0]))['working_directory'])
    writeFileSync(join(folder, 'b.txt'), 'b')
    run(folder, ['add', '-A'])
    run(folder, ['commit', '-q', '-m', 'b'])
    const before = await shown(hub, 't1')
    rmSync(folder, { recursive: true })
    const again = String((await taken(one, tokens[0]))['working_directory'])
    expect(existsSync(join(again, 'b.txt'))).toBe(true)
    const after = await shown(hub, 't1')
    expect(after).toMatchObject({ branch: before?.branch, base: 'main', ports: before?.ports })
    expect(after?.worktree_id).not.toBe(before?.worktree_id)
  }),
)

test('a branch that is checked out elsewhere is left there, and the sentence says where', () =>
  inShop({}, async ({ hub, repo, one, tokens }) => {
    await addTask(hub, 't1', 'Roof')
    repo.git('checkout', '-q', '-b', 'toryo/shop-1-roof')
    const { body, isError } = await take(one, tokens[0])
    expect({ isError, body }).toMatchObject({
      isError: true,
      body: {
        code: 'BRANCH_CHECKED_OUT',
        error: `toryo/shop-1-roof is checked out in ${repo.root}; check out another branch there, or name another one.`,
      },
    })
    const rows = await rowsOf(hub)
    expect([rows['workspaces'], rows['worktrees']]).toEqual([[], []])
    repo.git('checkout', '-q', 'main')
    expect(await taken(one, tokens[0])).toMatchObject({ workspace: { branch: 'toryo/shop-1-roof', base: 'main' } })
  }))

test.each<[string, (repo: Repo) => void]>([
  ['a detached HEAD', repo => void (repo.commit(), repo.git('checkout', '-q', '--detach'))],
  ['a repository without commits', () => {}],
])('works from %s, which is no base to merge into', (_, repo) =>
  inShop({ repo }, async ({ hub, one, tokens }) => {
    await addTask(hub, 't1', 'Roof')
    const task = await taken(one, tokens[0])
    expect(task['workspace']).toEqual({ branch: 'toryo/shop-1-roof', base: null })
    const folder = String(task['working_directory'])
    expect(run(folder, ['symbolic-ref', '--short', 'HEAD']).trim()).toBe('toryo/shop-1-roof')
  }),
)

test("starts from the project's base, and a part of a repository is its part in the workspace", () =>
  inShop({}, async ({ hub, repo, one, tokens }) => {
    repo.git('checkout', '-q', '-b', 'next')
    repo.write('part/next.txt', 'n')
    repo.commit()
    repo.git('checkout', '-q', 'main')
    await hub.api('project.add', { id: 'part', name: 'part', directory: repo.at('part'), base: 'next' })
    await hub.api('project.assign', { project_id: 'part', agent_id: 'one' })
    const task = { id: 't1', project_id: 'part', title: 'x', assignee_id: 'one', status: 'in_progress' } as const
    await hub.api('task.add', task)
    const { passkey } = await hub.api('agent.rotate', { agent_id: 'one' })
    const connection = await hub.connect()
    const token = await connection.signIn('one', passkey, 'part')
    expect(tokens[0]).not.toBe(token)
    const got = await taken(connection, token)
    expect(got['workspace']).toEqual({ branch: 'toryo/part-1-x', base: 'next' })
    expect(String(got['working_directory'])).toMatch(/\/part$/)
    expect(existsSync(join(String(got['working_directory']), 'next.txt'))).toBe(true)
    void one
  }))

test.each(databases)('one at a time works there: the next one hears who does (%s)', database =>
  inShop({ database }, async ({ hub, one, two, tokens }) => {
    await addTask(hub, 't1', 'Roof')
    await taken(one, tokens[0])
    await hub.api('task.assign', { task_id: 't1', agent_id: 'two' })
    const { body } = await take(two, tokens[1])
    const busy = 'one works in the workspace of shop-1; one at a time does. Stop it, or wait for its end.'
    expect(body).toMatchObject({ code: 'WORKSPACE_BUSY', error: busy })
    expect((await hub.api('task.show', { task_id: 't1' })).not_started).toBe(busy)
    expect((await hub.call('should_start', { agent_id: 'two', project_id: 'shop' })).body).toMatchObject({
      should_start: false,
    })
    await addTask(hub, 't2', 'Door', 'two')
    expect(await taken(two, tokens[1])).toMatchObject({ task_id: 't2' })
    await one.call('logout', { session_token: tokens[0] })
    await hub.api('task.move', { task_id: 't2', status: 'todo' })
    expect(await taken(two, tokens[1])).toMatchObject({ task_id: 't1' })
    expect(await shown(hub, 't1')).toMatchObject({ holder: 'two' })
  }),
)

test.each(databases)('a released workspace is in the trash, and is made again on its branch (%s)', database =>
  inShop({ database }, async ({ hub, one, tokens }) => {
    await addTask(hub, 't1', 'Roof')
    const folder = String((await taken(one, tokens[0]))['working_directory'])
    writeFileSync(join(folder, 'unsaved.txt'), 'u')
    await release(hub, 't1')
    await release(hub, 't1')
    expect(existsSync(folder)).toBe(false)
    const gone = await shown(hub, 't1')
    expect(gone).toMatchObject({ released: true, branch: 'toryo/shop-1-roof' })
    expect((await hub.api('worktree.list', { trashed: true })).worktrees).toMatchObject([
      { worktree_id: gone?.worktree_id },
    ])
    expect(eventsOf(await rowsOf(hub, 'events'), 'workspace.released')).toHaveLength(1)
    expect(await taken(one, tokens[0])).toMatchObject({ workspace: { branch: 'toryo/shop-1-roof', base: 'main' } })
    expect(await shown(hub, 't1')).toMatchObject({ released: false })
  }),
)

test('a project that goes back to its folder leaves the agent where it is, and has no new workspaces', () =>
  inShop({}, async ({ hub, repo, one, two, tokens }) => {
    await addTask(hub, 't1', 'Roof')
    await addTask(hub, 't2', 'Door', 'two')
    await taken(one, tokens[0])
    await hub.api('project.edit', { project_id: 'shop', workspace: 'folder', accept: 'report' })
    const inFolder = await taken(two, tokens[1])
    expect(inFolder).toMatchObject({ working_directory: repo.root })
    expect(inFolder['workspace']).toBeUndefined()
    expect(await shown(hub, 't2')).toBeNull()
  }))

test('a hub that was killed before it wrote the workspace down finds its worktree again', async () => {
  using yard = new Yard()
  const home = join(yard.home, 'home')
  const target = locate(join(home, 'toryo.db'), { env: { HOME: home, TORYO_HOME: home } })
  const repo = yard.repository()
  repo.commit()
  const begin = async (hub: TestHub, passkey: string) => {
    const connection = await hub.connect()
    const token = await connection.signIn('one', passkey, 'shop')
    return String((await taken(connection, token))['working_directory'])
  }
  let passkey: string
  let folder: string
  {
    await using hub = await testHub({ target })
    await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
    ;({ passkey } = await hub.api('agent.add', { id: 'one', name: 'one', engine: 'claude' }))
    await hub.api('project.assign', { project_id: 'shop', agent_id: 'one' })
    await addTask(hub, 't1', 'Roof')
    folder = await begin(hub, passkey)
  }
  writeFileSync(join(folder, 'kept.txt'), 'k')
  const file = new Sqlite(target.db)
  file.all('DELETE FROM workspaces')
  file.all('UPDATE leases SET session_id = NULL')
  file.close()
  await using hub = await testHub({ target })
  expect(await begin(hub, passkey)).toBe(folder)
  expect(existsSync(join(folder, 'kept.txt'))).toBe(true)
  const rows = await rowsOf(hub)
  expect([rows['workspaces'], rows['worktrees']]).toMatchObject([[{ task_id: 't1' }], [{ path: folder }]])
})

test('an imported task gets a workspace on its branch, wherever the first one was', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.commit()
  let lines = ''
  let passkey = ''
  {
    await using hub = await testHub()
    await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
    ;({ passkey } = await hub.api('agent.add', { id: 'one', name: 'one', engine: 'claude' }))
    await hub.api('project.assign', { project_id: 'shop', agent_id: 'one' })
    await addTask(hub, 't1', 'Roof')
    const connection = await hub.connect()
    await taken(connection, await connection.signIn('one', passkey, 'shop'))
    lines = await (await hub.fetch('/api/export?secrets=1')).text()
  }
  // As on another machine, where there never was a first one.
  repo.git('worktree', 'prune')
  await using hub = await testHub()
  const imported = await hub.fetch('/api/import', { method: 'POST', body: lines })
  expect({ ok: imported.ok, text: await imported.text() }).toMatchObject({ ok: true })
  ;({ passkey } = await hub.api('agent.rotate', { agent_id: 'one' }))
  const connection = await hub.connect()
  const task = await taken(connection, await connection.signIn('one', passkey, 'shop'))
  expect(task).toMatchObject({ workspace: { branch: 'toryo/shop-1-roof', base: 'main' } })
  expect(String(task['working_directory'])).toMatch(new RegExp(`^${hub.target.home}/worktrees/`))
})

test('a workspace takes four processes of git, two of them at the same time', () =>
  inShop({}, async ({ hub, one, tokens }) => {
    await addTask(hub, 't1', 'first')
    await taken(one, tokens[0])
    await hub.api('task.move', { task_id: 't1', status: 'done' })
    const runs = vi.spyOn(Git.prototype, 'run')
    try {
      await addTask(hub, 't2', 'second')
      const { workspace } = await taken(one, tokens[0])
      const branch = (workspace as { branch: string }).branch
      const own = runs.mock.calls.map(([args]) => args.join(' ')).filter(line => !/^(?:status|write-tree)/.test(line))
      expect(own.map(line => line.split(' ').slice(0, 2).join(' '))).toEqual(
        expect.arrayContaining(['worktree list', 'worktree add', 'read-tree --reset']),
      )
      const asked = own.filter(line =>
        /^(?:for-each-ref|worktree|read-tree|rev-parse|check-|config|ls-files)/.test(line),
      )
      expect(asked.length, asked.join('\n')).toBe(4)
      expect(asked.join('\n')).toContain(branch)
    } finally {
      runs.mockRestore()
    }
  }))
