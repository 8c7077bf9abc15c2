// How a task is read from its rows and written to them.
import { type Kysely, sql } from 'kysely'
import type { TaskId } from '#contract/id-types.ts'
import { handleOf, type Priority, type TaskStatus } from '#contract/projects.ts'
import { blockedColumns, blockedOf } from './blocked-columns.ts'
import { labelled, type Task } from './model.ts'
import type { ProjectTables } from './schema.ts'
import { WAITS } from './task-conditions.ts'

/** All but what a task is found by, which is as long as its text once more, and what only one query asks for. */
const COLUMNS = [
  'tasks.id',
  'tasks.project_id',
  'tasks.title',
  'tasks.description',
  'tasks.status',
  'tasks.priority',
  'tasks.assignee_id',
  'tasks.assigned_at',
  'tasks.blocked_reason',
  'tasks.blocked_facts',
  'tasks.for_people',
  'tasks.created_at',
  'tasks.updated_at',
  'tasks.deleted_at',
  'tasks.number',
  'tasks.parent_id',
  'tasks.branch',
  'tasks.rank',
  'tasks.ranked_in',
  'tasks.reported_at',
  'tasks.verified_at',
  'tasks.accepted_at',
  'tasks.queued_at',
  'tasks.merged_at',
] as const

type TaskRow = Omit<ProjectTables['tasks'], 'folded' | 'made_by'> & {
  project_key: string | null
  waits: number
  needs: string | null
  labels: string | null
}

/** What an agent may be started for: nothing that it depends on is missing, and nothing is reported already. */
export const IS_READY = sql<boolean>`(tasks.reported_at IS NULL AND NOT ${WAITS})`

/** With what its handle and its stage are made of. */
export function selectTasks(q: Kysely<ProjectTables>) {
  return (
    q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .select(COLUMNS)
      .select('projects.key as project_key')
      .select([
        sql<number>`CASE WHEN ${WAITS} THEN 1 ELSE 0 END`.as('waits'),
        sql<string | null>`(SELECT string_agg(depends_on, ' ') FROM task_links WHERE task_links.task_id = tasks.id)`.as(
          'needs',
        ),
      ])
      // No label has a line break.
      .select(
        sql<string | null>`(SELECT string_agg(task_labels.label, ${sql.lit('\n')}) FROM task_labels
        WHERE task_labels.task_id = tasks.id)`.as('labels'),
      )
  )
}

export function toTask(row: TaskRow): Task {
  const number = row.number ?? 0
  return {
    id: row.id,
    projectId: row.project_id,
    number,
    handle: handleOf(row.project_key ?? '', number),
    parentId: row.parent_id,
    branch: row.branch,
    labels: row.labels === null ? [] : labelled(row.labels.split('\n'), [], []),
    title: row.title,
    description: row.description,
    status: row.status as TaskStatus,
    priority: row.priority as Priority,
    assigneeId: row.assignee_id,
    assignedAt: row.assigned_at,
    blocked: blockedOf(row.blocked_reason, row.blocked_facts),
    isForPeople: row.for_people === 1,
    rank: row.ranked_in === row.status ? row.rank : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    dependsOn: (row.needs?.split(' ') ?? []).toSorted() as TaskId[],
    waits: Number(row.waits) === 1,
    facts: {
      reportedAt: row.reported_at,
      verifiedAt: row.verified_at,
      acceptedAt: row.accepted_at,
      queuedAt: row.queued_at,
      mergedAt: row.merged_at,
    },
  }
}

export function toTaskRow(task: Task): Omit<ProjectTables['tasks'], 'folded' | 'made_by' | 'rank' | 'ranked_in'> {
  const { words, facts } = blockedColumns(task.blocked)
  return {
    id: task.id,
    project_id: task.projectId,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    assignee_id: task.assigneeId,
    assigned_at: task.assignedAt,
    blocked_reason: words,
    blocked_facts: facts,
    for_people: task.isForPeople ? 1 : 0,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    deleted_at: task.deletedAt,
    number: task.number,
    parent_id: task.parentId,
    branch: task.branch,
    reported_at: task.facts.reportedAt,
    verified_at: task.facts.verifiedAt,
    accepted_at: task.facts.acceptedAt,
    queued_at: task.facts.queuedAt,
    merged_at: task.facts.mergedAt,
  }
}
