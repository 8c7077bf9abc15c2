// What a Runner starts in workspaces, with real processes.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { Repo } from '#test/git.ts'
import { databases, testHub } from '#test/hub.ts'
import { rowsOf } from '#test/scene.ts'
import {
  runnerAt,
  scriptedConfig,
  type Worker,
  working,
  type Yard,
  yard,
  yardBeside,
  type YardOptions,
} from '#test/runner.ts'
import { until } from '#test/until.ts'

/** A worker whose project is a repository with one commit. */
async function inRepository(place: Yard, name: string, steps: readonly string[]): Promise<Worker & { repo: Repo }> {
  const repo = repositoryAt(path.join(place.hub.home, name))
  return { ...(await place.agent(name, steps)), repo }
}

function repositoryAt(root: string): Repo {
  const repo = new Repo(root).init()
  repo.write('a.txt', 'a')
  repo.commit()
  return repo
}

const show = (place: Yard, taskId: string) => place.hub.api('task.show', { task_id: taskId })
const isDone = async (place: Yard, taskId: string) => (await show(place, taskId)).status === 'done'

test.each(databases)(
  'a Runner starts the agent in the workspace of its task, and nowhere else (%s)',
  async database => {
    await using place = await yard({ database })
    const steps = ['write made.txt here', 'shell env > env.txt; pwd > pwd.txt']
    const worker = await inRepository(place, 'ann', working('ann', steps))
    await place.task(worker, 'roof')
    await until(() => isDone(place, 'roof'))
    const { workspace, executions } = await show(place, 'roof')
    const folder = workspace?.path ?? ''
    expect(fs.readFileSync(path.join(folder, 'made.txt'), 'utf8')).toBe('here\n')
    expect(fs.readFileSync(path.join(folder, 'pwd.txt'), 'utf8').trim()).toBe(folder)
    const env = fs.readFileSync(path.join(folder, 'env.txt'), 'utf8')
    expect(env).toContain('TORYO_TASK=ann-1\n')
    expect(env).toContain('TORYO_BRANCH=toryo/ann-1-roof\n')
    expect(env).toContain('TORYO_BASE=main\n')
    expect(env).toContain(`TORYO_PORT=${workspace?.ports.from}\n`)
    expect(env).toContain(`TORYO_PORT_TO=${workspace?.ports.to}\n`)
    expect(worker.repo.git('status', '--porcelain')).toBe('')
    expect(executions).toMatchObject([{ status: 'completed', task_id: 'roof' }])
  },
)

test('a slow setup does not cost the claim, and the agent starts when it has ended', async () => {
  const setup = ['sh', '-c', 'while [ ! -e "$TORYO_GATE" ]; do sleep 0.1; done; echo ready > setup.txt']
  const gate = path.join(fs.mkdtempSync(path.join(process.env['TMPDIR'] ?? '/tmp', 'toryo-gate-')), 'open')
  const command = [...setup.slice(0, 2), (setup[2] ?? '').replace('$TORYO_GATE', gate)]
  await using place = await yard({ config: { ...scriptedConfig, worktrees: { setup: command } } })
  const worker = await inRepository(place, 'ann', working('ann', ['shell cat setup.txt > seen.txt']))
  await place.task(worker, 'roof')
  // Asked several times by then.
  const asked = performance.now()
  await until(() => performance.now() - asked > 7000)
  expect((await rowsOf(place.hub, 'instances'))['instances']).toMatchObject([{ ended_at: null, task_id: 'roof' }])
  fs.writeFileSync(gate, '')
  await until(() => isDone(place, 'roof'))
  const { workspace, executions } = await show(place, 'roof')
  expect(fs.readFileSync(path.join(workspace?.path ?? '', 'seen.txt'), 'utf8')).toBe('ready\n')
  expect(executions).toHaveLength(1)
})

test('a workspace that cannot be made ends the run with the reason, and costs no try', async () => {
  await using place = await yard()
  const worker = await inRepository(place, 'ann', working('ann'))
  worker.repo.git('checkout', '-q', '-b', 'toryo/ann-1-roof')
  await place.task(worker, 'roof')
  await until(async () => (await show(place, 'roof')).failure)
  const { failure, executions, status } = await show(place, 'roof')
  expect(failure).toMatchObject({ kind: 'no-workspace', next: 'again' })
  expect(failure?.reason).toContain(
    `since the workspace of its task could not be made: toryo/ann-1-roof is checked out in ${worker.repo.root}`,
  )
  expect({ status, runs: executions.length }).toEqual({ status: 'in_progress', runs: 1 })
  expect((await rowsOf(place.hub, 'leases'))['leases']).toMatchObject([
    { restarts: 0, session_id: null, start_by: null },
  ])
})

test('an agent with two tasks in progress does each in its own workspace, one start each', async () => {
  await using place = await yard()
  const worker = await inRepository(place, 'ann', working('ann', ['shell pwd > pwd.txt']))
  await place.task(worker, 'roof')
  await place.task(worker, 'door')
  await until(async () => (await isDone(place, 'roof')) && (await isDone(place, 'door')))
  for (const [id, number] of [
    ['roof', 1],
    ['door', 2],
  ] as const) {
    const { workspace, executions } = await show(place, id)
    expect(workspace?.branch).toBe(`toryo/ann-${number}-${id}`)
    expect(fs.readFileSync(path.join(workspace?.path ?? '', 'pwd.txt'), 'utf8').trim()).toBe(workspace?.path)
    expect(executions).toHaveLength(1)
  }
})

test('an agent that runs in the folder stays there when its project gets workspaces', async () => {
  await using place = await yard()
  const gate = path.join(place.hub.home, 'gate')
  const again = 'call get_my_task {"session_token":"$SESSION"}'
  const steps = ['write here.txt x', `wait ${gate}`, again, 'shell pwd > pwd.txt']
  const worker = await inRepository(place, 'ann', working('ann', steps))
  await place.hub.api('project.edit', { project_id: worker.projectId, workspace: 'folder', accept: 'report' })
  await place.task(worker, 'roof')
  await until(() => fs.existsSync(path.join(worker.directory, 'here.txt')))
  await place.hub.api('project.edit', { project_id: worker.projectId, workspace: 'task' })
  fs.writeFileSync(gate, '')
  await until(() => isDone(place, 'roof'))
  expect(fs.readFileSync(path.join(worker.directory, 'pwd.txt'), 'utf8').trim()).toBe(worker.directory)
  expect((await show(place, 'roof')).workspace).toBeNull()
  expect(place.log(worker)).not.toContain('"branch"')
  await place.task(worker, 'door')
  await until(() => isDone(place, 'door'))
  expect((await show(place, 'door')).workspace).toMatchObject({ branch: 'toryo/ann-2-door' })
})

test('a task that changes hands ends its agent, and the next one waits for that end', async () => {
  await using place = await yard()
  const gate = path.join(place.hub.home, 'gate')
  const ann = await inRepository(place, 'ann', working('ann', ['write ann.txt x', `wait ${gate}`]))
  const bob = await place.agent(
    'bob',
    working('bob', ['write bob.txt x']).map(step => step.replace('prj_bob', 'prj_ann')),
  )
  await place.hub.api('project.assign', { project_id: ann.projectId, agent_id: bob.agentId })
  await place.task(ann, 'roof')
  const { path: folder = '' } = (await until(async () => (await show(place, 'roof')).workspace)) ?? {}
  await until(() => fs.existsSync(path.join(folder, 'ann.txt')))
  await place.hub.api('task.assign', { task_id: 'roof', agent_id: bob.agentId })
  await until(() => isDone(place, 'roof'))
  expect(fs.existsSync(path.join(folder, 'bob.txt'))).toBe(true)
  const told = ((await rowsOf(place.hub, 'events'))['events'] ?? []).map(
    ({ type, payload }) => `${String(type)} ${String(payload)}`,
  )
  const at = (type: string, agent: string) => told.findIndex(one => one.startsWith(type) && one.includes(agent))
  expect(at('instance.ended', ann.agentId)).toBeGreaterThan(-1)
  expect(at('instance.ended', ann.agentId)).toBeLessThan(at('instance.start_claimed', bob.agentId))
  const runs = (await show(place, 'roof')).executions
  expect(runs.map(({ agent_id }) => agent_id)).toEqual(['agt_bob', 'agt_ann'])
})

const HOOK = '.github/hooks/start.json'

/** A worker whose task is refused, since its branch brings agent configuration. */
async function untrustedBranch(place: Yard) {
  const worker = await inRepository(place, 'ann', working('ann'))
  worker.repo.git('checkout', '-q', '-b', 'toryo/ann-1-roof')
  worker.repo.write(HOOK, '{"hooks":{}}')
  worker.repo.commit()
  worker.repo.git('checkout', '-q', 'main')
  await place.task(worker, 'roof')
  const { not_started, workspace } = await until(async () => {
    const shown = await show(place, 'roof')
    return shown.not_started?.includes('trust') && shown
  })
  return { worker, not_started, workspace }
}

test('what the folder brought and a person trusted is trusted in workspaces, too', async () => {
  await using place = await yard()
  const repo = repositoryAt(path.join(place.hub.home, 'ann'))
  repo.write(HOOK, '{"hooks":{}}')
  repo.commit()
  const worker = await place.agent('ann', working('ann'))
  await place.task(worker, 'roof')
  await until(() => isDone(place, 'roof'))
  expect((await show(place, 'roof')).executions).toHaveLength(1)
})

test('a branch that brings agent configuration waits for trust, and holds up no other task', async () => {
  await using place = await yard()
  const { worker, not_started, workspace } = await untrustedBranch(place)
  expect(not_started).toContain(`toryo project trust --dir ${workspace?.path}`)
  expect(not_started).toContain(HOOK)
  await place.task(worker, 'door')
  await until(() => isDone(place, 'door'))
  expect((await show(place, 'roof')).executions).toMatchObject([{ status: 'error' }])
  // What waits for a person says what was seen and where: nothing else is trusted by it.
  const waiting = async () => (await place.hub.api('inbox.list', {})).items.filter(({ kind }) => kind === 'untrusted')
  const [item] = await waiting()
  expect(item).toMatchObject({
    title: workspace?.path,
    runner: null,
    files: [HOOK],
    item_id: expect.stringMatching(/:roof$/),
  })
  const trust = () =>
    place.hub.api('project.trust', { project_id: worker.projectId, from: item?.title, seen: item?.seen ?? '' })
  const file = path.join(workspace?.path ?? '', HOOK)
  fs.writeFileSync(file, '{"hooks":{"start":"other"}}')
  await expect(trust()).rejects.toThrow('not what was shown')
  fs.writeFileSync(file, '{"hooks":{}}')
  await trust()
  await until(() => isDone(place, 'roof'))
  expect(await waiting()).toEqual([])
})

test('configuration that was taken out again needs no trust', async () => {
  await using place = await yard()
  const { workspace } = await untrustedBranch(place)
  fs.rmSync(path.join(workspace?.path ?? '', HOOK))
  await until(() => isDone(place, 'roof'))
})

test('a Runner elsewhere is not offered work in workspaces, and people are told', async () => {
  await using place = await yard({ pace: { pollMs: 600_000 } } satisfies YardOptions)
  const { token } = await place.hub.api('runner.add', { name: 'far' })
  const worker = await inRepository(place, 'ann', working('ann'))
  // Its own engine: the hub's Runner does not have it.
  await place.hub.api('agent.add', { id: 'agt_far', name: 'far', engine: 'third' })
  await place.hub.api('project.assign', { project_id: worker.projectId, agent_id: 'agt_far' })
  const runner = await runnerAt(place.hub, token, path.join(place.hub.home, 'far'))
  runner.start()
  try {
    const task = { id: 'roof', project_id: worker.projectId, title: 'roof', assignee_id: 'agt_far' } as const
    await place.hub.api('task.add', { ...task, status: 'in_progress' })
    const told = await until(async () => {
      const { not_started } = await show(place, 'roof')
      return not_started?.includes('far is not') && not_started
    })
    expect(told).toContain("far is not the hub's own Runner, and workspaces are on the hub's machine")
    const { waiting } = await place.hub.api('runner.waiting', {})
    expect(waiting).toMatchObject([{ agent_id: 'agt_far', problem: told }])
    expect((await rowsOf(place.hub, 'instances'))['instances']).toEqual([])
  } finally {
    await runner.stop()
  }
})

test('of two hubs on one database one makes the workspace, and its Runner does the task once', async () => {
  await using place = await yard({ database: 'postgres' })
  await using beside = await yardBeside(place)
  const worker = await inRepository(place, 'ann', working('ann', ['append done.txt once']))
  const tasks = ['roof', 'door', 'wall']
  for (const id of tasks) await place.task(worker, id)
  await until(async () => (await Promise.all(tasks.map(id => isDone(beside, id)))).every(Boolean))
  for (const id of tasks) {
    const { workspace, executions } = await show(beside, id)
    expect(executions).toHaveLength(1)
    expect(fs.readFileSync(path.join(workspace?.path ?? '', 'done.txt'), 'utf8')).toBe('once\n')
  }
  expect((await rowsOf(place.hub, 'workspaces'))['workspaces']).toHaveLength(3)
})

test("another hub's workspace is left to that hub, and people are told where it is", async () => {
  await using hub = await testHub({ database: 'postgres' })
  const home = fs.mkdtempSync(path.join(hub.home, 'beside-'))
  await using beside = await testHub({ target: locate(hub.target.db, { env: { HOME: home, TORYO_HOME: home } }) })
  const repo = repositoryAt(path.join(hub.home, 'repo'))
  await hub.api('project.add', { id: 'shop', name: 'shop', directory: repo.root })
  const { passkey } = await hub.api('agent.add', { id: 'one', name: 'one', engine: 'claude' })
  await hub.api('project.assign', { project_id: 'shop', agent_id: 'one' })
  const task = { id: 't1', project_id: 'shop', title: 'roof', assignee_id: 'one', status: 'in_progress' } as const
  await hub.api('task.add', task)
  const take = async (at: typeof hub) => {
    const connection = await at.connect()
    const token = await connection.signIn('one', passkey, 'shop')
    const { body } = await connection.call('get_my_task', { session_token: token })
    await connection.call('logout', { session_token: token })
    return body
  }
  const first = await take(hub)
  const { working_directory: folder } = first['task'] as { working_directory: string }
  const elsewhere = `The workspace of shop-1 belongs to another hub, in ${folder}; work on it there, or begin afresh here with \`toryo task start shop-1 --here\`.`
  expect(await take(beside)).toMatchObject({ code: 'WORKSPACE_ELSEWHERE', error: elsewhere })
  expect((await beside.api('task.show', { task_id: 't1' })).not_started).toBe(elsewhere)
  expect((await hub.api('task.show', { task_id: 't1' })).not_started).not.toBe(elsewhere)
  expect((await beside.call('should_start', { agent_id: 'one', project_id: 'shop' })).body).toEqual({
    should_start: false,
    reason: 'workspace_elsewhere',
  })
  expect((await rowsOf(hub, 'workspaces'))['workspaces']).toHaveLength(1)
})
