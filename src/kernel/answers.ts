// Owns the answers of keyed calls, written in the transaction of their effect, so that a call sent again gets the
// same answer and no second effect. Each is sealed with the caller's own key: the database alone cannot open it.
import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { CoreError } from '#contract/errors.ts'
import type { Rows, Tx } from './db/db.ts'
import { fixed } from './db/fixed.ts'
import type { Migration } from './db/migrate.ts'
import { digest, fromLot } from './ids.ts'

type AnswerTables = { answers: { key_digest: string; at: number; body_digest: string; sealed: Uint8Array } }

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
]

/** A client that comes back later than this calls again. */
const KEPT_MS = 24 * 3600 * 1000

const selectAnswer = fixed((q: Kysely<AnswerTables>, value: { key_digest: string }) =>
  q.selectFrom('answers').select(['body_digest', 'sealed']).where('key_digest', '=', value.key_digest),
)
const insertAnswer = fixed((q: Kysely<AnswerTables>, value: AnswerTables['answers']) => {
  const { key_digest, body_digest, sealed, at } = value
  return q.insertInto('answers').values({ key_digest, body_digest, sealed, at })
})

export function bodyDigest(tool: string, input: unknown): string {
  return hash('sha256', `${tool}\n${JSON.stringify(input)}`, 'base64url')
}

/** The answer given before to this key and body. Another body under the same key is a conflict. */
export async function findAnswer(rows: Rows, key: string, body: string): Promise<{ value: unknown } | undefined> {
  const [row] = await selectAnswer(rows, { key_digest: digest(key) })
  if (!row) return undefined
  if (row.body_digest !== body) throw CoreError.IDEMPOTENCY_CONFLICT()
  return { value: JSON.parse(unseal(key, row.sealed)) as unknown }
}

export async function saveAnswer(tx: Tx, key: string, body: string, value: unknown, at: number): Promise<void> {
  await insertAnswer(tx, { key_digest: digest(key), body_digest: body, sealed: seal(key, JSON.stringify(value)), at })
}

/** The keys of answers that nobody can want any more, oldest first. */
export async function listOldAnswers(rows: Rows, now: number, limit: number): Promise<string[]> {
  const q = rows.tables<AnswerTables>().selectFrom('answers').select('key_digest')
  const old = await q
    .where('at', '<', now - KEPT_MS)
    .orderBy('at')
    .limit(limit)
    .execute()
  return old.map(row => row.key_digest)
}

export async function forgetAnswers(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.tables<AnswerTables>().deleteFrom('answers').where('key_digest', 'in', keys).execute()
}

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
