import { type Kysely, sql } from 'kysely'
import type { AgentId, AnswerId, HandoffId, NoteId, PassId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import { keyFor, searched, takenBy } from './model.ts'

export type ProjectTables = {
  projects: {
    number: number
    id: ProjectId
    name: string
    description: string
    directory: string | null
    active: number
    created_at: number
    asana_url: string | null
    /** Null only in rows of an older export, until they are numbered. */
    key: string | null
    /** The number of the newest task: none is given twice. */
    last_task: number
    workspace: string
    base: string | null
    accept: string
    reviewer_id: AgentId | null
    merge: string
  }
  project_agents: { project_id: ProjectId; agent_id: AgentId; at: number }
  tasks: {
    id: TaskId
    project_id: ProjectId
    title: string
    description: string
    status: string
    priority: string
    assignee_id: AgentId | null
    assigned_at: number | null
    /** In words, or else as a fact in JSON. */
    blocked_reason: string | null
    blocked_facts: string | null
    /** It is blocked, and no agent said so: no agent opens it. */
    for_people: number
    created_at: number
    updated_at: number
    /** Null only in rows of an older export, until they are numbered. */
    number: number | null
    parent_id: TaskId | null
    branch: string | null
    reported_at: number | null
    verified_at: number | null
    accepted_at: number | null
    queued_at: number | null
    merged_at: number | null
    /** Title and description as text is searched. Null only in rows of an older export, until they are folded. */
    folded: string | null
    /** Who added it, where that was not the operator. */
    made_by: string | null
    /** A person put it away: it is hidden since then, and gone some weeks later. */
    deleted_at: number | null
    /** Where a person put it in its column; it holds while the task has the status `ranked_in`. */
    rank: number | null
    ranked_in: string | null
  }
  /** A task is not started before those that it depends on are accepted. */
  task_links: { task_id: TaskId; depends_on: TaskId; at: number }
  /** `folded`: as labels are compared. */
  task_labels: { task_id: TaskId; label: string; folded: string }
  /** What people said to a task while it was blocked, and what it had asked. */
  task_answers: {
    id: AnswerId
    task_id: TaskId
    question: string | null
    question_facts: string | null
    answer: string
    at: number
  }
  notes: {
    id: NoteId
    task_id: TaskId
    agent_id: AgentId | null
    progress: string | null
    findings: string | null
    blockers: string | null
    next_steps: string | null
    at: number
    /** Who saved it, where that is no agent and gave a name. */
    person: string | null
  }
  handoffs: {
    id: HandoffId
    task_id: TaskId
    from_agent_id: AgentId
    to_agent_id: AgentId | null
    summary: string
    context: string | null
    recommendations: string | null
    created_at: number
    accepted_at: number | null
    accepted_by: AgentId | null
    /** The files of the task's workspace as they were; null where it has none, or they could not be read. */
    tree: string | null
    /** It was one too many: a person was asked. */
    stopped: number
  }
  /** An agent gave it to another without a handoff. */
  task_passes: {
    id: PassId
    task_id: TaskId
    /** Null: nobody. */
    from_agent_id: AgentId | null
    to_agent_id: AgentId | null
    created_at: number
    tree: string | null
    stopped: number
  }
}

export const projectMigrations: Migration[] = [
  {
    id: 'projects.1',
    async up(db, column) {
      await db.schema
        .createTable('projects')
        .addColumn('number', column.serial)
        .addColumn('id', 'text', c => c.notNull().unique())
        .addColumn('name', 'text', c => c.notNull().unique())
        .addColumn('description', 'text', c => c.notNull())
        .addColumn('directory', 'text')
        .addColumn('active', 'integer', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .execute()
      await db.schema.createIndex('projects_directory').on('projects').column('directory').execute()
      await db.schema
        .createTable('project_agents')
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('agent_id', column.id, c => c.notNull().references('agents.id'))
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('project_agents_pair', ['project_id', 'agent_id'])
        .execute()
      await db.schema.createIndex('project_agents_agent').on('project_agents').column('agent_id').execute()
      await db.schema
        .createTable('tasks')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('title', 'text', c => c.notNull())
        .addColumn('description', 'text', c => c.notNull())
        .addColumn('status', 'text', c => c.notNull())
        .addColumn('priority', 'text', c => c.notNull())
        .addColumn('assignee_id', 'text', c => c.references('agents.id'))
        .addColumn('assigned_at', 'bigint')
        .addColumn('blocked_reason', 'text')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('updated_at', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createIndex('tasks_board')
        .on('tasks')
        .columns(['project_id', 'status', 'created_at', 'id'])
        .execute()
      await db.schema.createIndex('tasks_project').on('tasks').columns(['project_id', 'created_at', 'id']).execute()
      await db.schema
        .createIndex('tasks_assignee')
        .on('tasks')
        .columns(['assignee_id', 'status', 'created_at', 'id'])
        .execute()
      await db.schema
        .createTable('notes')
        .addColumn('id', column.id, c => c.notNull())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('agent_id', 'text')
        .addColumn('progress', 'text')
        .addColumn('findings', 'text')
        .addColumn('blockers', 'text')
        .addColumn('next_steps', 'text')
        .addColumn('at', 'bigint', c => c.notNull())
        // They lie as they are read, by task: no other tree, and so one page to sync with each note in place of three.
        .addPrimaryKeyConstraint('notes_place', ['task_id', 'id'])
        .modifyEnd(column.clustered)
        .execute()
      await db.schema
        .createTable('handoffs')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('from_agent_id', 'text', c => c.notNull().references('agents.id'))
        .addColumn('to_agent_id', 'text', c => c.references('agents.id'))
        .addColumn('summary', 'text', c => c.notNull())
        .addColumn('context', 'text')
        .addColumn('recommendations', 'text')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('accepted_at', 'bigint')
        .addColumn('accepted_by', 'text')
        .execute()
      await db.schema.createIndex('handoffs_task').on('handoffs').columns(['task_id', 'id']).execute()
      await db.schema
        .createIndex('handoffs_open')
        .on('handoffs')
        .columns(['accepted_at', 'to_agent_id', 'id'])
        .execute()
    },
  },
  {
    id: 'projects.2',
    async up(db) {
      await db.schema.alterTable('projects').addColumn('asana_url', 'text').execute()
    },
  },
  {
    id: 'projects.scans.1',
    async up(db) {
      // Lists over all projects, and the question which pairs have work.
      await db.schema.createIndex('tasks_created').on('tasks').columns(['created_at', 'id']).execute()
      await db.schema.createIndex('tasks_status').on('tasks').columns(['status', 'created_at', 'id']).execute()
      await db.schema.createIndex('tasks_assigned').on('tasks').columns(['assignee_id', 'created_at', 'id']).execute()
    },
  },
  {
    id: 'projects.thread.1',
    async up(db, column) {
      const text = (table: string, name: string, value: string) =>
        db.schema
          .alterTable(table)
          .addColumn(name, 'text', c => c.notNull().defaultTo(value))
          .execute()
      await db.schema.alterTable('projects').addColumn('key', 'text').execute()
      await db.schema
        .alterTable('projects')
        .addColumn('last_task', 'integer', c => c.notNull().defaultTo(0))
        .execute()
      // What there is already stays as it was: agents work in the folder, and their report is enough.
      await text('projects', 'workspace', 'folder')
      await db.schema.alterTable('projects').addColumn('base', 'text').execute()
      await text('projects', 'accept', 'report')
      await db.schema.alterTable('projects').addColumn('reviewer_id', 'text').execute()
      await text('projects', 'merge', 'merge')
      await db.schema.alterTable('tasks').addColumn('number', 'integer').execute()
      await db.schema.alterTable('tasks').addColumn('parent_id', 'text').execute()
      await db.schema.alterTable('tasks').addColumn('branch', 'text').execute()
      await db.schema.alterTable('tasks').addColumn('folded', 'text').execute()
      for (const fact of ['reported_at', 'verified_at', 'accepted_at', 'queued_at', 'merged_at'])
        await db.schema.alterTable('tasks').addColumn(fact, 'bigint').execute()
      await db.schema.createIndex('projects_key').unique().on('projects').column('key').execute()
      await db.schema.createIndex('tasks_number').unique().on('tasks').columns(['project_id', 'number']).execute()
      await db.schema.createIndex('tasks_parent').on('tasks').columns(['parent_id', 'id']).execute()
      await db.schema
        .createTable('task_links')
        .addColumn('task_id', column.id, c => c.notNull().references('tasks.id'))
        .addColumn('depends_on', column.id, c => c.notNull().references('tasks.id'))
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('task_links_pair', ['task_id', 'depends_on'])
        .execute()
      await db.schema.createIndex('task_links_back').on('task_links').column('depends_on').execute()
      await db.schema
        .createTable('task_labels')
        .addColumn('task_id', column.id, c => c.notNull().references('tasks.id'))
        .addColumn('label', 'text', c => c.notNull())
        .addColumn('folded', 'text', c => c.notNull())
        .addPrimaryKeyConstraint('task_labels_pair', ['task_id', 'folded'])
        .execute()
      await db.schema.createIndex('task_labels_folded').on('task_labels').column('folded').execute()
      await db.schema.alterTable('notes').addColumn('person', 'text').execute()
      await giveHandles(db)
    },
  },
  {
    id: 'projects.plans.1',
    async up(db) {
      await db.schema.alterTable('tasks').addColumn('made_by', 'text').execute()
      await db.schema.createIndex('tasks_made_by').on('tasks').columns(['made_by', 'project_id', 'status']).execute()
    },
  },
  {
    id: 'projects.answers',
    async up(db, column) {
      await db.schema
        .createTable('task_answers')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('question', 'text')
        .addColumn('answer', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
      await db.schema.createIndex('task_answers_task').on('task_answers').columns(['task_id', 'id']).execute()
    },
  },
  {
    id: 'projects.ranks.1',
    async up(db) {
      await db.schema.alterTable('tasks').addColumn('rank', 'double precision').execute()
      await db.schema.alterTable('tasks').addColumn('ranked_in', 'text').execute()
    },
  },
  {
    id: 'projects.for_people.1',
    async up(db) {
      await db.schema
        .alterTable('tasks')
        .addColumn('for_people', 'integer', c => c.notNull().defaultTo(0))
        .execute()
      // Who said so was not written down.
      await sql`UPDATE tasks SET for_people = 1 WHERE status = 'blocked' AND blocked_reason IS NOT NULL`.execute(db)
    },
  },
  {
    id: 'projects.open.1',
    async up(db) {
      // What is still expected of people, agents and the hub is a handful among all that was ever done: `IS_OPEN` in task-conditions.ts.
      const open = sql`(status NOT IN ('done', 'cancelled') OR (status = 'done' AND merged_at IS NULL
        AND (queued_at IS NOT NULL OR (accepted_at IS NULL AND (verified_at IS NOT NULL OR reported_at IS NOT NULL)))))`
      await sql`CREATE INDEX tasks_open ON tasks (created_at, id) WHERE ${open}`.execute(db)
      await sql`CREATE INDEX tasks_open_in ON tasks (project_id, created_at, id) WHERE ${open}`.execute(db)
      await sql`CREATE INDEX tasks_closed ON tasks (updated_at, id) WHERE NOT ${open}`.execute(db)
      await sql`CREATE INDEX tasks_closed_in ON tasks (project_id, updated_at, id) WHERE NOT ${open}`.execute(db)
    },
  },
  {
    id: 'projects.deleted.1',
    async up(db) {
      await db.schema.alterTable('tasks').addColumn('deleted_at', 'bigint').execute()
      // Of the few that are deleted: of the others it would be chosen in place of the one that has their order.
      const index = db.schema.createIndex('tasks_deleted').on('tasks').column('deleted_at')
      await index.where('deleted_at', 'is not', null).execute()
    },
  },
  {
    id: 'projects.handoffs.2',
    async up(db) {
      await db.schema.alterTable('handoffs').addColumn('tree', 'text').execute()
      await db.schema
        .alterTable('handoffs')
        .addColumn('stopped', 'integer', c => c.notNull().defaultTo(0))
        .execute()
    },
  },
  {
    id: 'projects.facts.1',
    async up(db) {
      // What was written as a sentence stays one.
      await db.schema.alterTable('tasks').addColumn('blocked_facts', 'text').execute()
      await db.schema.alterTable('task_answers').addColumn('question_facts', 'text').execute()
    },
  },
  {
    id: 'projects.passes.1',
    async up(db, column) {
      await db.schema
        .createTable('task_passes')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('from_agent_id', 'text', c => c.references('agents.id'))
        .addColumn('to_agent_id', 'text', c => c.references('agents.id'))
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('tree', 'text')
        .addColumn('stopped', 'integer', c => c.notNull())
        .execute()
      await db.schema.createIndex('task_passes_task').on('task_passes').columns(['task_id', 'id']).execute()
    },
  },
]

/** To projects and tasks that have none yet: those of an older version, or of its export. */
export async function giveHandles(db: Kysely<ProjectTables>): Promise<void> {
  const projects = await db
    .selectFrom('projects')
    .select(['number', 'id', 'name', 'directory', 'key'])
    .orderBy('number')
    .execute()
  for (const project of projects.filter(({ key }) => key === null)) {
    // Its own name and id may be its key.
    project.key = keyFor(project, takenBy(projects.filter(other => other !== project)))
    await db.updateTable('projects').set({ key: project.key }).where('number', '=', project.number).execute()
  }
  // Before there were facts, done was done.
  await sql`UPDATE tasks SET reported_at = updated_at, accepted_at = updated_at
    WHERE number IS NULL AND status = 'done' AND reported_at IS NULL`.execute(db)
  await sql`UPDATE tasks SET number = numbered.number FROM (
      SELECT tasks.id, projects.last_task + ROW_NUMBER() OVER (PARTITION BY tasks.project_id ORDER BY tasks.created_at, tasks.id) AS number
      FROM tasks JOIN projects ON projects.id = tasks.project_id WHERE tasks.number IS NULL
    ) AS numbered WHERE numbered.id = tasks.id`.execute(db)
  await sql`UPDATE projects SET last_task = newest.number FROM (
      SELECT project_id, MAX(number) AS number FROM tasks GROUP BY project_id
    ) AS newest WHERE newest.project_id = projects.id AND newest.number > projects.last_task`.execute(db)
  await foldTasks(db)
}

const PAGE = 500

/** Page by page: there may be more text than fits. */
async function foldTasks(db: Kysely<ProjectTables>): Promise<void> {
  for (;;) {
    const query = db.selectFrom('tasks').select(['id', 'title', 'description']).where('folded', 'is', null)
    const tasks = await query.limit(PAGE).execute()
    for (const task of tasks)
      await db
        .updateTable('tasks')
        .set({ folded: searched(task) })
        .where('id', '=', task.id)
        .execute()
    if (tasks.length < PAGE) return
  }
}
