import type { Insertable, Selectable } from 'kysely'
import type { MessageId, ProjectId, TabId, TaskId } from '#contract/id-types.ts'
import type { TabEnd } from '#contract/tabs.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { Message, Problem, Tab } from './model.ts'
import type { TabTables } from './schema.ts'

export type TabFilter = { projectId?: ProjectId | undefined; hub?: string | undefined; live?: boolean }

/** `tabId`: sent to it or by it. */
export type MessageFilter = { tabId?: TabId | undefined; projectId?: ProjectId | undefined }

export class TabStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<TabTables>()
  }

  async find(id: TabId): Promise<Tab | undefined> {
    const row = await this.#q.selectFrom('tabs').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toTab(row)
  }

  async findByTicket(digest: string): Promise<Tab | undefined> {
    const row = await this.#q.selectFrom('tabs').selectAll().where('ticket_digest', '=', digest).executeTakeFirst()
    return row && toTab(row)
  }

  /** The live one that works on this branch of this project, or in this folder. */
  async findLive(at: { projectId: ProjectId; branch: string } | { worktreePath: string }): Promise<Tab | undefined> {
    let query = this.#q.selectFrom('tabs').selectAll().where('ended_at', 'is', null)
    query =
      'branch' in at
        ? query.where('project_id', '=', at.projectId).where('branch', '=', at.branch)
        : query.where('worktree_path', '=', at.worktreePath)
    const row = await query.orderBy('id').executeTakeFirst()
    return row && toTab(row)
  }

  /** The live ones in the workspace of this task. */
  async listOn(taskId: TaskId): Promise<Tab[]> {
    const query = this.#q.selectFrom('tabs').selectAll().where('task_id', '=', taskId)
    return (await query.where('ended_at', 'is', null).execute()).map(toTab)
  }

  /** Oldest first; ids grow with time. */
  async list(filter: TabFilter, after = '', limit = 1000): Promise<Tab[]> {
    let query = this.#q
      .selectFrom('tabs')
      .selectAll()
      .where('id', '>', after as TabId)
    if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId)
    if (filter.hub !== undefined) query = query.where('hub', '=', filter.hub)
    if (filter.live) query = query.where('ended_at', 'is', null)
    else query = query.where(eb => eb.or([eb('end_reason', 'is', null), eb('end_reason', '!=', 'refused')]))
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map(toTab)
  }

  async listEnded(projectId: ProjectId | undefined, limit: number): Promise<Tab[]> {
    let query = this.#q.selectFrom('tabs').selectAll().where('ended_at', 'is not', null)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    // What was refused never ran.
    query = query.where(eb => eb.or([eb('end_reason', 'is', null), eb('end_reason', '!=', 'refused')]))
    return (await query.orderBy('ended_at', 'desc').limit(limit).execute()).map(toTab)
  }

  /** When this hub launched tabs since then, oldest first, in its own time. What was refused was no launch. */
  async launchesSince(hub: string, since: number, projectId?: ProjectId): Promise<number[]> {
    const query = this.#q
      .selectFrom('tabs')
      .select('began_at')
      .where('hub', '=', hub)
      .where('began_at', '>', since)
      .where(eb => eb.or([eb('end_reason', 'is', null), eb('end_reason', '!=', 'refused')]))
      .orderBy('began_at')
    const rows = await (projectId === undefined ? query : query.where('project_id', '=', projectId)).execute()
    return rows.map(row => row.began_at)
  }

  async insert(tab: Tab): Promise<void> {
    await this.#q.insertInto('tabs').values(toRow(tab)).execute()
  }

  async save(tab: Tab): Promise<void> {
    await this.#q.updateTable('tabs').set(toRow(tab)).where('id', '=', tab.id).execute()
  }
}

export class MessageStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<TabTables>()
  }

  async insert(message: Omit<Message, 'seq'>): Promise<Message> {
    const row = await this.#q
      .insertInto('messages')
      // The number is the database's to give.
      .values(toMessageRow(message) as Insertable<TabTables['messages']>)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toMessage(row)
  }

  async find(id: MessageId): Promise<Message | undefined> {
    const row = await this.#q.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toMessage(row)
  }

  async findBefore(tabId: TabId, seq: number): Promise<Message | undefined> {
    const earlier = this.#q.selectFrom('messages').selectAll().where('tab_id', '=', tabId).where('seq', '<', seq)
    const row = await earlier.orderBy('seq', 'desc').limit(1).executeTakeFirst()
    return row && toMessage(row)
  }

  async nextQueued(tabId: TabId): Promise<Message | undefined> {
    const row = await this.#queued(tabId).selectAll().orderBy('seq').limit(1).executeTakeFirst()
    return row && toMessage(row)
  }

  async queued(tabId: TabId): Promise<Message[]> {
    return (await this.#queued(tabId).selectAll().orderBy('seq').execute()).map(toMessage)
  }

  async countQueued(tabId: TabId): Promise<number> {
    const row = await this.#queued(tabId)
      .select(eb => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }

  /** The newest messages of a tab, if recent, and those that are not delivered yet. */
  async heard(tabId: TabId): Promise<Pick<Message, 'hops' | 'deliveredAt'>[]> {
    const mine = this.#q.selectFrom('messages').where('tab_id', '=', tabId).where('failed_at', 'is', null)
    const last = mine.where('typed_at', 'is not', null).orderBy('seq', 'desc').limit(1)
    const waiting = this.#queued(tabId).where('typed_at', 'is', null)
    return [
      ...(await last.select(['hops', 'delivered_at as deliveredAt']).execute()),
      ...(await waiting.select(['hops', 'delivered_at as deliveredAt']).execute()),
    ]
  }

  /** Messages, not prompts: newest `limit` without `after`, else those behind it; oldest first either way. */
  async list(tabId: TabId, after: number | undefined, limit: number): Promise<Message[]> {
    const all = this.#q.selectFrom('messages').selectAll().where('tab_id', '=', tabId).where('kind', '=', 'message')
    const rows =
      after === undefined
        ? (await all.orderBy('seq', 'desc').limit(limit).execute()).reverse()
        : await all.where('seq', '>', after).orderBy('seq').limit(limit).execute()
    return rows.map(toMessage)
  }

  /** Messages, not prompts; newest first. */
  async newest({ tabId, projectId }: MessageFilter, before: number | undefined, limit: number): Promise<Message[]> {
    let query = this.#q.selectFrom('messages').selectAll().where('kind', '=', 'message')
    if (tabId !== undefined) query = query.where(eb => eb.or([eb('tab_id', '=', tabId), eb('sender', '=', tabId)]))
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    if (before !== undefined) query = query.where('seq', '<', before)
    return (await query.orderBy('seq', 'desc').limit(limit).execute()).map(toMessage)
  }

  async findPrompt(tabId: TabId): Promise<Message | undefined> {
    const row = await this.#q
      .selectFrom('messages')
      .selectAll()
      .where('tab_id', '=', tabId)
      .where('kind', '=', 'prompt')
      .executeTakeFirst()
    return row && toMessage(row)
  }

  async typed(id: MessageId, at: number): Promise<void> {
    await this.#q.updateTable('messages').set({ typed_at: at }).where('id', '=', id).execute()
  }

  async settle(id: MessageId, outcome: { deliveredAt: number } | { failedAt: number; reason: string }): Promise<void> {
    const set =
      'deliveredAt' in outcome
        ? { delivered_at: outcome.deliveredAt }
        : { failed_at: outcome.failedAt, reason: outcome.reason }
    await this.#q.updateTable('messages').set(set).where('id', '=', id).execute()
  }

  #queued(tabId: TabId) {
    return this.#q
      .selectFrom('messages')
      .where('tab_id', '=', tabId)
      .where('delivered_at', 'is', null)
      .where('failed_at', 'is', null)
  }
}

function toTab(row: Selectable<TabTables['tabs']>): Tab {
  return {
    id: row.id,
    hub: row.hub,
    engine: row.engine,
    projectId: row.project_id,
    taskId: row.task_id,
    directory: row.directory,
    branch: row.branch,
    base: row.base,
    prompt: row.prompt,
    worktreeId: row.worktree_id,
    worktreePath: row.worktree_path,
    sessionId: row.session_id,
    resumes: row.resumes,
    permission: row.permission as Tab['permission'],
    depth: row.depth,
    launchedBy: row.launched_by,
    parentId: row.parent_id,
    process: row.process === null ? null : (JSON.parse(row.process) as ProcessRecord),
    ticketDigest: row.ticket_digest,
    ticketConnections: JSON.parse(row.ticket_connections) as string[],
    createdAt: row.created_at,
    beganAt: row.began_at,
    openedAt: row.opened_at,
    readyAt: row.ready_at,
    stopRequestedAt: row.stop_requested_at,
    endedAt: row.ended_at,
    endReason: row.end_reason as TabEnd | null,
    exitCode: row.exit_code,
    exitSignal: row.exit_signal,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as Problem),
  }
}

function toRow(tab: Tab): TabTables['tabs'] {
  return {
    id: tab.id,
    hub: tab.hub,
    engine: tab.engine,
    project_id: tab.projectId,
    task_id: tab.taskId,
    directory: tab.directory,
    branch: tab.branch,
    base: tab.base,
    prompt: tab.prompt,
    worktree_id: tab.worktreeId,
    worktree_path: tab.worktreePath,
    session_id: tab.sessionId,
    resumes: tab.resumes,
    permission: tab.permission,
    depth: tab.depth,
    launched_by: tab.launchedBy,
    parent_id: tab.parentId,
    process: tab.process === null ? null : JSON.stringify(tab.process),
    ticket_digest: tab.ticketDigest,
    ticket_connections: JSON.stringify(tab.ticketConnections),
    created_at: tab.createdAt,
    began_at: tab.beganAt,
    opened_at: tab.openedAt,
    ready_at: tab.readyAt,
    stop_requested_at: tab.stopRequestedAt,
    ended_at: tab.endedAt,
    end_reason: tab.endReason,
    exit_code: tab.exitCode,
    exit_signal: tab.exitSignal,
    problem: tab.problem === null ? null : JSON.stringify(tab.problem),
  }
}

function toMessage(row: Selectable<TabTables['messages']>): Message {
  return {
    seq: row.seq,
    id: row.id,
    tabId: row.tab_id,
    projectId: row.project_id,
    sender: row.sender,
    caller: row.caller,
    kind: row.kind as Message['kind'],
    body: row.body,
    line: row.line,
    hidden: row.hidden,
    hops: row.hops,
    queuedAt: row.queued_at,
    typedAt: row.typed_at,
    deliveredAt: row.delivered_at,
    failedAt: row.failed_at,
    reason: row.reason,
  }
}

function toMessageRow(message: Omit<Message, 'seq'>): Omit<TabTables['messages'], 'seq'> {
  return {
    id: message.id,
    tab_id: message.tabId,
    project_id: message.projectId,
    sender: message.sender,
    caller: message.caller,
    kind: message.kind,
    body: message.body,
    line: message.line,
    hidden: message.hidden,
    hops: message.hops,
    queued_at: message.queuedAt,
    typed_at: message.typedAt,
    delivered_at: message.deliveredAt,
    failed_at: message.failedAt,
    reason: message.reason,
  }
}
