// What is remembered of a task: notes of agents and people, and the answers to its questions.
import { type Kysely, sql } from 'kysely'
import type { NoteId, TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import { blockedColumns, blockedOf } from './blocked-columns.ts'
import type { Note, TaskAnswer } from './model.ts'
import type { ProjectTables } from './schema.ts'

const insertNote = fixed((q: Kysely<ProjectTables>, value: ProjectTables['notes']) => {
  const { id, task_id, agent_id, progress, findings, blockers, next_steps, at, person } = value
  return q.insertInto('notes').values({ id, task_id, agent_id, progress, findings, blockers, next_steps, at, person })
})

export class NoteStore {
  readonly #rows
  readonly #q

  constructor(rows: Rows) {
    this.#rows = rows
    this.#q = rows.tables<ProjectTables>()
  }

  async insertNote(note: Note): Promise<void> {
    const { taskId, agentId, nextSteps, ...rest } = note
    await insertNote(this.#rows, { ...rest, task_id: taskId, agent_id: agentId, next_steps: nextSteps })
  }

  async latestNote(taskId: TaskId): Promise<Note | undefined> {
    const row = await this.#q
      .selectFrom('notes')
      .selectAll()
      .where('task_id', '=', taskId)
      .where(
        sql<boolean>`(COALESCE(progress, '') <> '' OR COALESCE(findings, '') <> '' OR COALESCE(blockers, '') <> '' OR COALESCE(next_steps, '') <> '')`,
      )
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && toNote(row)
  }

  /** Newest first; ids grow with time. */
  async notes(taskId: TaskId, limit: number, before?: NoteId): Promise<Note[]> {
    let query = this.#q.selectFrom('notes').selectAll().where('task_id', '=', taskId)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toNote)
  }

  async insertAnswer({ taskId, question, ...rest }: TaskAnswer): Promise<void> {
    const { words, facts } = blockedColumns(question)
    await this.#q
      .insertInto('task_answers')
      .values({ ...rest, task_id: taskId, question: words, question_facts: facts })
      .execute()
  }

  /** Newest first. */
  async answers(taskId: TaskId, limit: number): Promise<TaskAnswer[]> {
    const query = this.#q.selectFrom('task_answers').selectAll().where('task_id', '=', taskId)
    const rows = await query.orderBy('id', 'desc').limit(limit).execute()
    return rows.map(({ task_id, question, question_facts, ...rest }) => ({
      ...rest,
      taskId: task_id,
      question: blockedOf(question, question_facts),
    }))
  }
}

function toNote(row: ProjectTables['notes']): Note {
  const { task_id, agent_id, next_steps, ...rest } = row
  return { ...rest, taskId: task_id, agentId: agent_id, nextSteps: next_steps }
}
