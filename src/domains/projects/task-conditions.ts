// Conditions on rows of `tasks` (joined with their project) for what is derived, in SQL.
import { type RawBuilder, sql } from 'kysely'
import type { Stage } from '#contract/projects.ts'

/** Some task that it depends on is not accepted yet, or is in the queue: its work is not on the base. As `isMissing` has it. */
export const WAITS = sql<boolean>`EXISTS (SELECT 1 FROM task_links JOIN tasks AS needed ON needed.id = task_links.depends_on
  WHERE task_links.task_id = tasks.id AND needed.deleted_at IS NULL
  AND (needed.accepted_at IS NULL OR (needed.queued_at IS NOT NULL AND needed.merged_at IS NULL)))`

/**
 * Something is still expected of it: also of reported work that is not accepted, or not merged, however long it waits. In the very
 * words of the indexes that hold these rows alone (`projects.open.1` in schema.ts).
 */
export const IS_OPEN = sql<boolean>`(tasks.status NOT IN ('done', 'cancelled') OR (tasks.status = 'done' AND tasks.merged_at IS NULL
  AND (tasks.queued_at IS NOT NULL OR (tasks.accepted_at IS NULL AND (tasks.verified_at IS NOT NULL OR tasks.reported_at IS NOT NULL)))))`
export const IS_CLOSED = sql<boolean>`NOT ${IS_OPEN}`

/** No index by status serves this: it holds all that was ever done, and what is asked for is a handful of those. */
const IS_DONE = sql`${IS_OPEN} AND (tasks.status || '') = 'done'`

/** As `stageOf` has it; a test compares the two. Conditions on the facts themselves: no index looks into a CASE. */
const IN_STAGE: Record<Stage, RawBuilder<boolean>> = {
  planned: sql<boolean>`(tasks.status IN ('todo', 'backlog') AND NOT ${WAITS})`,
  waiting: sql<boolean>`((tasks.status IN ('todo', 'backlog') AND ${WAITS})
    OR (tasks.status = 'in_progress' AND (tasks.reported_at IS NOT NULL OR ${WAITS})))`,
  working: sql<boolean>`(tasks.status = 'in_progress' AND tasks.reported_at IS NULL AND NOT ${WAITS})`,
  blocked: sql<boolean>`tasks.status = 'blocked'`,
  checking: sql<boolean>`(${IS_DONE} AND tasks.accepted_at IS NULL AND tasks.queued_at IS NULL AND tasks.verified_at IS NULL)`,
  review: sql<boolean>`(${IS_DONE} AND tasks.accepted_at IS NULL AND tasks.queued_at IS NULL AND tasks.verified_at IS NOT NULL)`,
  queued: sql<boolean>`(${IS_DONE} AND tasks.queued_at IS NOT NULL)`,
  merged: sql<boolean>`(tasks.status = 'done' AND tasks.merged_at IS NOT NULL)`,
  done: sql<boolean>`(tasks.status = 'done' AND tasks.merged_at IS NULL AND tasks.queued_at IS NULL
    AND (tasks.accepted_at IS NOT NULL OR (tasks.verified_at IS NULL AND tasks.reported_at IS NULL)))`,
  cancelled: sql<boolean>`tasks.status = 'cancelled'`,
}

export function isInStage(stage: Stage): RawBuilder<boolean> {
  return IN_STAGE[stage]
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
