import type { Generated, Kysely } from 'kysely'
import type { EventTable, NewEvent } from '../event-table.ts'
import { fixed } from './fixed.ts'

const insert = fixed((q: Kysely<{ events: NewEvent & { seq: Generated<number> } }>, value: NewEvent) => {
  const { at, type, project_id, caller, payload, touches } = value
  return q.insertInto('events').values({ at, type, project_id, caller, payload, touches }).returning('seq')
})

export const postgresEvents: EventTable = {
  block: undefined,
  add: async (tx, event) => {
    const [given] = await insert(tx, event)
    return (given as { seq: number }).seq
  },
}
