// One question over everything that has a page of its own: for a palette that finds as one types. Each kind has its share of the answer.
import type { Caller } from '#contract/caller.ts'
import type { ProjectId } from '#contract/id-types.ts'
import type { FoundThing, SearchKind } from '#contract/search.ts'
import { SEARCH_KINDS } from '#contract/search.ts'
import { operation } from '#kernel/operation.ts'
import { fold } from '#kernel/search/fold.ts'
import type { Services } from './services.ts'

const USUAL = 5
/** Lists without an index for text: as many of the newest are looked through. */
const LOOKED_THROUGH = 200
/** Memory is searched project by project. */
const PROJECTS = 20

type Asked = { text: string; projectId: ProjectId | undefined; limit: number; by: Caller; signal: AbortSignal }
type Finder = (services: Services, asked: Asked) => Promise<FoundThing[]>

export const searchOperations = [
  operation({
    name: 'search.find',
    effect: 'read',
    async run(services: Services, { text, project_id: projectId, limit = USUAL, kinds: wanted }, call) {
      const asked = { text: text.trim(), projectId, limit, by: call.caller, signal: call.signal }
      const kinds = SEARCH_KINDS.filter(kind => wanted?.includes(kind) ?? true)
      const found = await Promise.all(kinds.map(kind => FINDERS[kind](services, asked)))
      return { found: found.flatMap(things => things.slice(0, asked.limit)) }
    },
  }),
]

const FINDERS: Readonly<Record<SearchKind, Finder>> = {
  async task({ tasks }, { text, projectId, limit, by, signal }) {
    const open = await tasks.list({ projectId, search: text, open: true }, undefined, limit, by)
    // By its handle it is found at once.
    const id = await tasks.idNamed(fold(text))
    const named =
      id === undefined || open.some(task => task.id === id)
        ? []
        : await tasks.list({ projectId, ids: [id] }, undefined, 1, by)
    const more = limit - open.length - named.length
    const closed = more > 0 ? await tasks.findClosed({ projectId, search: text }, limit, by, signal) : []
    const rows = [...open, ...closed.filter(task => task.id !== id)]
    return [...named, ...rows].map(({ id, title, handle, projectId: project_id, status }) => ({
      ...{ kind: 'task', id, title, detail: handle, project_id, status },
    }))
  },
  decision: (services, asked) => remembered(services, asked, 'decision'),
  topic: (services, asked) => remembered(services, asked, 'topic'),
  async run({ crewRuns }, { text, projectId, by }) {
    const runs = await crewRuns.list({}, undefined, LOOKED_THROUGH, by)
    return runs
      .filter(run => projectId === undefined || run.projectId === projectId)
      .filter(({ id, role, prompt, engine }) => has(text, id, role, prompt, engine))
      .map(({ id, role, engine, prompt, projectId: project_id }) => ({
        ...{ kind: 'run', id, title: `${role} · ${engine}`, detail: lineOf(prompt), project_id },
      }))
  },
  async tab({ tabs }, { text, projectId, by }) {
    const live = await tabs.list({ live: true, projectId }, '', LOOKED_THROUGH, by)
    return live
      .filter(({ id, branch, engine }) => has(text, id, branch, engine))
      .map(({ id, branch, engine, projectId: project_id }) => ({
        ...{ kind: 'tab', id, title: branch, detail: engine, project_id },
      }))
  },
  async agent({ agents }, { text }) {
    const all = await agents.list('', LOOKED_THROUGH)
    return all
      .filter(({ id, name, role }) => has(text, id, name, role))
      .map(({ id, name, role, engine }) => ({
        ...{ kind: 'agent', id, title: name, detail: role || engine, project_id: null },
      }))
  },
  async project({ projects }, { text }) {
    const all = await projects.list(0, LOOKED_THROUGH)
    return all
      .filter(({ id, name }) => has(text, id, name))
      .map(({ id, name }) => ({ kind: 'project', id, title: name, detail: '', project_id: id }))
  },
}

async function remembered(
  { recalling, memory, projects }: Services,
  { text, projectId, limit, by }: Asked,
  kind: 'topic' | 'decision',
): Promise<FoundThing[]> {
  const ids = projectId === undefined ? (await projects.list(0, PROJECTS)).map(({ id }) => id) : [projectId]
  const named = await numbered(memory, text, kind, projectId, by)
  const each = await Promise.all(
    ids.map(async id => {
      // Asked with every key that is typed, of each project: too often for an embedder.
      const question = { queries: [text], kinds: [kind], limit, wordsOnly: true }
      const { results } = await recalling.answer(id, question, by)
      return results.map(hit => ({ ...hit, project: id }))
    }),
  )
  // What holds everywhere is found in each project.
  const seen = new Set(named.map(({ id }) => id))
  const hits = each
    .flat()
    .sort((a, b) => b.score - a.score)
    .filter(({ id }) => !seen.has(String(id)) && seen.add(String(id)))
  const found = hits.map(({ id, title, topic_path, project }) => ({
    ...{ kind, id: String(id), title: lineOf(title), detail: kind === 'topic' ? '' : topic_path, project_id: project },
  }))
  return [...named, ...found]
}

/** People call a decision `#12`. */
async function numbered(
  memory: Services['memory'],
  text: string,
  kind: 'topic' | 'decision',
  projectId: ProjectId | undefined,
  by: Caller,
): Promise<FoundThing[]> {
  const number = /^#(\d{1,9})$/.exec(text)?.[1]
  if (number === undefined || kind !== 'decision') return []
  const { decisions } = await memory.named([], [Number(number)])
  const [decision] = decisions
  if (!decision) return []
  const { project } = await memory.chain(decision.id, by)
  if (projectId !== undefined && project !== undefined && project.id !== projectId) return []
  return [
    { kind, id: String(decision.id), title: lineOf(decision.decision), detail: '', project_id: project?.id ?? null },
  ]
}

/** Every word is in one of the texts, whatever the case and the width. */
function has(query: string, ...texts: readonly (string | null)[]): boolean {
  const all = fold(texts.join('\n'))
  return fold(query)
    .split(/\s+/)
    .every(word => all.includes(word))
}

const LINE = 200
const lineOf = (text: string) => (text.split('\n', 1)[0] ?? '').slice(0, LINE).toWellFormed()
