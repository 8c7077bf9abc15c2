// The verbs of memory. Records are added and read; no verb changes or removes one.
import { confinedTo, mayEnter } from '#contract/access.ts'
import { type Caller, personOf } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { DecisionAdded, EntryAdded, MemoryError, TopicAdded } from '#contract/memory.ts'
import { ProjectError } from '#contract/projects.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { Indexer } from './indexer.ts'
import type { Decision, Entry, Handle, Project, Topic } from './model.ts'
import type { Projects, Tasks } from './ports.ts'
import { MemoryStore, type TopicFilter } from './store.ts'
import type { TaskDecisions } from './task-decisions.ts'

export type NewTopic = { title: string; description: string | null; parentId: number | null; createdAt?: number }
export type NewDecision = {
  topicId: number | null
  /** Where it holds when it has no topic. */
  project: number | string | undefined
  decision: string
  reason: string
  supersedes: number | null
  /** Tasks that it is about; of its project, which they decide where nothing else does. */
  taskIds?: readonly TaskId[]
  createdAt?: number
  /** Left out: the caller. */
  person?: string | null
}
export type NewProject = { name: string; description: string; asanaUrl: string | null }

type Deps = {
  db: Db
  search: TextSearch
  events: EventLog
  clock: Clock
  projects: Projects
  tasks: Tasks
  taskDecisions: TaskDecisions
}

const DECISIONS_COUNTED = 100_000
/** Longer chains of replacements are followed no further. */
const CHAIN = 50

export class Memory {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  addProject(fresh: NewProject, by: Caller): Promise<Project> {
    return this.#deps.projects.add(fresh, by)
  }

  async listProjects(from: number, limit: number, by: Caller): Promise<Project[]> {
    const id = confinedTo(by)
    if (id === undefined) return this.#deps.projects.list(from, limit)
    const own = id === null ? undefined : await this.#deps.projects.find(id)
    return own && own.number >= from ? [own] : []
  }

  /** By its number, its text id, or its folder. */
  async project(handle: Handle, by: Caller): Promise<Project> {
    if (typeof handle === 'object') {
      const here = await this.#deps.projects.findAt(handle, by)
      if (!here) throw CoreError.INVALID_ARGUMENT({ reason: noProjectIn(handle.shown) })
      return here
    }
    const project = await this.#findProject(handle)
    if (!project) throw ProjectError.PROJECT_NOT_FOUND({ projectId: String(handle), listedBy: 'get-projects' })
    mayEnter(project.id, by)
    return project
  }

  addTopic(handle: Handle, fresh: NewTopic, by: Caller): Promise<Topic> {
    return this.#deps.db.tx(async tx => {
      const project = await this.project(handle, by)
      if (fresh.parentId !== null) await this.#topicIn(tx, project.number, fresh.parentId)
      const { title, description, parentId } = fresh
      const createdAt = fresh.createdAt ?? this.#deps.clock.now()
      const topic = await this.#store(tx).insertTopic({
        project: project.number,
        title,
        description,
        parentId,
        createdAt,
      })
      await new Indexer(tx, this.#deps.search).topic(topic)
      await this.#deps.events.publish(tx, TopicAdded, { topicId: topic.id }, by, project.id)
      return topic
    })
  }

  addEntry(topicId: number, content: string, by: Caller, at?: number): Promise<Entry> {
    return this.#deps.db.tx(async tx => {
      const { topic, project } = await this.topic(topicId, by)
      const createdAt = at ?? this.#deps.clock.now()
      const entry = await this.#store(tx).insertEntry({ project: topic.project, topicId, content, createdAt })
      await new Indexer(tx, this.#deps.search).entry(entry)
      await this.#deps.events.publish(tx, EntryAdded, { entryId: entry.id, topicId }, by, project.id)
      return entry
    })
  }

  addDecision(fresh: NewDecision, by: Caller): Promise<Decision> {
    return this.#deps.db.tx(async tx => {
      const { project } = await this.#placeOf(fresh, by)
      const taskIds = await this.#tasksIn(project, fresh.taskIds ?? [], by)
      const scope = project?.number ?? null
      if (fresh.supersedes !== null) {
        const before = await this.#store(tx).findDecision(fresh.supersedes)
        if (!before || before.project !== scope) throw MemoryError.DECISION_NOT_FOUND({ decisionId: fresh.supersedes })
      }
      const { topicId, decision, reason, supersedes } = fresh
      const createdAt = fresh.createdAt ?? this.#deps.clock.now()
      const added = await this.#store(tx).insertDecision({
        project: scope,
        topicId,
        decision,
        reason,
        supersedes,
        createdAt,
        person: fresh.person === undefined ? personOf(by) : fresh.person,
      })
      await new Indexer(tx, this.#deps.search).decision(added)
      await this.#deps.events.publish(tx, DecisionAdded, { decisionId: added.id, topicId, supersedes }, by, project?.id)
      await this.#deps.taskDecisions.added(tx, added, taskIds, by)
      return added
    })
  }

  async topic(id: number, by: Caller): Promise<{ topic: Topic; project: Project }> {
    const topic = await this.#store(this.#deps.db).findTopic(id)
    const project = topic && (await this.#deps.projects.findByNumber(topic.project))
    if (!topic || !project) throw MemoryError.TOPIC_NOT_FOUND({ topicId: id })
    mayEnter(project.id, by)
    return { topic, project }
  }

  /** Throws when it is no topic of that project. */
  topicOf(project: number, id: number): Promise<Topic> {
    return this.#topicIn(this.#deps.db, project, id)
  }

  async listTopics(
    handle: Handle,
    filter: Omit<TopicFilter, 'project'>,
    from: number,
    limit: number,
    by: Caller,
  ): Promise<Topic[]> {
    const project = await this.project(handle, by)
    if (filter.parentId !== null) await this.#topicIn(this.#deps.db, project.number, filter.parentId)
    return this.#store(this.#deps.db).topics({ ...filter, project: project.number }, from, limit)
  }

  /** Breadth first, parents before children, at most so many; one more tells that there are more. */
  async listTree(handle: Handle, rootId: number, limit: number, by: Caller): Promise<Topic[]> {
    const project = await this.project(handle, by)
    const found = [await this.#topicIn(this.#deps.db, project.number, rootId)]
    let level = found.map(topic => topic.id)
    while (level.length > 0 && found.length <= limit) {
      const children = await this.#store(this.#deps.db).children(project.number, level, limit + 1 - found.length)
      found.push(...children)
      level = children.map(topic => topic.id)
    }
    return found
  }

  async listEntries(topicId: number, from: number | undefined, limit: number, by: Caller): Promise<Entry[]> {
    await this.topic(topicId, by)
    return this.#store(this.#deps.db).entries(topicId, from, limit)
  }

  async listDecisions(topicId: number, from: number | undefined, limit: number, by: Caller): Promise<Decision[]> {
    await this.topic(topicId, by)
    return this.#store(this.#deps.db).decisions(topicId, from, limit)
  }

  /** All topics of a project, each after its parent, with how much is in them. Decisions are counted that stand. */
  async tree(handle: Handle, limit: number, by: Caller) {
    const project = await this.project(handle, by)
    const store = this.#store(this.#deps.db)
    const topics = await store.topicsFrom(0, limit, project.number)
    const entries = await store.countEntries(project.number)
    const decisions = new Map<number, number>()
    for (const { topicId, supersededBy } of await store.decisionsFrom(0, DECISIONS_COUNTED, project.number))
      if (topicId !== null && supersededBy === null) decisions.set(topicId, (decisions.get(topicId) ?? 0) + 1)
    return topics.map(topic => ({
      topic,
      entries: entries.get(topic.id) ?? 0,
      decisions: decisions.get(topic.id) ?? 0,
    }))
  }

  /** A decision with those that it replaced and those that replaced it, the oldest first. */
  async chain(
    id: number,
    by: Caller,
  ): Promise<{ decision: Decision; project: Project | undefined; chain: Decision[] }> {
    const store = this.#store(this.#deps.db)
    const decision = await store.findDecision(id)
    if (!decision) throw MemoryError.DECISION_NOT_FOUND({ decisionId: id })
    const { project: number } = decision
    const project = number === null ? undefined : await this.#deps.projects.findByNumber(number)
    if (project) mayEnter(project.id, by)
    const chain = [decision]
    for (let at: Decision | undefined = decision; at?.supersedes && chain.length < CHAIN; ) {
      at = await store.findDecision(at.supersedes)
      if (at) chain.unshift(at)
    }
    for (let at: Decision | undefined = decision; at?.supersededBy && chain.length < CHAIN; ) {
      at = await store.findDecision(at.supersededBy)
      if (at) chain.push(at)
    }
    return { decision, project, chain }
  }

  /** What these are called; those that do not exist are missing. */
  async named(topicIds: readonly number[], decisionIds: readonly number[]) {
    const store = this.#store(this.#deps.db)
    return { topics: await store.topicsByIds(topicIds), decisions: await store.decisionsByIds(decisionIds) }
  }

  /** Of a project and of all, newest first; of one topic or task alone where that is given. */
  newestDecisions(
    project: number,
    {
      topicId,
      taskId,
      before,
    }: { topicId?: number | undefined; taskId?: TaskId | undefined; before?: number | undefined },
    limit: number,
  ): Promise<Decision[]> {
    const store = this.#store(this.#deps.db)
    if (topicId === undefined && taskId === undefined) return store.decisionsBefore(project, before, limit)
    return store.decisionsAbout(project, { topicId, taskId, before }, limit)
  }

  async #placeOf(fresh: NewDecision, by: Caller): Promise<{ topic?: Topic; project?: Project }> {
    const named = fresh.project === undefined ? undefined : await this.project(fresh.project, by)
    if (fresh.topicId !== null) {
      const place = await this.topic(fresh.topicId, by)
      if (named && named.number !== place.project.number) throw MemoryError.TOPIC_NOT_FOUND({ topicId: fresh.topicId })
      return place
    }
    if (named) return { project: named }
    const [taskId] = fresh.taskIds ?? []
    if (taskId !== undefined)
      return { project: await this.project((await this.#deps.tasks.get(taskId, by)).projectId, by) }
    // What holds everywhere is for people to decide: an agent speaks for its own project.
    const own = confinedTo(by)
    if (own === null) mayEnter('' as ProjectId, by)
    return own ? { project: await this.project(own, by) } : {}
  }

  /** A decision of a project names tasks of that project. */
  async #tasksIn(project: Project | undefined, ids: readonly TaskId[], by: Caller): Promise<TaskId[]> {
    const tasks: TaskId[] = []
    for (const taskId of ids) {
      const { id, projectId } = await this.#deps.tasks.get(taskId, by)
      if (project && projectId !== project.id) throw ProjectError.TASK_NOT_FOUND({ taskId })
      tasks.push(id)
    }
    return tasks
  }

  async #findProject(handle: number | string): Promise<Project | undefined> {
    if (typeof handle === 'number') return this.#deps.projects.findByNumber(handle)
    const project = await this.#deps.projects.find(handle as ProjectId)
    if (project || !/^\d{1,15}$/.test(handle)) return project
    return this.#deps.projects.findByNumber(Number(handle))
  }

  /** One of another project is none. */
  async #topicIn(db: Db, project: number, id: number): Promise<Topic> {
    const topic = await this.#store(db).findTopic(id)
    if (topic?.project !== project) throw MemoryError.TOPIC_NOT_FOUND({ topicId: id })
    return topic
  }

  #store(db: Db): MemoryStore {
    return new MemoryStore(db, this.#deps.search)
  }
}

function noProjectIn(folder: string) {
  return {
    en: `project_id is required: no project has the folder ${folder}. Use get-projects to list them.`,
    ja: `project_id を指定してください。フォルダー ${folder} のプロジェクトはありません。get-projects で一覧を確認できます。`,
  }
}
