// Looks up what events are about, once for a whole list: a reader has ids only.
import type { EventNames, StoredEvent } from '#contract/events.ts'
import type { AgentId, ProjectId, RunId, TabId, TaskId } from '#contract/id-types.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'

type Kind = 'tasks' | 'agents' | 'projects' | 'tabs' | 'runs' | 'topics' | 'decisions'

/** Which field of a payload names what. */
const FIELDS: Readonly<Record<string, Kind>> = {
  ...{ taskId: 'tasks', dependsOn: 'tasks', parentId: 'tasks', startedFor: 'tasks' },
  ...{ agentId: 'agents', projectId: 'projects', tabId: 'tabs', runId: 'runs', topicId: 'topics' },
  ...{ decisionId: 'decisions', supersedes: 'decisions', supersededBy: 'decisions' },
}
/** Of events that call a run an agent, as other programs do. */
const CREW_EVENT = /^(?:agent|group):/
const TITLE_CHARS = 200

export async function namesIn(services: Services, events: readonly StoredEvent[]): Promise<EventNames> {
  const ids = idsIn(events)
  const { tasks, agents, projects, tabs, crewRuns, memory } = services
  const taskIds = [...ids.tasks] as TaskId[]
  const [foundTasks, foundRuns, remembered] = await Promise.all([
    taskIds.length === 0 ? [] : tasks.list({ ids: taskIds, deleted: 'too' }, undefined, taskIds.length, HUB),
    crewRuns.known([...ids.runs] as RunId[]),
    memory.named([...ids.topics].map(Number), [...ids.decisions].map(Number)),
  ])
  const [agentNames, projectNames, tabNames] = await Promise.all([
    each(ids.agents, async id => (await agents.find(id as AgentId))?.name),
    each(ids.projects, async id => (await projects.find(id as ProjectId))?.name),
    each(ids.tabs, async id => {
      const tab = await tabs.find(id as TabId)
      return tab && { engine: tab.engine, branch: tab.branch }
    }),
  ])
  return {
    tasks: Object.fromEntries(foundTasks.map(({ id, handle, title }) => [id, { handle, title }])),
    agents: agentNames,
    projects: projectNames,
    tabs: tabNames,
    runs: Object.fromEntries(foundRuns.map(({ id, role, engine }) => [id, { role, engine }])),
    topics: Object.fromEntries(remembered.topics.map(({ id, title }) => [id, cut(title)])),
    decisions: Object.fromEntries(remembered.decisions.map(({ id, decision }) => [id, cut(decision)])),
  }
}

function idsIn(events: readonly StoredEvent[]): Record<Kind, Set<string>> {
  const ids: Record<Kind, Set<string>> = {
    ...{ tasks: new Set(), agents: new Set(), projects: new Set(), tabs: new Set() },
    ...{ runs: new Set(), topics: new Set(), decisions: new Set() },
  }
  const callers: Record<string, Kind> = { agent: 'agents', starter: 'agents', run: 'runs', tab: 'tabs' }
  for (const { type, caller, project_id, payload } of events) {
    const [kind = '', id] = split(caller)
    const of = callers[kind]
    if (of !== undefined && id !== undefined) ids[of].add(id)
    if (project_id !== null) ids.projects.add(project_id)
    collect(payload, CREW_EVENT.test(type) ? { ...FIELDS, agentId: 'runs' } : FIELDS, ids)
    // A handoff names the agents that give and take.
    if (type.startsWith('handoff.')) {
      const { from, to, by } = payload as { from?: string; to?: string | null; by?: string }
      for (const agent of [from, to, by]) if (agent) ids.agents.add(agent)
    }
  }
  return ids
}

function collect(value: unknown, fields: Readonly<Record<string, Kind>>, ids: Record<Kind, Set<string>>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const kind = fields[name]
    if (kind !== undefined && (typeof inner === 'string' || typeof inner === 'number')) ids[kind].add(String(inner))
    else collect(inner, fields, ids)
  }
}

function split(caller: string): [kind: string, id?: string] {
  const colon = caller.indexOf(':')
  return colon === -1 ? [caller] : [caller.slice(0, colon), caller.slice(colon + 1)]
}

async function each<T>(ids: ReadonlySet<string>, find: (id: string) => Promise<T | undefined>) {
  const found = await Promise.all([...ids].map(async id => [id, await find(id)] as const))
  return Object.fromEntries(found.flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const])))
}

const cut = (text: string) => (text.length <= TITLE_CHARS ? text : `${text.slice(0, TITLE_CHARS - 1).toWellFormed()}…`)
