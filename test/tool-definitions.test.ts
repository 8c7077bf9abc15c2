// What models see of the tools: true, short, and changed only on purpose (UPDATE=1 accepts a change).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tools } from '#hub/tools.gen.ts'
import { formsOf, type ListedTool, listed, type Tool } from '#kernel/tool.ts'
import { parseToolsets } from '#transports/mcp/toolsets.ts'
import { testHub } from './hub.ts'
import { onStage } from './scene.ts'

const snapshots = path.join(import.meta.dirname, 'snapshots')
const definitions = (tools as Tool<never>[]).flatMap(formsOf).map(tool => ({ tool, seen: listed(tool) }))
/** A tool of several toolsets has several forms. */
const fileOf = ({ tool, seen }: (typeof definitions)[number]) => {
  const { also } = (tools as Tool<never>[]).find(({ name }) => name === seen.name) ?? tool
  if (!also) return `${seen.name}.json`
  const toolsets = also.find(form => form.tool === tool)?.toolsets ?? [tool.toolset]
  return `${seen.name}.${toolsets.join('-')}.json`
}

const CONTRACT: Record<string, string[]> = {
  runner: ['health_check', 'list_active_projects_with_agents', 'should_start'],
  agent: ['authenticate', 'get_my_task', 'logout', 'report_completed'],
  projects: [
    'accept_handoff',
    'assign_task',
    'create_handoff',
    'get_agent_profile',
    'get_execution_log',
    'get_pending_handoffs',
    'get_project',
    'get_task',
    'get_task_context',
    'list_agents',
    'list_execution_logs',
    'list_projects',
    'list_tasks',
    'save_context',
    'update_task_status',
  ],
  crews: [
    'create_group',
    'delete_group',
    'get_agent_status',
    'list_agents',
    'list_roles',
    'report_result',
    'run_agents',
    'run_sequential',
    'stop_agent',
    'wait_agent',
  ],
  planning: ['create_task', 'link_tasks', 'list_agents', 'update_task'],
  legacy: ['get_pending_tasks', 'report_execution_complete', 'report_execution_start'],
  memory: [
    'add-decision',
    'add-log',
    'add-project',
    'add-topic',
    'get-decided-topics',
    'get-decisions',
    'get-logs',
    'get-projects',
    'get-topic-tree',
    'get-topics',
    'get-undecided-topics',
    'recall',
    'search-decisions',
    'search-topics',
  ],
  tabs: [
    'gwt_broadcast_message',
    'gwt_get_changed_files',
    'gwt_get_tab_info',
    'gwt_get_worktree_diff',
    'gwt_launch_agent',
    'gwt_list_tabs',
    'gwt_read_messages',
    'gwt_send_message',
    'gwt_stop_tab',
  ],
  phases: ['get_phase_context', 'inject_phase_prompt', 'save_phase_result', 'transition_to_next_phase'],
}

test.each(Object.entries(CONTRACT))('the toolset %s has the tools of the contract', (toolset, names) => {
  const found = definitions.filter(({ tool }) => tool.toolset === toolset).map(({ tool }) => tool.name)
  expect([...new Set(found)].sort()).toEqual(names)
})

test.each(definitions.map(({ tool, seen }) => [tool.name, tool, seen] as const))(
  '%s is defined in full',
  (_, tool, seen) => {
    expect(seen.name).toMatch(/^[a-z_-]{1,48}$/)
    expect(seen.title.length).toBeGreaterThan(3)
    expect(seen.description).toMatch(/^[A-Z].*\.$/)
    expect(seen.description.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(2)
    expect(seen.inputSchema['type']).toBe('object')
    // Where the answer is prose, there is no schema of it.
    expect(seen.outputSchema?.['type']).toBe(tool.prose ? undefined : 'object')
    expect(JSON.stringify(seen)).not.toMatch(/\$schema|9007199254740991/)
    expect(seen.annotations).toEqual({
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destroy',
      idempotentHint: tool.effect === 'read' || tool.idempotent === true,
      openWorldHint: tool.openWorld === true,
    })
  },
)

test.each(definitions.map(({ tool, seen }) => [`${tool.name} (${tool.toolset})`, seen] as const))(
  'every argument of %s says what it is, in which form, and what happens without it',
  (_, { description, inputSchema }) => {
    const isSaidForAll = /\bleft out\b/.test(description)
    expect(faultsIn(inputSchema).filter(fault => !(isSaidForAll && fault.endsWith(NO_DEFAULT)))).toEqual([])
  },
)

test('an argument that says too little is found wherever it hides', () => {
  const told = z.string().describe('Long enough to say something')
  const shape = z.object({
    bare: z.string(),
    short: z.string().describe('name'),
    list: z.array(z.object({ told, inside: z.string() })).describe('A list of some things'),
    either: z.union([z.object({ left: z.int() }), z.null()]).describe('One thing or the other'),
    named: z.record(z.string(), z.object({ value: z.int() })).describe('Things by their names'),
    open: told.optional(),
    usual: z.boolean().default(true).describe('Whether it is so'),
    said: told.optional().describe('What it is for (default: nothing)'),
    task_id: told,
    groupId: z.string().describe('A group (grp-…)'),
    told,
  })
  expect(faultsIn(z.toJSONSchema(shape, { io: 'input' }) as Schema)).toEqual([
    'bare: no description',
    'short: no description',
    'list.inside: no description',
    'either.left: no description',
    'named.value: no description',
    'open: no default',
    'task_id: no form',
  ])
})

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; description?: string; required?: string[] }

const NO_DEFAULT = ': no default'

/** What a model cannot know of an argument, however deep it is. */
function faultsIn(schema: Schema, at: readonly string[] = []): string[] {
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...at, name]
    const fault = faultOf(name, field, schema.required?.includes(name) ?? false)
    return [...(fault ? [`${path.join('.')}: ${fault}`] : []), ...faultsIn(field, path)]
  })
  const parts = [schema['items'], schema['additionalProperties'], schema['anyOf'], schema['oneOf'], schema['allOf']]
  const inside = parts.flat().filter(part => typeof part === 'object' && part !== null) as Schema[]
  return [...named, ...inside.flatMap(part => faultsIn(part, at))]
}

function faultOf(name: string, field: Schema, isRequired: boolean): string | undefined {
  const { description = '' } = field
  if (description.length < 10) return 'no description'
  if (
    !isRequired &&
    !('default' in field) &&
    !/\bdefault\b|\bleave it out\b|; give this or |; with neither /.test(description)
  )
    return 'no default'
  // `prj_…`, a number, or the tool that gives it.
  const isId = /(?:^|_)ids?$|Id$/.test(name) && field['type'] === 'string'
  return isId && !/[_-]…|\bfrom [a-z]+_|^Engine: /.test(description) ? 'no form' : undefined
}

test('definitions cost at most 190 tokens a tool on average', () => {
  const cost = ({ name, description, inputSchema }: ListedTool) =>
    Buffer.byteLength(JSON.stringify({ name, description, inputSchema })) / 4
  const total = definitions.reduce((sum, { seen }) => sum + cost(seen), 0)
  expect(total / definitions.length).toBeLessThanOrEqual(190)
})

test('a definition changes only when the change is accepted (UPDATE=1)', () => {
  const wanted = Object.fromEntries(
    definitions.map(definition => [fileOf(definition), `${JSON.stringify(definition.seen, null, 2)}\n`]),
  )
  if (process.env['UPDATE']) {
    rmSync(snapshots, { recursive: true, force: true })
    mkdirSync(snapshots)
    for (const [file, text] of Object.entries(wanted)) writeFileSync(path.join(snapshots, file), text)
  }
  expect(readdirSync(snapshots).sort()).toEqual(Object.keys(wanted).sort())
  for (const [file, text] of Object.entries(wanted))
    expect(readFileSync(path.join(snapshots, file), 'utf8'), file).toBe(text)
})

test('both spellings of a name answer, and the list shows the contract’s', () =>
  onStage({}, async ({ hub, taskId }) => {
    for (const name of ['get_task', 'get-task', 'get-Task'.toLowerCase()])
      expect((await hub.call(name, { task_id: taskId })).isError).toBe(false)
    const connection = await hub.connect()
    const { tools: shown } = await connection.client.listTools()
    const hyphened = CONTRACT['memory']?.filter(name => name.includes('-'))
    expect(shown.map(({ name }) => name).filter(name => name.includes('-'))).toEqual(hyphened)
  }))

test('an unknown tool, or one of a toolset that was not asked for, is a protocol error', async () => {
  await using hub = await testHub()
  const agent = await hub.connect({ toolsets: 'agent' })
  for (const name of ['fly', 'get_task', 'project.add', 'agent.complete', 'constructor', '__proto__', 'get_my_profile'])
    await expect(agent.client.callTool({ name, arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`Unknown tool: ${name}`),
    })
})

test('what is listed follows the toolsets and who calls', () =>
  onStage({}, async ({ hub, worker }) => {
    const names = async (toolsets: string) => {
      const { client } = await hub.connect({ toolsets })
      return (await client.listTools()).tools.map(({ name }) => name).sort()
    }
    const usual = tools.filter(({ toolset }) => !['runner', 'legacy', 'planning', 'review'].includes(toolset))
    expect(await names('')).toEqual(usual.map(({ name }) => name).sort())
    expect(await names('runner')).toEqual(CONTRACT['runner'])
    expect(await names('legacy,runner')).toEqual([...(CONTRACT['legacy'] ?? []), ...(CONTRACT['runner'] ?? [])].sort())
    const forAgents = (await worker.client.listTools()).tools.map(({ name }) => name)
    expect(forAgents).not.toContain('should_start')
    expect(forAgents).toContain('get_my_task')
  }))

test('an instance that has yet to sign in is shown what it may call then, since clients ask only once', async () => {
  await using hub = await testHub()
  const { agentId, projectId } = await hub.seed()
  const { body } = await hub.call('should_start', { agent_id: agentId, project_id: projectId })
  const instance = await hub.connect({ credential: String(body['ticket']) })
  const shown = (await instance.client.listTools()).tools.map(({ name }) => name)
  const early = await instance.call('save_context', { task_id: 'tsk_1', progress: 'half' })
  expect(early.body).toMatchObject({ code: 'NOT_ALLOWED', error: expect.stringContaining('Call authenticate first') })
  await instance.call('authenticate', { agent_id: agentId, project_id: projectId })
  const then = (await instance.client.listTools()).tools.map(({ name }) => name)
  expect(shown).toEqual(then)
  expect(shown).toContain('save_context')
  expect(shown).not.toContain('should_start')
})

test('an unknown toolset is refused by name, on the socket and over HTTP', async () => {
  expect(parseToolsets(null)).toBeUndefined()
  expect(() => parseToolsets('agent,everything')).toThrow('Toolset "everything" not found. Use any of runner, agent')
  await using hub = await testHub()
  await expect(hub.connect({ toolsets: 'everything' })).rejects.toThrow('400')
  const response = await hub.fetch('/mcp?toolsets=everything', { method: 'POST', body: '{}' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Toolset ')
})

test('every tool has its test beside it', () => {
  const folder = path.join(import.meta.dirname, '../src/domains')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.includes('/tools/'))
  const sources = files.filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(sources).toHaveLength(tools.length)
  const missing = sources.filter(file => {
    const name = file.replace(/\.ts$/, '')
    return !files.includes(`${name}.test.ts`) && !files.includes(`${name}.slow.test.ts`)
  })
  expect(missing).toEqual([])
})
