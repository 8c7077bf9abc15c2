// Owns the answers of keyed calls, written in the transaction of their effect, so that a call sent again gets the
// same answer and no second effect. Each is sealed with the caller's own key: the database alone cannot open it.
import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { CoreError } from '#contract/errors.ts'
import type { Rows, Tx } from './db/db.ts'
import { fixed } from './db/fixed.ts'
import type { Migration } from './db/migrate.ts'
import { fromLot } from './ids.ts'

type AnswerTables = {
  answers: { number: number; at: number; key: Uint8Array; body: Uint8Array; sealed: Uint8Array }
}
type NewAnswer = Omit<AnswerTables['answers'], 'number'>

export const answerMigrations: Migration[] = [
  {
    id: 'answers.1',
    async up(db, column) {
      // One page for each answer: every write pays for it.
      await db.schema
        .createTable('answers')
        .addColumn('key_digest', column.id, c => c.primaryKey())
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('body_digest', 'text', c => c.notNull())
        .addColumn('sealed', column.bytes, c => c.notNull())
        .modifyEnd(column.clustered)
        .execute()
    },
  },
  {
    id: 'answers.2',
    async up(db) {
      // Costs every write a page, and lets old answers go as quickly as new ones come.
      await db.schema.createIndex('answers_at').on('answers').column('at').execute()
    },
  },
  {
    id: 'answers.3',
    async up(db, column) {
      // In the order in which they came: the rows of one commit lie side by side, and the oldest are the first.
      await db.schema.alterTable('answers').renameTo('answers_before').execute()
      await db.schema
        .createTable('answers')
        .addColumn('number', column.serial)
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('key', column.bytes, c => c.notNull())
        .addColumn('body', column.bytes, c => c.notNull())
        .addColumn('sealed', column.bytes, c => c.notNull())
        .execute()
      await db.schema.createIndex('answers_key').on('answers').column('key').unique().execute()
      await takeOver(db)
      await db.schema.dropTable('answers_before').execute()
    },
  },
]

type EarlierTables = { answers_before: { key_digest: string; at: number; body_digest: string; sealed: Uint8Array } }

/** A bridge sends what was under way again to the hub after an update, too. */
async function takeOver(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<EarlierTables & { answers: NewAnswer }>
  const oldest = () => db.selectFrom('answers_before').selectAll().orderBy('at').limit(TAKEN_OVER).execute()
  for (let rows = await oldest(); rows.length > 0; rows = await oldest()) {
    const values = rows.map(({ key_digest, at, body_digest, sealed }) => ({
      ...{ at, sealed, key: Buffer.from(key_digest, 'base64url'), body: bodyBytes(body_digest) },
    }))
    await db.insertInto('answers').values(values).execute()
    const keys = rows.map(row => row.key_digest)
    await db.deleteFrom('answers_before').where('key_digest', 'in', keys).execute()
  }
}

const TAKEN_OVER = 500

/** A client that comes back later than this calls again. */
const KEPT_MS = 24 * 3600 * 1000

const selectAnswer = fixed((q: Kysely<AnswerTables>, value: { key: Uint8Array; earlier: Uint8Array }) =>
  q.selectFrom('answers').select(['body', 'sealed']).where('key', 'in', [value.key, value.earlier]),
)
const insertAnswer = fixed((q: Kysely<{ answers: NewAnswer }>, value: NewAnswer) => {
  const { key, body, sealed, at } = value
  return q.insertInto('answers').values({ at, key, body, sealed })
})

export function bodyDigest(tool: string, input: unknown): string {
  return hash('sha256', `${tool}\n${JSON.stringify(input)}`, 'base64url')
}

/** The answer given before to this key and body. Another body under the same key is a conflict. */
export async function findAnswer(rows: Rows, key: string, body: string): Promise<{ value: unknown } | undefined> {
  const [row] = await selectAnswer(rows, { key: keyBytes(key), earlier: wholeDigest(key) })
  if (!row) return undefined
  if (Buffer.compare(row.body, bodyBytes(body)) !== 0) throw CoreError.IDEMPOTENCY_CONFLICT()
  return { value: JSON.parse(unseal(key, row.sealed)) as unknown }
}

export async function saveAnswer(tx: Tx, key: string, body: string, value: unknown, at: number): Promise<void> {
  const sealed = seal(key, JSON.stringify(value))
  await insertAnswer(tx, { key: keyBytes(key), body: bodyBytes(body), sealed, at })
}

/** The numbers of answers that no caller can ask for any more, oldest first. They were numbered as they came. */
export async function listOldAnswers(rows: Rows, now: number, limit: number): Promise<number[]> {
  const q = rows.tables<AnswerTables>().selectFrom('answers').select(['number', 'at'])
  const first = await q.where('number', '>', 0).orderBy('number').limit(limit).execute()
  return first.filter(({ at }) => at < now - KEPT_MS).map(({ number }) => number)
}

export async function forgetAnswers(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.tables<AnswerTables>().deleteFrom('answers').where('number', 'in', numbers).execute()
}

/**
 * A connection counts its calls: their keys are one digest and a number, so that those of one commit are neighbours in the
 * index. Any other key is its digest alone.
 */
function keyBytes(key: string): Uint8Array {
  const counted = COUNTED.exec(key)
  if (!counted) return wholeDigest(key)
  const [, connection = '', number = ''] = counted
  if (lastConnection.name !== connection)
    lastConnection = { name: connection, digest: wholeDigest(connection).subarray(0, CONNECTION) }
  const bytes = Buffer.allocUnsafe(CONNECTION + COUNT)
  lastConnection.digest.copy(bytes)
  bytes.writeUIntBE(Number(number), CONNECTION, COUNT)
  return bytes
}

const COUNTED = /^(.+):(\d{1,12})$/s
const CONNECTION = 16
const COUNT = 6
let lastConnection = { name: '', digest: Buffer.alloc(0) }

const wholeDigest = (text: string) => hash('sha256', text, 'buffer')
const bodyBytes = (body: string) => Buffer.from(body, 'base64url').subarray(0, 16)

function seal(key: string, text: string): Uint8Array {
  const nonce = fromLot(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(key), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function unseal(key: string, bytes: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(key), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** The caller's key is random enough as it is; this only keeps the key apart from its digest, which is stored. */
function sealingKey(key: string): Uint8Array {
  return hash('sha256', `toryo answer\n${key}`, 'buffer')
}
