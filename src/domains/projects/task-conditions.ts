// Conditions on rows of `tasks` (joined with their project) for what is derived, in SQL.
import { type RawBuilder, sql } from 'kysely'
import type { Stage, TaskStatus } from '#contract/projects.ts'

/** Some task that it depends on is not accepted yet, or is in the queue: its work is not on the base. As `isMissing` has it. */
export const WAITS = sql<boolean>`EXISTS (SELECT 1 FROM task_links JOIN tasks AS needed ON needed.id = task_links.depends_on
  WHERE task_links.task_id = tasks.id AND needed.deleted_at IS NULL
  AND (needed.accepted_at IS NULL OR (needed.queued_at IS NOT NULL AND needed.merged_at IS NULL)))`

/** As `stageOf` has it; a test compares the two. */
const STAGE = sql`CASE
  WHEN tasks.status IN ('cancelled', 'blocked') THEN tasks.status
  WHEN tasks.status = 'in_progress' THEN CASE WHEN tasks.reported_at IS NOT NULL OR ${WAITS} THEN 'waiting' ELSE 'working' END
  WHEN tasks.status IN ('todo', 'backlog') THEN CASE WHEN ${WAITS} THEN 'waiting' ELSE 'planned' END
  WHEN tasks.merged_at IS NOT NULL THEN 'merged'
  WHEN tasks.queued_at IS NOT NULL THEN 'queued'
  WHEN tasks.accepted_at IS NOT NULL THEN 'done'
  WHEN tasks.verified_at IS NOT NULL THEN 'review'
  WHEN tasks.reported_at IS NULL THEN 'done'
  ELSE 'checking' END`

/** What a task in this stage may have as its status: that is indexed. */
const STATUSES: Record<Stage, readonly TaskStatus[]> = {
  planned: ['todo', 'backlog'],
  waiting: ['todo', 'backlog', 'in_progress'],
  working: ['in_progress'],
  blocked: ['blocked'],
  checking: ['done'],
  review: ['done'],
  queued: ['done'],
  merged: ['done'],
  done: ['done'],
  cancelled: ['cancelled'],
}

export function isInStage(stage: Stage): RawBuilder<boolean> {
  const statuses = sql.join(STATUSES[stage].map(status => sql.lit(status)))
  return sql<boolean>`(tasks.status IN (${statuses}) AND ${STAGE} = ${stage})`
}

/** `folded`, as everything that is compared here. */
export function hasLabel(folded: string): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT 1 FROM task_labels
    WHERE task_labels.task_id = tasks.id AND task_labels.folded = ${folded})`
}

/** Anywhere in what people see of it. */
export function holds(folded: string): RawBuilder<boolean> {
  const pattern = `%${folded.replaceAll(/[\\%_]/g, '\\$&')}%`
  const like = (text: RawBuilder<unknown>) => sql<boolean>`${text} LIKE ${pattern} ESCAPE ${sql.lit('\\')}`
  return sql<boolean>`(${like(sql`tasks.folded`)}
    OR ${like(sql`(projects.key || '-' || tasks.number)`)}
    OR EXISTS (SELECT 1 FROM task_labels WHERE task_labels.task_id = tasks.id AND ${like(sql`task_labels.folded`)}))`
}
