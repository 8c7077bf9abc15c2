// People type names: where a call takes an id, a project's or agent's name does as well, a task's title, a tab's branch, and the
// beginning or the end of an id that only one thing has, also as tables shorten it. The hub itself knows ids, and the keys and handles that it gave, so that
// what a model passes is never guessed at.
import type { CallOptions, Client } from '#client/api.ts'
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import { HubError } from '#contract/errors.ts'
import { CliError } from './errors.ts'
import { visibleLine } from './escape.ts'
import { listAll } from './list-all.ts'
import { shortId } from './short-id.ts'
import { texts } from './texts.ts'

type Kind = {
  /** Refuses what is not there. */
  show(hub: Client, id: string): Promise<unknown>
  /** By the short name that the hub knows, where another has it as its whole name: whose else it may be. */
  rivals?(hub: Client, word: string, shown: unknown): Promise<string[]>
  /** Those that may be meant, each list only when the ones before had none. */
  readonly lists: readonly ((hub: Client) => Promise<Candidate[]>)[]
}
/** `label`: how people know it, where several are meant. `partly`: a part of its name is enough. */
type Candidate = {
  readonly id: string
  readonly names: readonly string[]
  readonly label?: string
  readonly partly?: boolean
}

/** Older ones go by their id. */
const LOOKED_AT = 2000
/** Shorter parts of an id are more likely to be a slip. */
const SHORTEST_PART = 4
/** As the hub makes them: nothing to look up. */
const WHOLE_ID = /^(?:[a-z]+_[0-9a-z]{20,}|grp-\d+-[0-9a-f]{24})$/

const liveTabs = async (hub: Client) => {
  const { tabs } = await listAll(LOOKED_AT, 'tabs', page => hub.call('tab.list', page))
  return tabs.map(({ tab_id: id, branch }) => ({ id, names: [branch] }))
}

/** A branch may have had many tabs: it names the last one of each project. */
const allTabs = async (hub: Client) => {
  const { tabs } = await listAll(LOOKED_AT, 'tabs', page => hub.call('tab.list', { all: true, ...page }))
  const newestFirst = tabs.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const seen = new Set<string>()
  return newestFirst.map(({ tab_id: id, branch, project_id }) => {
    const place = `${project_id} ${branch}`
    const names = seen.has(place) ? [] : [branch]
    seen.add(place)
    return { id, names }
  })
}

const allProjects = async (hub: Client) => {
  const { projects } = await listAll(LOOKED_AT, 'projects', page => hub.call('project.list', page))
  return projects.map(({ project_id: id, name, number }) => ({ id, names: [name, String(number)] }))
}

const PROJECT: Kind = {
  show: (hub, id) => hub.call('project.show', { project_id: id }),
  async rivals(hub, word, shown) {
    const { project_id, name } = shown as ApiOutput<'project.show'>
    if (project_id === word || name === word) return []
    const others = (await allProjects(hub)).filter(({ names }) => names[0] === word).map(({ id }) => id)
    return others.length > 0 ? [project_id, ...others] : []
  },
  lists: [allProjects],
}
const AGENT: Kind = {
  show: (hub, id) => hub.call('agent.show', { agent_id: id }),
  lists: [
    async hub => {
      const { agents } = await listAll(LOOKED_AT, 'agents', page => hub.call('agent.list', page))
      return agents.map(({ agent_id: id, name }) => ({ id, names: [name] }))
    },
  ],
}
const TASK: Kind = {
  show: (hub, id) => hub.call('task.show', { task_id: id }),
  lists: [
    async hub => {
      const { tasks } = await listAll(LOOKED_AT, 'tasks', page => hub.call('task.list', page))
      return tasks.map(({ task_id: id, title, handle }) => ({
        id,
        names: [title],
        label: `${handle} (${visibleLine(title)})`,
        partly: true,
      }))
    },
  ],
}
const TAB: Kind = { show: (hub, id) => hub.call('tab.show', { tab_id: id }), lists: [liveTabs, allTabs] }
const CREW: Kind = {
  show: (hub, id) => hub.call('crew.show', { crew_id: id }),
  lists: [
    async hub => {
      const { crews } = await listAll(LOOKED_AT, 'crews', page => hub.call('crew.list', page))
      return crews.map(({ crew_id: id }) => ({ id, names: [] }))
    },
  ],
}
const RUN: Kind = {
  show: (hub, id) => hub.call('run.show', { run_id: id }),
  lists: [
    async hub => {
      const { runs } = await listAll(LOOKED_AT, 'runs', page => hub.call('run.list', page))
      return runs.map(({ run_id: id }) => ({ id, names: [] }))
    },
  ],
}

const KINDS: Readonly<Record<string, Kind>> = {
  project_id: PROJECT,
  agent_id: AGENT,
  assignee_id: AGENT,
  reviewer_id: AGENT,
  task_id: TASK,
  parent_id: TASK,
  depends_on: TASK,
  task_ids: TASK,
  tab_id: TAB,
  crew_id: CREW,
  run_id: RUN,
}

/** The same hub, for callers that give names. */
export function byName(hub: Client): Client {
  return {
    async call<O extends Operation>(operation: O, input: ApiInput<O>, options?: CallOptions): Promise<ApiOutput<O>> {
      const named: Record<string, unknown> = { ...(input as object) }
      for (const [key, value] of Object.entries(named)) {
        const kind = KINDS[key]
        if (kind && typeof value === 'string') named[key] = await find(hub, kind, value)
        if (kind && Array.isArray(value))
          named[key] = await Promise.all(value.map(word => find(hub, kind, String(word))))
      }
      return hub.call(operation, named as ApiInput<O>, options)
    },
  }
}

/** For what is not a call of the hub: the id itself, by a hub that takes names. */
export async function findTab(hub: Client, word: string): Promise<string> {
  return (await hub.call('tab.show', { tab_id: word })).tab_id
}

async function find(hub: Client, kind: Kind, word: string): Promise<string> {
  if (WHOLE_ID.test(word)) return word
  try {
    const shown = await kind.show(hub, word)
    const rivals = (await kind.rivals?.(hub, word, shown)) ?? []
    if (rivals.length > 0) throw CliError.USAGE({ text: texts.several(word, rivals.join(', ')) })
    return word
  } catch (problem) {
    if (!(problem instanceof HubError) || problem.kind !== 'not-found') throw problem
    for (const list of kind.lists) {
      const found = meant(await list(hub), word)
      const labels = found.slice(0, 5).map(({ id, label }) => label ?? id)
      if (found.length > 1) throw CliError.USAGE({ text: texts.several(word, labels.join(', ')) })
      if (found[0] !== undefined) return found[0].id
    }
    throw problem
  }
}

/** A name before a part of an id: it was chosen by a person. A part of a title comes last. */
function meant(candidates: readonly Candidate[], word: string): readonly Candidate[] {
  const named = candidates.filter(({ names }) => names.includes(word))
  if (named.length > 0 || word.length < SHORTEST_PART) return named
  const byId = candidates.filter(({ id }) => id.startsWith(word) || id.endsWith(word) || shortId(id) === word)
  if (byId.length > 0) return byId
  const part = word.toLowerCase()
  return candidates.filter(({ names, partly }) => partly && names.some(name => name.toLowerCase().includes(part)))
}
