// The event log on SQLite, where every byte of it is the user's disk. Words that return in every event are written once, payloads of
// a few numbers are those numbers, and no index has an entry for each event. `events` is a view of it, as wide as on PostgreSQL.
// An event takes 155 bytes where a plain table with its three indexes takes 395: a quarter of the database of a busy year.
import { type Kysely, sql } from 'kysely'
import type { EventRow, EventTable, NewEvent } from '../event-table.ts'
import { query } from '../search/sqlite-statements.ts'
import type { Tx } from './db.ts'

/** A search for a rare event reads so many rows for each that it finds. */
const BLOCK = 64
const PAGE = 1000

export const sqliteEvents: EventTable = { block: BLOCK, add: addEvent }

const TABLES = [
  // No word at all is the word of an event without a project.
  'CREATE TABLE event_words (id INTEGER PRIMARY KEY, word TEXT UNIQUE)',
  'INSERT INTO event_words (id, word) VALUES (0, NULL)',
  `CREATE TABLE event_log (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, type INTEGER NOT NULL, project INTEGER NOT NULL, caller INTEGER NOT NULL,
    form INTEGER, a INTEGER, b INTEGER, c INTEGER, payload TEXT, touches TEXT, CHECK (form IS NOT NULL OR payload IS NOT NULL))`,
  'CREATE TABLE event_blocks (word INTEGER NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (word, block)) WITHOUT ROWID',
]

const idOf = (word: string) => `(SELECT id FROM event_words WHERE word IS ${word})`

const VIEW = [
  `CREATE VIEW events AS
    SELECT l.seq AS seq, l.at AS at, t.word AS type, p.word AS project_id, c.word AS caller,
      CASE WHEN l.form IS NULL THEN l.payload
        ELSE format((SELECT word FROM event_words WHERE id = l.form), l.a, l.b, l.c) END AS payload,
      coalesce(l.touches, '[]') AS touches
    FROM event_log l JOIN event_words t ON t.id = l.type JOIN event_words p ON p.id = l.project
      JOIN event_words c ON c.id = l.caller`,
  `CREATE TRIGGER event_log_blocks AFTER INSERT ON event_log BEGIN
    INSERT OR IGNORE INTO event_blocks (word, block) VALUES
      (NEW.type, NEW.seq / ${BLOCK}), (NEW.project, NEW.seq / ${BLOCK}), (NEW.caller, NEW.seq / ${BLOCK});
  END`,
  // What an import brings.
  `CREATE TRIGGER events_insert INSTEAD OF INSERT ON events BEGIN
    INSERT OR IGNORE INTO event_words (word) VALUES (NEW.type), (NEW.caller);
    INSERT OR IGNORE INTO event_words (word) SELECT NEW.project_id WHERE NEW.project_id IS NOT NULL;
    INSERT INTO event_log (seq, at, type, project, caller, payload, touches) VALUES
      (NEW.seq, NEW.at, ${idOf('NEW.type')}, ${idOf('NEW.project_id')}, ${idOf('NEW.caller')}, NEW.payload,
       nullif(NEW.touches, '[]'));
  END`,
  // Only the payload is ever changed: an earlier version let secrets into it.
  `CREATE TRIGGER events_update INSTEAD OF UPDATE OF payload ON events BEGIN
    UPDATE event_log SET form = NULL, a = NULL, b = NULL, c = NULL, payload = NEW.payload WHERE seq = OLD.seq;
  END`,
  `CREATE TRIGGER events_delete INSTEAD OF DELETE ON events BEGIN
    DELETE FROM event_log WHERE seq = OLD.seq;
  END`,
]

/** Takes the events over from the table that there was. */
export async function narrowEvents(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('ALTER TABLE events RENAME TO events_wide')
  for (const statement of TABLES) await run(statement)
  for (const column of ['type', 'project_id', 'caller'])
    await run(`INSERT OR IGNORE INTO event_words (word)
      SELECT DISTINCT ${column} FROM events_wide WHERE ${column} IS NOT NULL`)
  for (let last = 0, page: EventRow[]; ; last = page.at(-1)?.seq ?? last) {
    const { rows } =
      await sql<EventRow>`SELECT * FROM events_wide WHERE seq > ${last} ORDER BY seq LIMIT ${PAGE}`.execute(db)
    page = rows
    await takeOver(db, page)
    if (page.length < PAGE) break
  }
  for (const column of ['type', 'project', 'caller'])
    await run(`INSERT OR IGNORE INTO event_blocks SELECT DISTINCT ${column}, seq / ${BLOCK} FROM event_log`)
  await run('DROP TABLE events_wide')
  for (const statement of VIEW) await run(statement)
}

async function takeOver(db: Kysely<unknown>, page: readonly EventRow[]): Promise<void> {
  const folded = page.map(({ payload, ...row }) => ({ ...row, ...fold(payload) }))
  const forms = JSON.stringify([...new Set(folded.flatMap(({ form }) => form ?? []))])
  await sql`INSERT OR IGNORE INTO event_words (word) SELECT value FROM json_each(${forms})`.execute(db)
  const of = (name: string) => sql.raw(`value ->> '${name}'`)
  const id = (name: string) => sql.raw(idOf(`(value ->> '${name}')`))
  await sql`
    INSERT INTO event_log (seq, at, type, project, caller, form, a, b, c, payload, touches)
    SELECT ${of('seq')}, ${of('at')}, ${id('type')}, ${id('project_id')}, ${id('caller')},
      CASE WHEN ${of('form')} IS NULL THEN NULL ELSE ${id('form')} END, ${of('a')}, ${of('b')}, ${of('c')},
      ${of('payload')}, nullif(${of('touches')}, '[]')
    FROM json_each(${JSON.stringify(folded)})`.execute(db)
}

type Folded = {
  form: string | null
  a: number | null
  b: number | null
  c: number | null
  payload: string | null
}

/** A payload of up to three whole numbers is a form that many events share, and the numbers. */
function fold(payload: string): Folded {
  if (!PLAIN.test(payload)) return { form: null, a: null, b: null, c: null, payload }
  const numbers: number[] = []
  const form = payload.replace(/:(-?\d+)/g, (_, digits: string) => {
    numbers.push(Number(digits))
    return ':%d'
  })
  if (numbers.length > 3) return { form: null, a: null, b: null, c: null, payload }
  const [a = null, b = null, c = null] = numbers
  return { form, a, b, c, payload: null }
}

const PLAIN = /^\{(?:"\w+":(?:-?[1-9]\d{0,14}|0|null)(?:,(?=")|\}$))+$/

/** Ignored where a word of it is not known yet, which is seldom: asking first would cost every event as much. */
const INSERT = `
  INSERT OR IGNORE INTO event_log (at, type, project, caller, form, a, b, c, payload, touches) VALUES
    (?, ${idOf('?')}, ${idOf('?')}, ${idOf('?')}, (SELECT id FROM event_words WHERE word = ?), ?, ?, ?, ?, ?) RETURNING seq`
const LEARN = 'INSERT OR IGNORE INTO event_words (word) SELECT value FROM json_each(?) WHERE value IS NOT NULL'

async function addEvent(tx: Tx, event: NewEvent): Promise<number> {
  const { at, type, project_id, caller, touches } = event
  const { form, a, b, c, payload } = fold(event.payload)
  const heard = touches === '[]' ? null : touches
  const insert = query<{ seq: number }>(INSERT, at, type, project_id, caller, form, a, b, c, payload, heard)
  const [given] = await tx.run(insert)
  if (given) return given.seq
  await tx.run(query(LEARN, JSON.stringify([type, project_id, caller, form])))
  const [learned] = await tx.run(insert)
  if (!learned) throw new Error(`the event ${type} could not be stored`)
  return learned.seq
}
