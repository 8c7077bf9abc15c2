import type { AgentId, HandoffId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

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
    blocked_reason: string | null
    created_at: number
    updated_at: number
  }
  notes: {
    id: string
    task_id: TaskId
    agent_id: AgentId | null
    progress: string | null
    findings: string | null
    blockers: string | null
    next_steps: string | null
    at: number
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
]
