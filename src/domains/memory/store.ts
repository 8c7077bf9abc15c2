// The only SQL for topics, entries and decisions. It adds and reads; there is no other way to touch them.
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import type { Decision, Entry, Topic } from './model.ts'
import type { MemoryTables } from './schema.ts'

export type TopicFilter = { project: number; parentId: number | null; decided?: boolean | undefined }

/** The id is the database's to give. */
type NewEntry = Omit<MemoryTables['entries'], 'id'>
type NewDecision = Omit<MemoryTables['decisions'], 'id'>

const topicOf = fixed((q: Kysely<MemoryTables>, values: { id: number }) =>
  q.selectFrom('topics').selectAll().where('id', '=', values.id),
)
const addEntry = fixed((q: Kysely<{ entries: NewEntry & { id?: number } }>, values: NewEntry) => {
  const { project, topic_id, content, created_at } = values
  return q.insertInto('entries').values({ project, topic_id, content, created_at }).returning('id')
})
const addDecision = fixed((q: Kysely<{ decisions: NewDecision & { id?: number } }>, values: NewDecision) => {
  const { project, topic_id, decision, reason, supersedes, created_at } = values
  return q
    .insertInto('decisions')
    .values({ project, topic_id, decision, reason, supersedes, created_at })
    .returning('id')
})
const entriesBelow = fixed((q: Kysely<MemoryTables>, values: { topicId: number; id: number; limit: number }) =>
  q
    .selectFrom('entries')
    .selectAll()
    .where('topic_id', '=', values.topicId)
    .where('id', '<', values.id)
    .orderBy('id', 'desc')
    .limit(values.limit),
)

export class MemoryStore {
  readonly #rows: Rows
  readonly #q
  readonly #search: Pick<TextSearch, 'among'>

  constructor(rows: Rows, search: Pick<TextSearch, 'among'>) {
    this.#rows = rows
    this.#q = rows.tables<MemoryTables>()
    this.#search = search
  }

  async insertTopic(topic: Omit<Topic, 'id'>): Promise<Topic> {
    const values = {
      project: topic.project,
      title: topic.title,
      description: topic.description,
      parent_id: topic.parentId,
      created_at: topic.createdAt,
    }
    const row = await this.#q.insertInto('topics').values(numbered(values)).returning('id').executeTakeFirstOrThrow()
    return { ...topic, id: row.id }
  }

  async insertEntry(entry: Omit<Entry, 'id'>): Promise<Entry> {
    const { project, topicId, content, createdAt } = entry
    const [row] = await addEntry(this.#rows, { project, topic_id: topicId, content, created_at: createdAt })
    return { ...entry, id: (row as { id: number }).id }
  }

  async insertDecision(decision: Omit<Decision, 'id' | 'supersededBy'>): Promise<Decision> {
    const [row] = await addDecision(this.#rows, {
      project: decision.project,
      topic_id: decision.topicId,
      decision: decision.decision,
      reason: decision.reason,
      supersedes: decision.supersedes,
      created_at: decision.createdAt,
    })
    return { ...decision, id: (row as { id: number }).id, supersededBy: null }
  }

  async findTopic(id: number): Promise<Topic | undefined> {
    const [row] = await topicOf(this.#rows, { id })
    return row && toTopic(row)
  }

  async findDecision(id: number): Promise<Decision | undefined> {
    return (await this.decisionsByIds([id]))[0]
  }

  async topics(filter: TopicFilter, from: number, limit: number): Promise<Topic[]> {
    let query = this.#q
      .selectFrom('topics')
      .selectAll()
      .where('project', '=', filter.project)
      .where('parent_id', filter.parentId === null ? 'is' : '=', filter.parentId)
      .where('id', '>=', from)
    if (filter.decided !== undefined) {
      const decided = sql<boolean>`EXISTS (SELECT 1 FROM decisions WHERE decisions.topic_id = topics.id)`
      query = query.where(filter.decided ? decided : sql<boolean>`NOT ${decided}`)
    }
    return (await query.orderBy('id').limit(limit).execute()).map(toTopic)
  }

  async children(project: number, parents: readonly number[], limit: number): Promise<Topic[]> {
    const rows = await this.#q
      .selectFrom('topics')
      .selectAll()
      .where('project', '=', project)
      .where(this.#search.among(sql`parent_id`, parents))
      .orderBy('parent_id')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toTopic)
  }

  /** From that id on, oldest first; without one the newest, oldest first. */
  async entries(topicId: number, from: number | undefined, limit: number): Promise<Entry[]> {
    const query = this.#q.selectFrom('entries').selectAll().where('topic_id', '=', topicId)
    if (from !== undefined)
      return (await query.where('id', '>=', from).orderBy('id').limit(limit).execute()).map(toEntry)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toEntry).reverse()
  }

  /** The newest ones before this, newest first. */
  async entriesBefore(topicId: number, id: number, limit: number): Promise<Entry[]> {
    return (await entriesBelow(this.#rows, { topicId, id, limit })).map(toEntry)
  }

  /** What had been said by then: the newest ones, newest first. */
  async entriesUntil(topicId: number, at: number, limit: number): Promise<Entry[]> {
    const rows = await this.#q
      .selectFrom('entries')
      .selectAll()
      .where('topic_id', '=', topicId)
      .where('created_at', '<=', at)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toEntry)
  }

  async decisions(topicId: number, from: number | undefined, limit: number): Promise<Decision[]> {
    const query = this.#decisions().where('topic_id', '=', topicId)
    if (from !== undefined)
      return (await query.where('id', '>=', from).orderBy('id').limit(limit).execute()).map(toDecision)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDecision).reverse()
  }

  /** All kinds in the order of their numbers, for the indexes and the export. Without a project, of all and of none. */
  async topicsFrom(from: number, limit: number, project?: number): Promise<Topic[]> {
    let query = this.#q.selectFrom('topics').selectAll().where('id', '>=', from)
    if (project !== undefined) query = query.where('project', '=', project)
    return (await query.orderBy('id').limit(limit).execute()).map(toTopic)
  }

  async entriesFrom(from: number, limit: number, project?: number): Promise<Entry[]> {
    let query = this.#q.selectFrom('entries').selectAll().where('id', '>=', from)
    if (project !== undefined) query = query.where('project', '=', project)
    return (await query.orderBy('id').limit(limit).execute()).map(toEntry)
  }

  async decisionsFrom(from: number, limit: number, project?: number | null): Promise<Decision[]> {
    let query = this.#decisions().where('id', '>=', from)
    if (project !== undefined) query = query.where('project', project === null ? 'is' : '=', project)
    return (await query.orderBy('id').limit(limit).execute()).map(toDecision)
  }

  /** Newest first, of a project and of none, below an id: what a full scan reads. */
  async topicsBefore(project: number, before: number | undefined, limit: number): Promise<Topic[]> {
    let query = this.#q.selectFrom('topics').selectAll().where('project', '=', project)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toTopic)
  }

  async decisionsBefore(project: number, before: number | undefined, limit: number): Promise<Decision[]> {
    // Not with OR: SQLite would sort all of a project's decisions to find the newest.
    const own = await this.#decisionsBefore(project, before, limit)
    const everywhere = await this.#decisionsBefore(null, before, limit)
    return [...own, ...everywhere].sort((a, b) => b.id - a.id).slice(0, limit)
  }

  async topicsByIds(ids: readonly number[]): Promise<Topic[]> {
    if (ids.length === 0) return []
    const query = this.#q.selectFrom('topics').selectAll().where(this.#search.among(sql`id`, ids))
    return (await query.orderBy('id', 'desc').execute()).map(toTopic)
  }

  async entriesByIds(ids: readonly number[]): Promise<Entry[]> {
    if (ids.length === 0) return []
    const query = this.#q.selectFrom('entries').selectAll().where(this.#search.among(sql`id`, ids))
    return (await query.orderBy('id', 'desc').execute()).map(toEntry)
  }

  async decisionsByIds(ids: readonly number[]): Promise<Decision[]> {
    if (ids.length === 0) return []
    const query = this.#decisions().where(this.#search.among(sql`id`, ids))
    return (await query.orderBy('id', 'desc').execute()).map(toDecision)
  }

  async lastIds(): Promise<{ topic: number; log: number; decision: number }> {
    const [topic, log, decision] = [
      await this.#q.selectFrom('topics').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst(),
      await this.#q.selectFrom('entries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst(),
      await this.#q.selectFrom('decisions').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst(),
    ]
    return { topic: topic?.id ?? 0, log: log?.id ?? 0, decision: decision?.id ?? 0 }
  }

  async #decisionsBefore(project: number | null, before: number | undefined, limit: number): Promise<Decision[]> {
    let query = this.#decisions().where('project', project === null ? 'is' : '=', project)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDecision)
  }

  #decisions() {
    return this.#q
      .selectFrom('decisions')
      .selectAll()
      .select(
        sql<number | null>`(SELECT MAX(newer.id) FROM decisions newer WHERE newer.supersedes = decisions.id)`.as(
          'superseded_by',
        ),
      )
  }
}

/** The id is the database's to give. */
function numbered<V>(values: V): V & { id: number } {
  return values as V & { id: number }
}

function toTopic(row: MemoryTables['topics']): Topic {
  const { id, project, title, description } = row
  return { id, project, title, description, parentId: row.parent_id, createdAt: row.created_at }
}

function toEntry(row: MemoryTables['entries']): Entry {
  return { id: row.id, project: row.project, topicId: row.topic_id, content: row.content, createdAt: row.created_at }
}

function toDecision(row: MemoryTables['decisions'] & { superseded_by: number | null }): Decision {
  return {
    id: row.id,
    project: row.project,
    topicId: row.topic_id,
    decision: row.decision,
    reason: row.reason,
    supersedes: row.supersedes,
    supersededBy: row.superseded_by,
    createdAt: row.created_at,
  }
}
