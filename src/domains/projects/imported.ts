// What came in by another way than the verbs must be what they could have written: it is not checked again.
import { CoreError, type HubError } from '#contract/errors.ts'
import type { TaskId } from '#contract/id-types.ts'
import { MOST_LEVELS } from '#contract/order.ts'
import { ACCEPT_POLICIES, MERGE_METHODS, WORKSPACE_MODES } from '#contract/projects.ts'
import { PRIORITIES, TASK_STATUSES } from '#contract/task-values.ts'
import { Blocked } from '#contract/why.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { ProjectTables } from './schema.ts'

const SHOWN = 60

/** Throws for settings, statuses and an order of tasks that cannot be. */
export async function mustBePossible(rows: Rows): Promise<void> {
  await knownValues(rows)
  await knownFacts(rows)
  await sameProject(rows)
  await fewLevels(rows)
}

async function knownValues(rows: Rows): Promise<void> {
  const q = rows.tables<ProjectTables>()
  const settings = { workspace: WORKSPACE_MODES, accept: ACCEPT_POLICIES, merge: MERGE_METHODS } as const
  for (const column of ['workspace', 'accept', 'merge'] as const) {
    const strange = q
      .selectFrom('projects')
      .select(['id', `${column} as value`])
      .where(column, 'not in', settings[column])
    const found = await strange.executeTakeFirst()
    if (found) throw unknownValue(`project ${found.id}`, `プロジェクト ${found.id} `, column, found.value)
  }
  const words = { status: TASK_STATUSES, priority: PRIORITIES } as const
  for (const column of ['status', 'priority'] as const) {
    const strange = q
      .selectFrom('tasks')
      .select(['id', `${column} as value`])
      .where(column, 'not in', words[column])
    const found = await strange.executeTakeFirst()
    if (found) throw unknownValue(`task ${found.id}`, `タスク ${found.id} `, column, found.value)
  }
}

/** Whoever reads why a task is blocked relies on what is stored. */
async function knownFacts(rows: Rows): Promise<void> {
  const q = rows.tables<ProjectTables>()
  const tasks = q.selectFrom('tasks').select(['id', 'blocked_facts as value']).where('blocked_facts', 'is not', null)
  const answers = q
    .selectFrom('task_answers')
    .select(['task_id as id', 'question_facts as value'])
    .where('question_facts', 'is not', null)
  const stored = { blocked_facts: await tasks.execute(), question_facts: await answers.execute() }
  for (const [column, found] of Object.entries(stored))
    for (const { id, value } of found)
      if (!isBlocked(value ?? '')) throw unknownValue(`task ${id}`, `タスク ${id} `, column, value ?? '')
}

function isBlocked(value: string): boolean {
  try {
    return Blocked.safeParse(JSON.parse(value)).success
  } catch {
    // It is no JSON.
    return false
  }
}

/** Parents and dependencies that there are, in the project of the task. */
async function sameProject(rows: Rows): Promise<void> {
  const q = rows.tables<ProjectTables>()
  const nested = await q
    .selectFrom('tasks')
    .leftJoin('tasks as other', join =>
      join.onRef('other.id', '=', 'tasks.parent_id').onRef('other.project_id', '=', 'tasks.project_id'),
    )
    .select(['tasks.id', 'tasks.parent_id as other'])
    .where('tasks.parent_id', 'is not', null)
    .where('other.id', 'is', null)
    .executeTakeFirst()
  const linked = await q
    .selectFrom('task_links')
    .leftJoin('tasks', 'tasks.id', 'task_links.task_id')
    .leftJoin('tasks as other', join =>
      join.onRef('other.id', '=', 'task_links.depends_on').onRef('other.project_id', '=', 'tasks.project_id'),
    )
    .select(['task_links.task_id as id', 'task_links.depends_on as other'])
    .where('other.id', 'is', null)
    .executeTakeFirst()
  const found = nested ?? linked
  if (found)
    throw refused(
      `Task ${found.id} is linked to ${found.other}, which is not a task of its project`,
      `タスク ${found.id} が関係付けられている ${found.other} は、同じプロジェクトのタスクではありません`,
    )
}

/** A circle has no end, and so too many. */
async function fewLevels(rows: Rows): Promise<void> {
  const q = rows.tables<ProjectTables>()
  const nested = await q.selectFrom('tasks').select(['id', 'parent_id']).where('parent_id', 'is not', null).execute()
  const parentOf = new Map<TaskId, TaskId | null>(nested.map(({ id, parent_id }) => [id, parent_id]))
  for (const { id } of nested) {
    let level = 1
    for (let at = parentOf.get(id); at && level <= MOST_LEVELS; at = parentOf.get(at)) level++
    if (level > MOST_LEVELS)
      throw refused(
        `Task ${id} is a sub-task of itself or lies deeper than ${MOST_LEVELS} levels`,
        `タスク ${id} は自分自身のサブタスクになっているか、${MOST_LEVELS} 段より深い階層にあります`,
      )
  }
}

function unknownValue(whose: string, dare: string, column: string, value: string): HubError {
  const shown = JSON.stringify(value.slice(0, SHOWN))
  return refused(
    `The ${column} of ${whose} is ${shown}, which I do not know`,
    `${dare}の ${column} の値 ${shown} は未知のものです`,
  )
}

function refused(en: string, ja: string): HubError {
  return CoreError.INVALID_ARGUMENT({
    reason: { en: `${en}; nothing was imported.`, ja: `${ja}。何も取り込んでいません。` },
  })
}
