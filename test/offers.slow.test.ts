// What each kind of connection is offered: few tools by default, more where it was given more, and instructions that name no other.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import { GIVEN_TOOLSETS, type GivenToolset } from '#contract/toolsets.ts'
import { tools } from '#hub/tools.gen.ts'
import { formsOf, type Tool } from '#kernel/tool.ts'
import { kickPrompt } from '#runner/kick-prompt.ts'
import { crewOn, scriptedConfig } from './crews.ts'
import type { TestConnection, TestHub } from './hub.ts'
import { until } from './until.ts'
import { launch, TabShop } from './tabs.ts'

const MOST = 20
/** Of the list that a started program gets, on the wire: at most 20 tools of 190 tokens, and what frames them. */
const LIST_BYTES = 16_500
const MEMORY = ['add-decision', 'add-log', 'add-topic', 'get-decisions', 'get-logs', 'recall']
const PHASES = ['get_phase_context', 'inject_phase_prompt', 'save_phase_result', 'transition_to_next_phase']
const TABS = tools.flatMap(({ toolset, name }) => (toolset === 'tabs' ? [name] : []))
const DEFAULTS = {
  instance: [
    ...['authenticate', 'get_my_task', 'report_completed', 'save_context', 'get_task_context', 'get_task'],
    ...['create_handoff', 'accept_handoff', 'get_pending_handoffs', 'list_agents'],
    ...MEMORY,
    ...PHASES,
  ],
  run: ['report_result', ...MEMORY, ...PHASES],
  'run outside of projects': ['report_result'],
  tab: [...TABS, ...MEMORY, ...PHASES],
  'registered bridge': TABS,
} satisfies Record<string, string[]>
type Kind = keyof typeof DEFAULTS
const KINDS = Object.keys(DEFAULTS) as Kind[]

const { engines, roles } = scriptedConfig()
const worker = { ...roles[0] }
let shop: TabShop
let hub: TestHub

/** The role, the tabs and the registered bridge are given these; agents say it themselves. */
function configure(given: readonly string[] = []): void {
  const [first = {}, ...others] = [{ ...worker, toolsets: given }, ...roles.slice(1)]
  shop.configure(
    { runs: 1000, startsPerMinute: 1000 },
    { roles: [first, ...others], tabs: { toolsets: given }, registration: { toolsets: given } },
  )
}

async function configured(given: readonly string[]): Promise<void> {
  configure(given)
  // Not by the registered bridge's: those have `tabs` before and after.
  const ofTabs = () => hub.running.hub.toolsets.given({ kind: 'tab', tabId: '', projectId: '', depth: 1 } as Caller)
  await until(async () => (await ofTabs()).join() === given.join())
}

beforeAll(async () => {
  shop = new TabShop({ config: { engines, roles: [worker] } })
  configure()
  hub = await shop.hub()
})
afterAll(() => shop[Symbol.asyncDispose]())

let agents = 0
const credentials: Record<Kind, (given: readonly string[]) => Promise<string>> = {
  async instance(given) {
    const toolsets = given as GivenToolset[]
    const agent = await hub.api('agent.add', { name: `Agent ${++agents}`, engine: 'scripted', toolsets })
    await hub.api('project.assign', { project_id: shop.projectId, agent_id: agent.agent_id })
    const task = { project_id: shop.projectId, title: 'roof', assignee_id: agent.agent_id }
    await hub.api('task.add', { ...task, status: 'in_progress' })
    const { body } = await hub.call('should_start', { agent_id: agent.agent_id, project_id: shop.projectId })
    return String(body['ticket'])
  },
  run: once(() => ticketOfRun(shop.repository)),
  'run outside of projects': once(() => ticketOfRun(shop.home)),
  tab: once(async () => {
    const tab = await launch(hub, 'roof')
    return fs.readFileSync(path.join(shop.home, 'toryo', 'tabs', tab, 'ticket'), 'utf8').trim()
  }),
  'registered bridge': async () => hub.token,
}

/** One process is enough: its connection comes back, and is offered what it would be offered then. */
function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined
  return () => (made ??= make())
}

async function ticketOfRun(folder: string): Promise<string> {
  const crew = crewOn(hub, folder)
  const [id = ''] = await crew.start('!ticket\n!hang')
  const state = await crew.until(id, now => String(now['lastMessage']).startsWith('rtk_'))
  return String(state['lastMessage'])
}

async function open(kind: Kind, given: readonly string[] = [], lang: Lang = 'en', toolsets = '') {
  const credential = await credentials[kind](given)
  // A ticket belongs to its first connection.
  const secret = kind === 'registered bridge' ? undefined : `of ${credential}`
  return hub.connect({
    credential,
    toolsets,
    lang,
    registered: kind === 'registered bridge',
    ...(secret && { secret }),
  })
}

async function offered({ client }: TestConnection): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).toSorted()
}

/** All names of tools in a text. */
function named(text: string): string[] {
  const known = new Set(tools.map(({ name }) => name))
  return [...new Set(text.match(/[a-z]+(?:[_-][a-z]+)*/g))].filter(word => known.has(word))
}

describe.each(KINDS)('%s', kind => {
  test(`is offered the tools of its own work, at most ${MOST}, and calls no others`, async () => {
    const connection = await open(kind)
    const list = await offered(connection)
    expect(list).toEqual(DEFAULTS[kind].toSorted())
    expect(list.length).toBeLessThanOrEqual(MOST)
    const other = tools.find(({ name }) => !list.includes(name))?.name ?? ''
    await expect(connection.client.callTool({ name: other, arguments: {} })).rejects.toMatchObject({
      message: expect.stringContaining(`Unknown tool: ${other}`),
    })
    const { tools: shown } = await connection.client.listTools()
    expect(Buffer.byteLength(JSON.stringify({ tools: shown }))).toBeLessThan(LIST_BYTES)
    // What a tool says of itself sends the model to no tool that is not there.
    for (const tool of shown)
      expect({ of: tool.name, named: named(`${tool.description} ${JSON.stringify(tool.inputSchema)}`) }).toEqual({
        of: tool.name,
        named: expect.toSatisfy((names: string[]) => names.every(name => list.includes(name))),
      })
  })

  test('has neither resources nor prompts, and does not say that it has', async () => {
    const { client } = await open(kind)
    expect(client.getServerCapabilities()).toEqual({ tools: expect.anything() })
  })

  test.each(['en', 'ja'] as const)('is instructed (%s) in under 2 kB, about the tools it has', async lang => {
    const connection = await open(kind, [], lang)
    const instructions = connection.client.getInstructions() ?? ''
    expect(Buffer.byteLength(instructions)).toBeLessThan(2048)
    const list = await offered(connection)
    expect(named(instructions).filter(name => !list.includes(name))).toEqual([])
    const own = { instance: 'report_completed', run: 'report_result', 'run outside of projects': 'report_result' }
    expect(instructions).toContain({ ...own, tab: 'gwt_read_messages', 'registered bridge': 'gwt_list_tabs' }[kind])
    for (const tool of ['recall', 'add-topic', 'add-log', 'add-decision'])
      expect(instructions.includes(tool), tool).toBe(list.includes(tool))
    if (list.includes('recall')) expect(instructions).toContain(shop.projectId)
  })
})

describe('given more', () => {
  test.each(GIVEN_TOOLSETS)('the toolset %s adds exactly its tools', async toolset => {
    await configured([toolset])
    for (const kind of KINDS) {
      const caller = { instance: 'agent', tab: 'tab', 'registered bridge': 'operator' }[kind as string] ?? 'run'
      const added = (tools as Tool<never>[])
        .flatMap(formsOf)
        .filter(tool => tool.toolset === toolset && (tool.callers as string[]).includes(caller))
      const wanted = new Set([...DEFAULTS[kind], ...added.map(({ name }) => name)])
      const connection = await open(kind, [toolset])
      const list = await offered(connection)
      expect({ kind, list }).toEqual({ kind, list: [...wanted].toSorted() })
      const instructions = connection.client.getInstructions() ?? ''
      expect(Buffer.byteLength(instructions)).toBeLessThan(2048)
      expect(named(instructions).filter(name => !list.includes(name))).toEqual([])
      // Resources and prompts belong to projects.
      const { resources, prompts } = connection.client.getServerCapabilities() ?? {}
      expect([resources !== undefined, prompts !== undefined]).toEqual([toolset === 'projects', toolset === 'projects'])
    }
    await configured([])
  })

  test('everything: instructions stay under 2 kB in both languages', async () => {
    await configured(GIVEN_TOOLSETS)
    for (const kind of KINDS)
      for (const lang of ['en', 'ja'] as const) {
        const { client } = await open(kind, GIVEN_TOOLSETS, lang)
        expect({ kind, lang, bytes: Buffer.byteLength(client.getInstructions() ?? '') }).toMatchObject({
          bytes: expect.toSatisfy((bytes: number) => bytes < 2048),
        })
      }
    await configured([])
  })

  test('a started program cannot take more by asking for it, only less', async () => {
    const everything = 'runner,agent,projects,planning,legacy,crews,phases,memory,tabs'
    for (const kind of ['instance', 'run', 'tab'] as const) {
      expect(await offered(await open(kind, [], 'en', everything))).toEqual(DEFAULTS[kind].toSorted())
      expect(await offered(await open(kind, [], 'en', 'memory'))).toEqual(MEMORY)
    }
  })
})

test('an instance is shown the same before and after it signs in', async () => {
  const connection = await open('instance')
  const before = await offered(connection)
  const { agents: added } = await hub.api('agent.list', {})
  const agent_id = added.find(({ name }) => name === `Agent ${agents}`)?.agent_id
  const { isError } = await connection.call('authenticate', { agent_id, project_id: shop.projectId })
  expect(isError).toBe(false)
  expect(await offered(connection)).toEqual(before)
})

test('an error sends nobody to a tool that is not there', async () => {
  const instance = await open('instance')
  const unknown = { project_id: 'prj_none', query: 'roof' }
  const { body } = await instance.call('get_task', { task_id: 'tsk_none' })
  expect(JSON.stringify(body)).not.toContain('list_tasks')
  const operator = await hub.call('get_task', { task_id: 'tsk_none' })
  expect(operator.body).toMatchObject({ error: 'Task tsk_none not found. Use list_tasks to list them.' })
  const inTab = await open('tab')
  const recalled = await inTab.call('recall', unknown)
  expect(recalled.isError).toBe(true)
  expect(recalled.text).not.toContain('list_projects')
})

test('what started programs are told at their start names only tools that they have, memory among them', async () => {
  const kick = { agentId: 'a', agentName: 'A', projectId: 'p', projectName: 'P', systemPrompt: '' }
  for (const lang of ['en', 'ja'] as const) {
    const told = named(kickPrompt(kick, lang))
    expect(told.filter(name => !DEFAULTS.instance.includes(name))).toEqual([])
    expect(told).toEqual(expect.arrayContaining(['recall', 'add-topic', 'add-log', 'add-decision', 'report_completed']))
  }
  const prompt = async (folder: string) => {
    const crew = crewOn(hub, folder)
    const [id = ''] = await crew.start('!prompt')
    const [state] = await crew.ended(id)
    return String(state?.['lastMessage'])
  }
  const inProject = await prompt(shop.repository)
  expect(named(inProject)).toEqual(['recall', 'add-decision', 'add-log', 'add-topic', 'report_result'])
  expect(inProject).toContain(shop.projectId)
  expect(named(await prompt(shop.home))).toEqual(['report_result'])
})

describe.each(['en', 'ja'] as const)('an operator (%s)', lang => {
  test.each(['', ...GIVEN_TOOLSETS, 'agent,projects', 'memory,tabs', 'crews,phases'])(
    'with the toolsets "%s" is instructed in under 2 kB, about the tools there are',
    async toolsets => {
      const connection = await hub.connect({ toolsets, lang })
      const instructions = connection.client.getInstructions() ?? ''
      const list = await offered(connection)
      expect(Buffer.byteLength(instructions)).toBeLessThan(2048)
      expect(named(instructions).filter(name => !list.includes(name))).toEqual([])
      for (const name of [
        'recall',
        'add-decision',
        'gwt_list_tabs',
        'run_agents',
        'inject_phase_prompt',
        'get_my_task',
      ])
        expect({ name, isNamed: instructions.includes(name) }).toEqual({ name, isNamed: list.includes(name) })
    },
  )
})
