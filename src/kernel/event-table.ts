// How a database keeps the event log. All readers see it as the table `events`; how its rows are put down, and what is known of
// where they are, differs.
import type { Tx } from './db/db.ts'

export type EventRow = {
  seq: number
  at: number
  type: string
  project_id: string | null
  caller: string
  payload: string
  touches: string
}

/** The number is the database's to give. */
export type NewEvent = Omit<EventRow, 'seq'>

export type EventTable = {
  /** Answers its number. */
  add(tx: Tx, event: NewEvent): Promise<number>
  /**
   * So many numbers make a block, and the table `event_blocks` has for each type, project and caller the blocks with an event of it.
   * Undefined where indexes find them.
   */
  readonly block: number | undefined
}
