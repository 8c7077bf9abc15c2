// One name in three toolsets: `projects` lists registered agents, `crews` lists the agents started in groups, `planning` says of
// registered agents how much they have to do. A connection that has several gets it all from one tool.
// docs/adr/0048-one-tool-in-two-toolsets.md
import { z } from 'zod'
import type { Caller } from '#contract/caller.ts'
import { CrewRunSummary, RUN_STATUSES } from '#contract/crews.ts'
import { type AgentId, CrewId } from '#contract/id-types.ts'
import { AgentView } from '#contract/views.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor, writeCursor } from '#kernel/page.ts'
import { looseEnum, SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Agents } from '../agents.ts'
import type { CrewAgents, Workloads } from '../ports.ts'
import { statusFilter } from '../status-filter.ts'
import { agentView } from '../views.ts'

type Services = { agents: Agents; crewRuns: CrewAgents; plans: Workloads }
type Kind = 'registered' | 'running'

const about = {
  name: 'list_agents',
  title: 'List agents',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
} as const

const crewFilter = {
  groupId: CrewId.optional().describe('Only agents of this group (grp-…; default: all groups)'),
  status: looseEnum([...RUN_STATUSES, 'all'])
    .optional()
    .describe('Only agents with this status (default: all)'),
}

const inGroups = tool({
  ...about,
  toolset: 'crews',
  description: 'List the agents that were started in groups, newest first.',
  input: z.object({ ...crewFilter, ...pageInput() }),
  output: z.object({ agents: z.array(CrewRunSummary), total: z.int(), ...pageOutput }),
  run: ({ crewRuns }: Services, { cursor, ...input }, { caller }) =>
    startedPage(crewRuns, { ...input, after: readCursor(cursor, z.string()) }, caller),
})

const Cursor = z.object({ kind: z.enum(['registered', 'running']), after: z.string().optional() })

const Registered = AgentView.extend({ kind: z.literal('registered') })
const Running = CrewRunSummary.extend({ kind: z.literal('running') })
const load = {
  open_tasks: z.int().describe('Tasks that it has and that are not done, in all projects'),
  working_on: z.array(z.string()).describe('Handles of those in progress'),
}

const ofBothKinds = tool({
  ...about,
  toolset: 'projects',
  description: 'List registered agents and agents started in groups. groupId or status mean those in groups alone.',
  input: bothInput(),
  output: z.object({ ...success, agents: z.array(z.union([Registered, Running])), total: z.int(), ...pageOutput }),
  run: (services: Services, input, { caller }) => bothPage(services, input, caller),
})

const ofBothKindsWithLoad = tool({
  ...about,
  toolset: 'projects',
  description:
    'List registered agents with their load, and agents started in groups. groupId or status mean those in groups alone.',
  input: bothInput(),
  output: z.object({
    ...success,
    agents: z.array(z.union([Registered.extend(load), Running])),
    total: z.int(),
    ...pageOutput,
  }),
  async run(services: Services, input, { caller }) {
    const { agents, ...page } = await bothPage(services, input, caller)
    const registered = agents.flatMap(agent => (agent.kind === 'registered' ? agent : []))
    const loaded = new Map((await withLoad(services.plans, registered, caller)).map(agent => [agent.agent_id, agent]))
    const both = agents.map(agent =>
      agent.kind === 'running' ? agent : (loaded.get(agent.agent_id) as (typeof registered)[number] & Load),
    )
    return { ...page, agents: both }
  },
})

const withTheirLoad = tool({
  ...about,
  toolset: 'planning',
  description: 'List the registered agents with how much each has to do, for example to give a task to one.',
  input: z.object(pageInput()),
  output: z.object({ ...success, agents: z.array(AgentView.extend(load)), total: z.int(), ...pageOutput }),
  async run({ agents, plans }: Services, { limit, cursor }, { caller }) {
    const page = await registeredPage(agents, { limit, after: readCursor(cursor, z.string()) })
    return { ...SUCCESS, ...page, agents: await withLoad(plans, page.agents, caller) }
  },
})

export default tool({
  ...about,
  toolset: 'projects',
  description: 'List the registered agents, for example to find one to hand a task to.',
  offeredTo: ['instance'],
  input: z.object(pageInput()),
  output: z.object({ ...success, agents: z.array(AgentView), total: z.int(), ...pageOutput }),
  async run({ agents }: Services, { limit, cursor }) {
    return { ...SUCCESS, ...(await registeredPage(agents, { limit, after: readCursor(cursor, z.string()) })) }
  },
  also: [
    { toolsets: ['crews'], tool: inGroups },
    { toolsets: ['projects', 'crews'], tool: ofBothKinds },
    { toolsets: ['planning'], tool: withTheirLoad },
    { toolsets: ['planning', 'crews'], tool: ofBothKindsWithLoad },
  ],
})

type Load = { open_tasks: number; working_on: string[] }

async function withLoad<A extends { agent_id: AgentId }>(plans: Workloads, agents: readonly A[], by: Caller) {
  const loadOf = await plans.loads(
    agents.map(({ agent_id }) => agent_id),
    by,
  )
  return agents.map(agent => {
    const { openTasks, workingOn } = loadOf(agent.agent_id)
    return { ...agent, open_tasks: openTasks, working_on: workingOn }
  })
}

function bothInput() {
  return z.object({
    ...crewFilter,
    kind: Cursor.shape.kind
      .optional()
      .describe('registered: only registered agents; running: only agents started in groups (default: both)'),
    ...pageInput(),
  })
}

async function bothPage(
  { agents, crewRuns }: Services,
  { cursor, kind, ...input }: z.output<ReturnType<typeof bothInput>>,
  caller: Caller,
) {
  const only = input.groupId !== undefined || input.status !== undefined ? 'running' : kind
  const { kind: from, after } = readCursor(cursor, Cursor) ?? { kind: only ?? 'registered' }
  if (from === 'running') {
    const page = ofKind('running', await startedPage(crewRuns, { ...input, after }, caller, at('running')))
    return { ...SUCCESS, ...page, ...(only === undefined && { total: page.total + (await agents.count()) }) }
  }
  const first = ofKind('registered', await registeredPage(agents, { limit: input.limit, after }, at('registered')))
  if (only !== undefined) return { ...SUCCESS, ...first }
  const inCrews = await crewRuns.count({}, caller)
  const page = { ...SUCCESS, ...first, total: first.total + inCrews }
  if (first.next_cursor !== undefined || inCrews === 0) return page
  // The registered agents end here. The others follow on this page where there is room, else on the next.
  const room = limitOf(input.limit) - first.agents.length
  if (room <= 0) return { ...page, next_cursor: writeCursor({ kind: 'running' }) }
  const rest = await startedPage(crewRuns, { limit: room }, caller, at('running'), first.agents)
  return { ...page, ...rest, agents: [...first.agents, ...ofKind('running', rest).agents], total: page.total }
}

type Paging = { limit?: number | undefined; after?: string | undefined }
type CursorOf = (id: string) => unknown

async function registeredPage(agents: Agents, { limit, after = '' }: Paging, cursorOf: CursorOf = id => id) {
  const most = limitOf(limit)
  const rows = await agents.list(after, most + 1)
  const { items, ...page } = pageOf(rows, most, agentView, agent => cursorOf(agent.id))
  return { agents: items, total: await agents.count(), ...page }
}

async function startedPage(
  crewRuns: CrewAgents,
  { groupId, status, limit, after }: Paging & { groupId?: CrewId | undefined; status?: string | undefined },
  by: Caller,
  cursorOf: CursorOf = id => id,
  used: unknown = null,
) {
  const most = limitOf(limit)
  const filter = { crewId: groupId, status: statusFilter(status) }
  const rows = await crewRuns.listSummaries(filter, after, most + 1, by)
  const { items, ...page } = pageOf(
    rows,
    most,
    run => run,
    run => cursorOf(run.agentId),
    used,
  )
  return { agents: items, total: await crewRuns.count(filter, by), ...page }
}

function at(kind: Kind): CursorOf {
  return after => ({ kind, after })
}

function ofKind<K extends Kind, A, P extends { agents: A[] }>(kind: K, page: P & { agents: A[] }) {
  return { ...page, agents: page.agents.map(agent => ({ ...agent, kind })) }
}
