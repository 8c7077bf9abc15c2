// What is remembered of a task: the notes that agents and people leave, and the answers to its questions.
import { type Caller, personOf } from '#contract/caller.ts'
import type { NoteId, TaskId } from '#contract/id-types.ts'
import { NoteSaved } from '#contract/projects.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Note, TaskAnswer } from './model.ts'
import { NoteStore } from './note-store.ts'
import type { Tasks } from './tasks.ts'

type NoteText = Pick<Note, 'progress' | 'findings' | 'blockers' | 'nextSteps'>
type Deps = { db: Db; events: EventLog; clock: Clock; ids: Ids; tasks: Pick<Tasks, 'get' | 'getThere'> }

export class Notes {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  save(taskId: TaskId, text: NoteText, by: Caller): Promise<Note> {
    return this.#deps.db.tx(async tx => {
      const task = await this.#deps.tasks.getThere(taskId, by)
      const { clock, ids, events } = this.#deps
      const agentId = by.kind === 'agent' ? by.agentId : null
      const person = personOf(by)
      const note: Note = { ...said(text), id: ids.next('not'), taskId, agentId, person, at: clock.now() }
      await new NoteStore(tx).insertNote(note)
      await events.publish(tx, NoteSaved, { taskId }, by, task.projectId)
      return note
    })
  }

  /** The newest that says something: one that says nothing does not hide it. */
  async latest(taskId: TaskId, by: Caller): Promise<Note | undefined> {
    await this.#deps.tasks.get(taskId, by)
    return new NoteStore(this.#deps.db).latestNote(taskId)
  }

  /** Newest first. */
  async list(taskId: TaskId, limit: number, by: Caller, before?: NoteId): Promise<Note[]> {
    await this.#deps.tasks.get(taskId, by)
    return new NoteStore(this.#deps.db).notes(taskId, limit, before)
  }

  /** Newest first. */
  async answers(id: TaskId, limit: number, by: Caller): Promise<TaskAnswer[]> {
    await this.#deps.tasks.get(id, by)
    return new NoteStore(this.#deps.db).answers(id, limit)
  }
}

/** A field that is blank is one that was not given. */
function said(text: NoteText): NoteText {
  const field = (value: string | null) => (value === null || value.trim() === '' ? null : value)
  return {
    progress: field(text.progress),
    findings: field(text.findings),
    blockers: field(text.blockers),
    nextSteps: field(text.nextSteps),
  }
}
