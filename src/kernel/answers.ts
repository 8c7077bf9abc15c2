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
      // One page for each answer and no index: every write pays for these.
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
]

/** A client that comes back later than this calls anew. */
const KEPT_MS = 24 * 3600 * 1000
/** So many are looked at in one go when old ones are looked for. */
const LOOKED_AT = 500

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

/**
 * Goes through the answers a piece at a time, from `after` on, and removes the old ones; gives where to go on, or '' at the
 * end. In pieces, since there is no index by age and everybody waits while it looks.
 */
export async function forgetOldAnswers(tx: Tx, now: number, after: string): Promise<string> {
  const q = tx.tables<AnswerTables>()
  const last = await q
    .selectFrom('answers')
    .select('key_digest')
    .where('key_digest', '>', after)
    .orderBy('key_digest')
    .limit(1)
    .offset(LOOKED_AT - 1)
    .executeTakeFirst()
  let old = q
    .deleteFrom('answers')
    .where('key_digest', '>', after)
    .where('at', '<', now - KEPT_MS)
  if (last) old = old.where('key_digest', '<=', last.key_digest)
  await old.execute()
  return last?.key_digest ?? ''
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
