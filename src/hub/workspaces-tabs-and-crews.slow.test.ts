// Tabs and crews that work on a task do so in its workspace.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ApiOutput } from '#contract/api.ts'
import { scriptedConfig } from '#test/crews.ts'
import { databases, type TestHub } from '#test/hub.ts'
import { rowsOf } from '#test/scene.ts'
import { TabShop, type TabsOptions } from '#test/tabs.ts'
import { until } from '#test/until.ts'

const READER = { id: 'reader', engine: 'scripted', model: 'small', instructions: 'You read.', permission: 'read' }

function shopOf(options: TabsOptions = {}): TabShop {
  const { engines, roles } = scriptedConfig()
  return new TabShop({ ...options, config: { engines, roles: [...roles, READER] } })
}

async function withTask(shop: TabShop): Promise<TestHub> {
  const hub = await shop.hub()
  await hub.api('agent.add', { id: 'ann', name: 'ann', engine: 'claude' })
  await hub.api('project.assign', { project_id: shop.projectId, agent_id: 'ann' })
  const task = { id: 't1', project_id: shop.projectId, title: 'Build a roof', description: 'With tiles.' } as const
  await hub.api('task.add', { ...task, status: 'in_progress', assignee_id: 'ann' })
  return hub
}

async function refusal(hub: TestHub, operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
  expect(response.ok).toBe(false)
  return ((await response.json()) as { error: Record<string, unknown> }).error
}

const shown = (hub: TestHub) => hub.api('task.show', { task_id: 't1' })
const launch = { engine: 'tui', task_id: 't1' }
const crew = (roles: string[], prompt: string) => ({
  mode: 'concurrent' as const,
  stages: [{ tasks: roles.map(role => ({ role, prompt })) }],
  task_id: 't1',
})

async function ended(hub: TestHub, crewId: string): Promise<ApiOutput<'crew.show'>> {
  return until(async () => {
    const now = await hub.api('crew.show', { crew_id: crewId })
    return now.runs.every(run => run.ended_at !== null) && now
  })
}

test.each(databases)(
  'a tab for a task works in its workspace, is told the task, and keeps others out (%s)',
  async database => {
    await using shop = shopOf({ database })
    const hub = await withTask(shop)
    const tab = await hub.api('tab.launch', launch)
    expect(tab).toMatchObject({ task: 'tabs-1', branch: 'toryo/tabs-1-build-a-roof', project_id: shop.projectId })
    const { workspace, not_started } = await shown(hub)
    expect(workspace).toMatchObject({ path: tab.worktree_path, branch: tab.branch, base: 'main', holder: tab.tab_id })
    expect(not_started).toContain(`The tab ${tab.branch} works in the workspace of tabs-1`)
    expect((await hub.api('tab.list', {})).tabs).toMatchObject([{ tab_id: tab.tab_id, task: 'tabs-1' }])
    const [start] = await until(() => {
      const starts = shop.notesOf<{ env: Record<string, string>; cwd: string }>(tab.tab_id, 'start')
      return starts.length > 0 && starts
    })
    expect(start?.cwd ?? workspace?.path).toBe(workspace?.path)
    await until(() => shop.lines(tab.tab_id).some(line => line.includes('tabs-1: Build a roof')))

    const busy = { code: 'WORKSPACE_BUSY' }
    expect(await refusal(hub, 'tab.launch', launch)).toMatchObject(busy)
    const byBranch = { engine: 'tui', branch: tab.branch, project_id: shop.projectId }
    expect(await refusal(hub, 'tab.launch', byBranch)).toMatchObject(busy)
    expect(await refusal(hub, 'crew.run', crew(['worker'], '!say x'))).toMatchObject(busy)
    expect((await hub.call('should_start', { agent_id: 'ann', project_id: shop.projectId })).body).toEqual({
      should_start: false,
      reason: 'workspace_busy',
    })
    const reading = await hub.api('crew.run', crew(['reader', 'reader'], '!say read'))
    await ended(hub, reading.crew.crew_id)
    await hub.api('tab.stop', { tab_id: tab.tab_id })
    await until(async () => (await shown(hub)).workspace?.holder === null)
    expect(await shown(hub)).toMatchObject({ workspace: { path: workspace?.path } })
  },
)

test.each(databases)(
  'a crew for a task works in its workspace, and one of it at a time may write (%s)',
  async database => {
    await using shop = shopOf({ database })
    const hub = await withTask(shop)
    const before = (await rowsOf(hub, 'runs'))['runs']
    expect(await refusal(hub, 'crew.run', crew(['worker', 'worker'], '!say x'))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('one run at a time may change files'),
    })
    expect((await rowsOf(hub, 'runs'))['runs']).toEqual(before)
    const gate = path.join(shop.home, 'gate')
    const steps = `!shell env > env.txt; pwd > pwd.txt\n!wait ${gate}`
    const { crew: begun, runs } = await hub.api('crew.run', crew(['worker'], steps))
    const runId = runs[0]?.run_id
    expect((await rowsOf(hub, 'runs'))['runs']).toMatchObject([
      { id: runId, task_id: 't1', project_id: shop.projectId },
    ])
    expect((await shown(hub)).workspace).toMatchObject({ holder: runId })
    // Executions are the agents' own.
    expect((await shown(hub)).executions).toEqual([])
    expect(await refusal(hub, 'tab.launch', launch)).toMatchObject({ code: 'WORKSPACE_BUSY' })
    fs.writeFileSync(gate, '')
    await ended(hub, begun.crew_id)
    const { workspace } = await shown(hub)
    expect(workspace).toMatchObject({ holder: null, branch: 'toryo/tabs-1-build-a-roof' })
    const read = (name: string) => fs.readFileSync(path.join(workspace?.path ?? '', name), 'utf8')
    expect(read('pwd.txt').trim()).toBe(workspace?.path)
    expect(read('env.txt')).toContain('TORYO_TASK=tabs-1\n')
    expect(read('env.txt')).toContain(`TORYO_PORT=${workspace?.ports.from}\n`)
  },
)

test('of two that start at once one works there', async () => {
  await using shop = shopOf()
  const hub = await withTask(shop)
  const post = (operation: string, input: object) =>
    hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) }).then(answer => answer.ok)
  const claim = hub
    .call('should_start', { agent_id: 'ann', project_id: shop.projectId })
    .then(({ body }) => body['should_start'])
  const gate = path.join(shop.home, 'gate')
  const all = await Promise.all([
    post('tab.launch', launch),
    post('crew.run', crew(['worker'], `!wait ${gate}`)),
    claim,
  ])
  expect(all.filter(Boolean)).toHaveLength(1)
  fs.writeFileSync(gate, '')
})

test('a task without a workspace is refused, and says what to do', async () => {
  await using shop = shopOf()
  const hub = await withTask(shop)
  await hub.api('project.edit', { project_id: shop.projectId, workspace: 'folder', accept: 'report' })
  const refused = {
    code: 'NO_WORKSPACE',
    message: expect.stringContaining('`toryo project edit --workspace task` gives each task one'),
  }
  expect(await refusal(hub, 'tab.launch', launch)).toMatchObject(refused)
  expect(await refusal(hub, 'crew.run', crew(['worker'], '!say x'))).toMatchObject(refused)
  expect(await refusal(hub, 'tab.launch', { engine: 'tui', project_id: shop.projectId })).toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
  expect(await refusal(hub, 'crew.run', { ...crew(['worker'], 'x'), task_id: undefined })).toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
})

test('changes that are wanted are told to the tab that is open on the task', async () => {
  await using shop = shopOf()
  const hub = await shop.hub()
  const { passkey } = await hub.api('agent.add', { id: 'ann', name: 'ann', engine: 'claude' })
  await hub.api('project.assign', { project_id: shop.projectId, agent_id: 'ann' })
  await hub.api('project.edit', { project_id: shop.projectId, workspace: 'task', accept: 'person' })
  const task = { id: 't1', project_id: shop.projectId, title: 'Build a roof' } as const
  await hub.api('task.add', { ...task, status: 'in_progress', assignee_id: 'ann' })
  const report = async () => {
    const agent = await hub.connect()
    const session_token = await agent.signIn('ann', passkey, shop.projectId)
    await agent.call('get_my_task', { session_token })
    await agent.call('report_completed', { session_token, result: 'success' })
    await agent.close()
    await until(async () => (await shown(hub)).stage === 'review')
  }
  await report()
  const { tab_id } = await hub.api('tab.launch', launch)
  await hub.api('task.comment', { task_id: 't1', path: 'roof.ts', from_line: 3, to_line: 4, text: 'Use slate' })
  await hub.api('task.verdict', { task_id: 't1', decision: 'changes', summary: 'Not waterproof' })
  const told = 'operator wants changes on tabs-1: Not waterproof | roof.ts:3-4: Use slate'
  await until(() => shop.lines(tab_id).some(line => line.includes(told)))
})
