import type { Text } from '#contract/errors.ts'
import type { AgentId, ProjectId, RunId, TabId, TaskId, WorktreeId } from '#contract/id-types.ts'

export type Workspace = {
  taskId: TaskId
  projectId: ProjectId
  worktreeId: WorktreeId
  branch: string
  /** The full name of what it is merged into. */
  baseRef: string | null
  /** First of its range. */
  port: number
  madeAt: number
  releasedAt: number | null
}

/** Who works in a workspace: an agent that was started or signed in, a run of a crew, or a tab. */
export type Holder =
  /** `name`: as people know it. */
  | { kind: 'agent'; agentId: AgentId; epoch: number | null; name: string }
  | { kind: 'run'; runId: RunId; name: string }
  | { kind: 'tab'; tabId: TabId; name: string }

const PORTS = { first: 42_000, each: 10, last: 65_529 }
const SLUG_CHARS = 40

/** The branch of a task that names none. */
export function branchFor({ handle, title }: { handle: string; title: string }): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const slug = (words ?? []).join('-').slice(0, SLUG_CHARS).replace(/-$/, '')
  return `toryo/${handle}${slug === '' ? '' : `-${slug}`}`
}

export function portsOf({ port }: Pick<Workspace, 'port'>): { from: number; to: number } {
  return { from: port, to: port + PORTS.each - 1 }
}

/** The ranges that no workspace has, lowest first. */
export function* freeRanges(taken: ReadonlySet<number>): Generator<{ from: number; to: number }> {
  for (let port = PORTS.first; port <= PORTS.last; port += PORTS.each) if (!taken.has(port)) yield portsOf({ port })
}

/** As git's own commands name it. */
export function shortRef(ref: string | null): string | null {
  return ref?.replace(/^refs\/(?:heads|remotes|tags)\//, '') ?? null
}

export function idOf(holder: Holder): string {
  switch (holder.kind) {
    case 'agent':
      return holder.agentId
    case 'run':
      return holder.runId
    default:
      return holder.tabId
  }
}

/** What works there, for a sentence. */
export function nameOf(holder: Holder): Text {
  const { kind, name } = holder
  if (kind === 'tab') return { en: `The tab ${name}`, ja: `タブ ${name}` }
  if (kind === 'run') return { en: `The run ${holder.runId} (${name})`, ja: `実行 ${holder.runId} (${name})` }
  return { en: name, ja: name }
}
