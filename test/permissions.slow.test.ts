// What an agent starts may do no more than the agent itself, however it is started and however many are in between.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { GivenToolset } from '#contract/toolsets.ts'
import { crewOn, scriptedConfig } from './crews.ts'
import { databases, type TestConnection, type TestHub } from './hub.ts'
import { callBy, eventsOf, rowsOf } from './scene.ts'
import { answer, launch, TabShop } from './tabs.ts'
import { until } from './until.ts'

const PERMISSIONS = ['read', 'edit', 'full'] as const
type Permission = (typeof PERMISSIONS)[number]

const toolsets: GivenToolset[] = ['agent', 'crews', 'tabs']

/** A role for each permission, of the same name; what it starts may start others. */
function configuration(extra: object = {}) {
  const { engines } = scriptedConfig()
  const roles = PERMISSIONS.map(permission => ({
    id: permission,
    engine: 'scripted',
    model: 'small',
    permission,
    toolsets,
  }))
  return { engines, roles, tabs: { toolsets: toolsets }, ...extra }
}

const limits = { depth: 5, runs: 100, tabs: 20 }

/** A run that has done nothing yet but to say its ticket, and a connection that speaks for it. */
async function asRun(shop: TabShop, hub: TestHub, role: Permission, by: TestHub | TestConnection = hub) {
  const crew = crewOn(hub, shop.repository, by)
  const [id = ''] = await crew.start({ role, prompt: '!ticket\n!hang' })
  const watched = crewOn(hub, shop.repository)
  const said = await watched.until(id, state => String(state['lastMessage']).startsWith('rtk_'))
  return hub.connect({ credential: String(said['lastMessage']), directory: shop.repository })
}

function asTab(shop: TabShop, hub: TestHub, tab: string): Promise<TestConnection> {
  const ticket = fs.readFileSync(path.join(shop.home, 'toryo', 'tabs', tab, 'ticket'), 'utf8')
  return hub.connect({ credential: ticket, directory: shop.repository })
}

/** What becomes of starting a run of this role, and a plan with one of it in its second stage. */
async function starting(by: TestConnection | TestHub, shop: TabShop, role: string): Promise<string[]> {
  const group = async (mode: string) => (await by.call('create_group', { description: 'd', mode })).body['groupId']
  const agent = (named: string) => ({ role: named, prompt: '!say hello', workingDirectory: shop.repository })
  const side = await by.call('run_agents', { groupId: await group('concurrent'), agents: [agent(role)] })
  const stages = [{ tasks: [agent('read')] }, { tasks: [agent(role)] }]
  const plan = await by.call('run_sequential', { groupId: await group('sequential'), stages })
  return [side, plan].map(({ body, isError }) => (isError ? String(body['code']) : 'ok'))
}

const OK = ['ok', 'ok']
const REFUSED = ['PERMISSION_EXCEEDED', 'PERMISSION_EXCEEDED']

test.each(databases)('a run starts runs and plans with its own permission at most (%s)', async database => {
  await using shop = new TabShop({ database, config: configuration(), limits })
  const hub = await shop.hub()
  for (const [own, mine] of PERMISSIONS.entries()) {
    const run = await asRun(shop, hub, PERMISSIONS[own] as Permission)
    for (const [wanted, role] of PERMISSIONS.entries())
      expect([mine, role, ...(await starting(run, shop, role))]).toEqual([mine, role, ...(wanted > own ? REFUSED : OK)])
  }
  const reader = await asRun(shop, hub, 'read')
  const { groupId } = (await reader.call('create_group', { description: 'd' })).body
  const before = (await rowsOf(hub, 'runs'))['runs']?.length
  const agents = ['read', 'full'].map(role => ({ role, prompt: 'x', workingDirectory: shop.repository }))
  const { body } = await reader.call('run_agents', { groupId, agents })
  expect(body).toEqual({
    error: true,
    code: 'PERMISSION_EXCEEDED',
    message:
      'Role full has the permission full, and you were started with read: what you start may do no more than you. Choose a role with less (list_roles shows them), or ask the operator to start it.',
  })
  // Not one of them, and it is on record.
  const rows = await rowsOf(hub)
  expect(rows['runs']).toHaveLength(before ?? 0)
  expect(eventsOf(rows, 'call.refused').at(-1)).toMatchObject({ tool: 'run_agents', code: 'PERMISSION_EXCEEDED' })
  const { roles } = (await reader.call('list_roles')).body as { roles: { id: string; permission: string }[] }
  for (const role of roles.filter(({ id }) => (PERMISSIONS as readonly string[]).includes(id)))
    expect(role.permission).toBe(role.id)
})

test('it holds through a chain, whatever the configuration says of the roles by then', async () => {
  await using shop = new TabShop({ config: configuration(), limits })
  const hub = await shop.hub()
  const first = await asRun(shop, hub, 'edit')
  const second = await asRun(shop, hub, 'edit', first)
  const third = await asRun(shop, hub, 'read', second)
  expect(await starting(second, shop, 'full')).toEqual(REFUSED)
  expect(await starting(third, shop, 'edit')).toEqual(REFUSED)

  // A run has what it was started with, not what its role would have now.
  const { engines } = configuration()
  const roles = ['read', 'edit', 'full'].map(id => ({
    id,
    engine: 'scripted',
    model: 'small',
    permission: 'full',
    toolsets,
  }))
  const config = JSON.parse(fs.readFileSync(shop.config, 'utf8')) as { engines: object }
  fs.writeFileSync(shop.config, JSON.stringify({ ...config, engines: { ...config.engines, ...engines }, roles }))
  await until(async () => {
    const listed = (await hub.call('list_roles')).body['roles'] as { id: string; permission?: string }[]
    return listed.find(({ id }) => id === 'read')?.permission === 'full'
  })
  for (const run of [first, second, third]) expect((await starting(run, shop, 'full'))[0]).toBe('PERMISSION_EXCEEDED')
})

test.each(databases)('a tab is no way around it, nor is a new hub (%s)', async database => {
  await using shop = new TabShop({ database, config: configuration(), limits })
  const hub = await shop.hub()
  const reader = await asRun(shop, hub, 'read')
  const refused = await reader.call('gwt_launch_agent', { agent_id: 'tui', branch: 'by-reader' })
  expect(refused.body).toEqual({
    error: true,
    code: 'PERMISSION_EXCEEDED',
    message:
      'A tab has the permission edit, and you were started with read: what you start may do no more than you. Ask the operator to launch it.',
  })
  expect((await rowsOf(hub, 'tabs'))['tabs']).toEqual([])
  const worker = await asRun(shop, hub, 'edit')
  const tab = await launch(worker, 'by-worker')
  const inTab = await asTab(shop, hub, tab)
  expect(await starting(inTab, shop, 'edit')).toEqual(OK)
  expect(await starting(inTab, shop, 'full')).toEqual(REFUSED)
  expect((await rowsOf(hub, 'tabs'))['tabs']).toMatchObject([{ id: tab, permission: 'own' }])

  const nested = await launch(inTab, 'by-tab')
  const { secret } = await asTab(shop, hub, nested)
  const ticket = fs.readFileSync(path.join(shop.home, 'toryo', 'tabs', nested, 'ticket'), 'utf8')
  await hub.running.stop(true)
  const next = await shop.hub()
  const back = await next.connect({ credential: ticket, secret, framesBefore: 100 })
  expect(await starting(back, shop, 'full')).toEqual(REFUSED)
  expect(await starting(next, shop, 'full')).toEqual(OK)
})

test.each(databases)('what a tab may do without asking is the person’s to say (%s)', async database => {
  await using shop = new TabShop({ database, config: configuration(), limits })
  const hub = await shop.hub()
  const wish = { engine: 'tui', project_id: shop.projectId }
  const free = await hub.api('tab.launch', { ...wish, branch: 'free', permission: 'full' })
  expect(free).toMatchObject({ permission: 'full' })
  expect(await starting(await asTab(shop, hub, free.tab_id), shop, 'full')).toEqual(OK)
  const looking = await hub.api('tab.launch', { ...wish, branch: 'looking', permission: 'read' })
  expect(await starting(await asTab(shop, hub, looking.tab_id), shop, 'edit')).toEqual(REFUSED)

  const own = await launch(hub, 'own')
  expect(answer(await hub.call('gwt_get_tab_info', { tab_id: own }))['permission']).toBe('own')
  const operation = (await hub.running.hub.operations()).find('tab.launch', { toolsets: ['api'] })
  if (!operation) throw new Error('there is no tab.launch')
  const caller = { kind: 'tab', tabId: own, projectId: shop.projectId, depth: 1 } as Caller
  for (const permission of ['own', 'read', 'edit', 'full']) {
    const input = { ...wish, branch: `of-tab-${permission}`, permission }
    const outcome = await hub.running.hub.invoker.invoke(operation, input, callBy(caller))
    expect(outcome.ok ? 'ok' : outcome.error.code).toBe('NOT_ALLOWED')
  }

  // Or once for all of them, in the person's own configuration file.
  shop.configure(limits, { tabs: { permission: 'edit' } })
  const permissionOfNext = async (n: number) => {
    const { permission } = await hub.api('tab.launch', { ...wish, branch: `next-${n}` })
    return permission
  }
  let n = 0
  await until(async () => (await permissionOfNext(n++)) === 'edit')
})

test.each(databases)(
  'nor is signing in as an agent, and what a Runner starts has the permission edit (%s)',
  async database => {
    await using shop = new TabShop({ database, config: configuration(), limits })
    const hub = await shop.hub()
    const { passkey } = await hub.api('agent.add', { id: 'agt_a', name: 'a', engine: 'claude', toolsets })
    const pair = { agent_id: 'agt_a', project_id: shop.projectId }
    await hub.api('project.assign', pair)
    await hub.api('task.add', { project_id: shop.projectId, title: 't', assignee_id: 'agt_a', status: 'in_progress' })

    const start = await hub.call('should_start', pair)
    const instance = await hub.connect({ credential: String(start.body['ticket']), directory: shop.repository })
    const { session_token } = (await instance.call('authenticate', pair)).body
    expect(await starting(instance, shop, 'edit')).toEqual(OK)
    expect(await starting(instance, shop, 'full')).toEqual(REFUSED)
    expect((await rowsOf(hub, 'instances'))['instances']).toMatchObject([{ permission: 'edit' }])
    await instance.call('logout', { session_token })

    const reader = await asRun(shop, hub, 'read')
    const signedIn = await reader.signIn('agt_a', passkey, shop.projectId)
    expect(await starting(reader, shop, 'edit')).toEqual(REFUSED)
    await reader.call('logout', { session_token: signedIn })

    // A program that a person started has a permission that only that person knows.
    const byHand = await hub.connect({ directory: shop.repository })
    await byHand.signIn('agt_a', passkey, shop.projectId)
    expect(await starting(byHand, shop, 'full')).toEqual(OK)
  },
)

test.each(databases)(
  'a child stays in the project of its parent, also in a folder that is another one’s (%s)',
  async database => {
    await using shop = new TabShop({ database, config: configuration(), limits })
    const hub = await shop.hub()
    const inner = path.join(shop.repository, 'inner')
    fs.mkdirSync(inner)
    const outside = path.join(shop.home, 'outside')
    fs.mkdirSync(outside)
    const { passkey } = await hub.api('agent.add', { id: 'agt_a', name: 'a', engine: 'claude' })
    await hub.api('project.assign', { agent_id: 'agt_a', project_id: shop.projectId })
    const homeless = await hub.call('create_group', { description: 'd' })
    const { body } = await hub.call('run_agents', {
      groupId: homeless.body['groupId'],
      agents: [{ role: 'edit', prompt: '!ticket\n!hang', workingDirectory: outside }],
    })
    const [{ agentId } = { agentId: '' }] = body['agents'] as { agentId: string }[]
    const said = await crewOn(hub, outside).until(agentId, state => String(state['lastMessage']).startsWith('rtk_'))
    const stray = await hub.connect({ credential: String(said['lastMessage']) })
    await hub.api('project.add', { id: 'prj_inner', name: 'inner', directory: inner })
    await hub.api('project.add', { id: 'prj_outside', name: 'outside', directory: outside })

    const agent = await hub.connect({ directory: shop.repository })
    await agent.signIn('agt_a', passkey, shop.projectId)
    const projectOf = async (by: TestConnection, workingDirectory: string) => {
      const { groupId } = (await by.call('create_group', { description: 'd' })).body
      const started = await by.call('run_agents', {
        groupId,
        agents: [{ role: 'edit', prompt: 'x', workingDirectory }],
      })
      const id = (started.body['agents'] as { agentId: string }[])[0]?.agentId
      return (await rowsOf(hub, 'runs'))['runs']?.find(run => run['id'] === id)?.['project_id']
    }
    expect(await projectOf(agent, inner)).toBe(shop.projectId)
    expect(await projectOf(stray, outside)).toBe(null)
  },
)
