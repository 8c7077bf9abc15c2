import type { AgentId, ProjectId } from '#contract/id-types.ts'
import type { InboxItem } from '#contract/inbox.ts'
import type { InboxKind } from '#contract/inbox-values.ts'
import type { Lang } from '#contract/errors.ts'
import type { Task } from '#domains/projects/model.ts'
import type { EventLog } from '#kernel/events.ts'
import { iso } from '#kernel/clock.ts'
import type { Services } from '../services.ts'

/** As many of one kind as a person would read. */
export const MOST = 200

/** What ended longer ago is not shown. */
export const RECENT_MS = 7 * 24 * 3_600_000

/** One kind of item: facts in, items out. */
export type Source = (facts: Facts) => Promise<InboxItem[]>

export type Facts = {
  services: Services
  events: Pick<EventLog, 'newestOf'>
  lang: Lang
  projectId: ProjectId | undefined
  names: Names
  /** Where the hub writes. */
  folder: string
}

/** Each name is looked up once for all items. */
export class Names {
  readonly #services: Pick<Services, 'projects' | 'agents'>
  readonly #projects = new Map<ProjectId, Promise<string | null>>()
  readonly #agents = new Map<AgentId, Promise<{ name: string; engine: string } | null>>()

  constructor(services: Pick<Services, 'projects' | 'agents'>) {
    this.#services = services
  }

  async project(id: ProjectId | null): Promise<string | null> {
    if (id === null) return null
    let found = this.#projects.get(id)
    if (!found) this.#projects.set(id, (found = this.#services.projects.find(id).then(one => one?.name ?? null)))
    return found
  }

  async agent(id: AgentId | null): Promise<{ name: string; engine: string } | null> {
    if (id === null) return null
    let found = this.#agents.get(id)
    if (!found) this.#agents.set(id, (found = this.#services.agents.find(id).then(one => one ?? null)))
    return found
  }
}

type Given = Partial<InboxItem> & { kind: InboxKind; about: string; title: string; at: number | null }

export function item({ kind, about, at, ...given }: Given): InboxItem {
  return {
    item_id: `${kind}:${about}`,
    kind,
    since: at === null ? null : iso(at),
    until: null,
    detail: null,
    project_id: null,
    project_name: null,
    agent_id: null,
    agent_name: null,
    engine: null,
    task_id: null,
    handle: null,
    priority: null,
    run_id: null,
    tab_id: null,
    crew_id: null,
    sides: [],
    runner: null,
    merge: null,
    check: null,
    files: [],
    seen: null,
    allows: null,
    command: null,
    quiet: false,
    held_up: 0,
    ...given,
  }
}

/** What every item about a task says of it. */
export async function aboutTask(task: Task, names: Names) {
  const agent = await names.agent(task.assigneeId)
  return {
    about: task.id,
    title: task.title,
    at: task.updatedAt,
    project_id: task.projectId,
    project_name: await names.project(task.projectId),
    agent_id: task.assigneeId,
    agent_name: agent?.name ?? null,
    engine: agent?.engine ?? null,
    task_id: task.id,
    handle: task.handle,
    priority: task.priority,
  }
}
