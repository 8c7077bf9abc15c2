// The only SQL for topics, entries and decisions. It adds and reads; there is no other way to touch them.
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import type { Decision, Entry, Topic } from './model.ts'
import type { MemoryTables } from './schema.ts'

export type TopicFilter = { project: number; parentId: number | null; decided?: boolean | undefined }

/** The id is the database's to give. */
type Given<T> = Omit<T, 'id'>
type Inserting<T extends keyof MemoryTables> = Record<T, Given<MemoryTables[T]> & { id?: number }>
type Page = { from: number; limit: number }
type Before = { project: number; before: number; limit: number }

/** Behind every id there is: a page that begins at the newest. */
const END = Number.MAX_SAFE_INTEGER

const addTopic = fixed((q: Kysely<Inserting<'topics'>>, values: Given<MemoryTables['topics']>) => {
  const { project, title, description, parent_id, created_at } = values
  return q.insertInto('topics').values({ project, title, description, parent_id, created_at }).returning('id')
})
const addEntry = fixed((q: Kysely<Inserting<'entries'>>, values: Given<MemoryTables['entries']>) => {
  const { project, topic_id, content, created_at } = values
  return q.insertInto('entries').values({ project, topic_id, content, created_at }).returning('id')
})
const addDecision = fixed((q: Kysely<Inserting<'decisions'>>, values: Given<MemoryTables['decisions']>) => {
  const { project, topic_id, decision, reason, supersedes, created_at, person } = values
  return q
    .insertInto('decisions')
    .values({ project, topic_id, decision, reason, supersedes, created_at, person })
    .returning('id')
})
const topicOf = fixed((q: Kysely<MemoryTables>, values: { id: number }) =>
  q.selectFrom('topics').selectAll().where('id', '=', values.id),
)
const decisionOf = fixed((q: Kysely<MemoryTables>, values: { id: number }) =>
  decisionsIn(q).where('id', '=', values.id),
)

/** By whether they have a decision: either, none, some. */
const topicsAtTop = [undefined, false, true].map(decided =>
  fixed((q: Kysely<MemoryTables>, values: Page & { project: number }) =>
    topicPage(q, decided, values).where('parent_id', 'is', null),
  ),
)
const topicsBelow = [undefined, false, true].map(decided =>
  fixed((q: Kysely<MemoryTables>, values: Page & { project: number; parent: number }) =>
    topicPage(q, decided, values).where('parent_id', '=', values.parent),
  ),
)

const entriesAfter = fixed((q: Kysely<MemoryTables>, values: Page & { topicId: number }) =>
  pageOf(q.selectFrom('entries').selectAll().where('topic_id', '=', values.topicId), values),
)
const entriesBelow = fixed((q: Kysely<MemoryTables>, values: { topicId: number; id: number; limit: number }) =>
  q
    .selectFrom('entries')
    .selectAll()
    .where('topic_id', '=', values.topicId)
    .where('id', '<', values.id)
    .orderBy('id', 'desc')
    .limit(values.limit),
)
const entriesBy = fixed((q: Kysely<MemoryTables>, values: { topicId: number; at: number; limit: number }) =>
  q
    .selectFrom('entries')
    .selectAll()
    .where('topic_id', '=', values.topicId)
    .where('created_at', '<=', values.at)
    .orderBy('id', 'desc')
    .limit(values.limit),
)
const decisionsAfter = fixed((q: Kysely<MemoryTables>, values: Page & { topicId: number }) =>
  pageOf(decisionsIn(q).where('topic_id', '=', values.topicId), values),
)
const decisionsBelow = fixed((q: Kysely<MemoryTables>, values: { topicId: number; id: number; limit: number }) =>
  decisionsIn(q)
    .where('topic_id', '=', values.topicId)
    .where('id', '<', values.id)
    .orderBy('id', 'desc')
    .limit(values.limit),
)

const allTopics = fixed((q: Kysely<MemoryTables>, values: Page) => pageOf(q.selectFrom('topics').selectAll(), values))
const allEntries = fixed((q: Kysely<MemoryTables>, values: Page) => pageOf(q.selectFrom('entries').selectAll(), values))
const allDecisions = fixed((q: Kysely<MemoryTables>, values: Page) => pageOf(decisionsIn(q), values))
const topicsOf = fixed((q: Kysely<MemoryTables>, values: Page & { project: number }) =>
  pageOf(q.selectFrom('topics').selectAll().where('project', '=', values.project), values),
)
const entriesOf = fixed((q: Kysely<MemoryTables>, values: Page & { project: number }) =>
  pageOf(q.selectFrom('entries').selectAll().where('project', '=', values.project), values),
)
const decisionsOf = fixed((q: Kysely<MemoryTables>, values: Page & { project: number }) =>
  pageOf(decisionsIn(q).where('project', '=', values.project), values),
)
const decisionsOfNone = fixed((q: Kysely<MemoryTables>, values: Page) =>
  pageOf(decisionsIn(q).where('project', 'is', null), values),
)

/** What is looked for in records that wait for the index: of a project, and of none. */
const topicTextsBehind = fixed((q: Kysely<MemoryTables>, values: { project: number; id: number }) =>
  q
    .selectFrom('topics')
    .select(['id', 'title as a', sql<string>`coalesce(description, '')`.as('b')])
    .where(sql<boolean>`id > ${values.id}`)
    .where(sql<boolean>`project = ${values.project}`),
)
const decisionTextsBehind = fixed((q: Kysely<MemoryTables>, values: { project: number; id: number }) =>
  q
    .selectFrom('decisions')
    .select(['id', 'decision as a', 'reason as b'])
    .where(sql<boolean>`id > ${values.id}`)
    .where(sql<boolean>`coalesce(project, ${values.project}) = ${values.project}`),
)

const entryCounts = fixed((q: Kysely<MemoryTables>, values: { project: number }) =>
  q
    .selectFrom('entries')
    .select(({ fn }) => ['topic_id', fn.countAll<number>().as('count')])
    .where('project', '=', values.project)
    .groupBy('topic_id'),
)

const newestTopics = fixed((q: Kysely<MemoryTables>, values: Before) =>
  q
    .selectFrom('topics')
    .selectAll()
    .where('project', '=', values.project)
    .where('id', '<', values.before)
    .orderBy('id', 'desc')
    .limit(values.limit),
)
const newestDecisions = fixed((q: Kysely<MemoryTables>, values: Before) =>
  decisionsIn(q)
    .where('project', '=', values.project)
    .where('id', '<', values.before)
    .orderBy('id', 'desc')
    .limit(values.limit),
)
const newestOfNone = fixed((q: Kysely<MemoryTables>, values: Omit<Before, 'project'>) =>
  decisionsIn(q).where('project', 'is', null).where('id', '<', values.before).orderBy('id', 'desc').limit(values.limit),
)
const lastIds = fixed((q: Kysely<MemoryTables>, _values: Record<string, never>) =>
  q.selectNoFrom([
    sql<number | null>`(SELECT MAX(id) FROM topics)`.as('topic'),
    sql<number | null>`(SELECT MAX(id) FROM entries)`.as('log'),
    sql<number | null>`(SELECT MAX(id) FROM decisions)`.as('decision'),
  ]),
)

/** A list of ids is one value, whatever their count; how it is written is the database's. */
const listed = new WeakMap<Lists, ReturnType<typeof listQueries>>()
function listQueries(lists: Lists) {
  const ids = (values: { ids: string }) => lists.inList(sql`id`, values.ids)
  return {
    topics: fixed((q: Kysely<MemoryTables>, values: { ids: string }) =>
      q.selectFrom('topics').selectAll().where(ids(values)).orderBy('id', 'desc'),
    ),
    entries: fixed((q: Kysely<MemoryTables>, values: { ids: string }) =>
      q.selectFrom('entries').selectAll().where(ids(values)).orderBy('id', 'desc'),
    ),
    decisions: fixed((q: Kysely<MemoryTables>, values: { ids: string }) =>
      decisionsIn(q).where(ids(values)).orderBy('id', 'desc'),
    ),
    children: fixed((q: Kysely<MemoryTables>, values: { project: number; parents: string; limit: number }) =>
      q
        .selectFrom('topics')
        .selectAll()
        .where('project', '=', values.project)
        .where(lists.inList(sql`parent_id`, values.parents))
        .orderBy('parent_id')
        .orderBy('id')
        .limit(values.limit),
    ),
  }
}

type Lists = Pick<TextSearch, 'inList' | 'listOf'>

export class MemoryStore {
  readonly #rows: Rows
  readonly #lists: Lists

  constructor(rows: Rows, lists: Lists) {
    this.#rows = rows
    this.#lists = lists
  }

  async insertTopic(topic: Omit<Topic, 'id'>): Promise<Topic> {
    const { project, title, description, parentId, createdAt } = topic
    const values = { project, title, description, parent_id: parentId, created_at: createdAt }
    const [row] = await addTopic(this.#rows, values)
    return { ...topic, id: (row as { id: number }).id }
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
      person: decision.person,
    })
    return { ...decision, id: (row as { id: number }).id, supersededBy: null }
  }

  async findTopic(id: number): Promise<Topic | undefined> {
    const [row] = await topicOf(this.#rows, { id })
    return row && toTopic(row)
  }

  async findDecision(id: number): Promise<Decision | undefined> {
    const [row] = await decisionOf(this.#rows, { id })
    return row && toDecision(row)
  }

  async topics({ project, parentId, decided }: TopicFilter, from: number, limit: number): Promise<Topic[]> {
    const which = decided === undefined ? 0 : decided ? 2 : 1
    const found =
      parentId === null
        ? topicsAtTop[which]?.(this.#rows, { project, from, limit })
        : topicsBelow[which]?.(this.#rows, { project, parent: parentId, from, limit })
    return ((await found) ?? []).map(toTopic)
  }

  async children(project: number, parents: readonly number[], limit: number): Promise<Topic[]> {
    const values = { project, parents: this.#lists.listOf(parents), limit }
    return (await this.#listed.children(this.#rows, values)).map(toTopic)
  }

  /** From that id on, oldest first; without one the newest, oldest first. */
  async entries(topicId: number, from: number | undefined, limit: number): Promise<Entry[]> {
    if (from !== undefined) return (await entriesAfter(this.#rows, { topicId, from, limit })).map(toEntry)
    return (await this.entriesBefore(topicId, END, limit)).reverse()
  }

  /** The newest ones before this, newest first. */
  async entriesBefore(topicId: number, id: number, limit: number): Promise<Entry[]> {
    return (await entriesBelow(this.#rows, { topicId, id, limit })).map(toEntry)
  }

  /** What had been said by then: the newest ones, newest first. */
  async entriesUntil(topicId: number, at: number, limit: number): Promise<Entry[]> {
    return (await entriesBy(this.#rows, { topicId, at, limit })).map(toEntry)
  }

  async decisions(topicId: number, from: number | undefined, limit: number): Promise<Decision[]> {
    if (from !== undefined) return (await decisionsAfter(this.#rows, { topicId, from, limit })).map(toDecision)
    return (await decisionsBelow(this.#rows, { topicId, id: END, limit })).map(toDecision).reverse()
  }

  /** All kinds in the order of their numbers, for the indexes and the export. Without a project, of all and of none. */
  async topicsFrom(from: number, limit: number, project?: number): Promise<Topic[]> {
    const found =
      project === undefined ? allTopics(this.#rows, { from, limit }) : topicsOf(this.#rows, { from, limit, project })
    return (await found).map(toTopic)
  }

  async entriesFrom(from: number, limit: number, project?: number): Promise<Entry[]> {
    const found =
      project === undefined ? allEntries(this.#rows, { from, limit }) : entriesOf(this.#rows, { from, limit, project })
    return (await found).map(toEntry)
  }

  async decisionsFrom(from: number, limit: number, project?: number | null): Promise<Decision[]> {
    if (project === undefined) return (await allDecisions(this.#rows, { from, limit })).map(toDecision)
    if (project === null) return (await decisionsOfNone(this.#rows, { from, limit })).map(toDecision)
    return (await decisionsOf(this.#rows, { from, limit, project })).map(toDecision)
  }

  /** Newest first, of a project and of none, below an id: what a full scan reads. */
  async topicsBefore(project: number, before: number | undefined, limit: number): Promise<Topic[]> {
    return (await newestTopics(this.#rows, { project, before: before ?? END, limit })).map(toTopic)
  }

  async decisionsBefore(project: number, before: number = END, limit: number): Promise<Decision[]> {
    // Not with OR: SQLite would sort all of a project's decisions to find the newest.
    const own = await newestDecisions(this.#rows, { project, before, limit })
    const everywhere = await newestOfNone(this.#rows, { before, limit })
    const both = [...own, ...everywhere].map(toDecision)
    return both.sort((a, b) => b.id - a.id).slice(0, limit)
  }

  /** Newest first: those of a topic, and those that a task is linked to. */
  async decisionsAbout(
    project: number,
    {
      topicId,
      taskId,
      before = END,
    }: { topicId?: number | undefined; taskId?: TaskId | undefined; before?: number | undefined },
    limit: number,
  ): Promise<Decision[]> {
    const q = this.#rows.tables<MemoryTables>()
    let query = decisionsIn(q)
      .where(eb => eb.or([eb('project', '=', project), eb('project', 'is', null)]))
      .where('id', '<', before)
    if (topicId !== undefined) query = query.where('topic_id', '=', topicId)
    if (taskId !== undefined)
      query = query.where(
        'id',
        'in',
        q.selectFrom('decision_tasks').select('decision_id').where('task_id', '=', taskId),
      )
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDecision)
  }

  textsBehind(
    kind: 'topic' | 'decision',
    project: number,
    id: number,
  ): Promise<{ id: number; a: string; b: string }[]> {
    return (kind === 'topic' ? topicTextsBehind : decisionTextsBehind)(this.#rows, { project, id })
  }

  /** How many entries each topic has; those with none are missing. */
  async countEntries(project: number): Promise<Map<number, number>> {
    return new Map((await entryCounts(this.#rows, { project })).map(row => [row.topic_id, Number(row.count)]))
  }

  async topicsByIds(ids: readonly number[]): Promise<Topic[]> {
    if (ids.length === 0) return []
    return (await this.#listed.topics(this.#rows, { ids: this.#lists.listOf(ids) })).map(toTopic)
  }

  async entriesByIds(ids: readonly number[]): Promise<Entry[]> {
    if (ids.length === 0) return []
    return (await this.#listed.entries(this.#rows, { ids: this.#lists.listOf(ids) })).map(toEntry)
  }

  async decisionsByIds(ids: readonly number[]): Promise<Decision[]> {
    if (ids.length === 0) return []
    return (await this.#listed.decisions(this.#rows, { ids: this.#lists.listOf(ids) })).map(toDecision)
  }

  async lastIds(): Promise<{ topic: number; log: number; decision: number }> {
    const [row] = await lastIds(this.#rows, {})
    return { topic: row?.topic ?? 0, log: row?.log ?? 0, decision: row?.decision ?? 0 }
  }

  get #listed() {
    let queries = listed.get(this.#lists)
    if (!queries) listed.set(this.#lists, (queries = listQueries(this.#lists)))
    return queries
  }
}

function pageOf<T extends 'topics' | 'entries' | 'decisions', O>(
  query: SelectQueryBuilder<MemoryTables, T, O>,
  { from, limit }: Page,
) {
  return query.where(sql<boolean>`id >= ${from}`).orderBy(sql`id`).limit(limit)
}

function topicPage(
  q: Kysely<MemoryTables>,
  decided: boolean | undefined,
  { project, from, limit }: Page & { project: number },
) {
  const query = q
    .selectFrom('topics')
    .selectAll()
    .where('project', '=', project)
    .where('id', '>=', from)
    .orderBy('id')
    .limit(limit)
  if (decided === undefined) return query
  const some = sql<boolean>`EXISTS (SELECT 1 FROM decisions WHERE decisions.topic_id = topics.id)`
  return query.where(decided ? some : sql<boolean>`NOT ${some}`)
}

function decisionsIn(q: Kysely<MemoryTables>) {
  return q
    .selectFrom('decisions')
    .selectAll()
    .select(
      sql<number | null>`(SELECT MAX(newer.id) FROM decisions newer WHERE newer.supersedes = decisions.id)`.as(
        'superseded_by',
      ),
    )
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
    person: row.person,
  }
}
