// Vectors of records and their nearness. Kept only while an embedder is configured; never part of the data.
import { sql } from 'kysely'
import type { Database, Rows } from '#kernel/db/db.ts'
import { Indexer } from './indexer.ts'
import { documentId, EVERYWHERE, recordOf } from './model.ts'
import type { Embedder } from './ports.ts'
import type { IndexTables } from './schema.ts'
import { MemoryStore } from './store.ts'

const BATCH = 32
const PAGE = 1000
/** Compared one by one; a project with more is compared in its newest ones. */
const COMPARED = 50_000
/** Models read no more of a text than this. */
const EMBEDDED_LENGTH = 8_000

/** The nearest documents of the scopes, nearest first. */
export async function nearest(
  rows: Rows,
  query: { scopes: readonly number[]; model: string; vectors: readonly Float32Array[]; limit: number },
  accepts: (document: number) => boolean,
): Promise<number[]> {
  const scored: { id: number; score: number }[] = []
  for (const scope of query.scopes) {
    let before = Number.MAX_SAFE_INTEGER
    for (let compared = 0; compared < COMPARED; compared += PAGE) {
      const page = await rows
        .tables<IndexTables>()
        .selectFrom('memory_vectors')
        .select(['id', 'vector'])
        .where('scope', '=', scope)
        .where('model', '=', query.model)
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(PAGE)
        .execute()
      for (const row of page) {
        if (!accepts(row.id)) continue
        const vector = decode(row.vector)
        scored.push({ id: row.id, score: Math.max(...query.vectors.map(one => dot(one, vector))) })
      }
      if (page.length < PAGE) break
      before = page.at(-1)?.id ?? 0
    }
  }
  scored.sort((a, b) => b.score - a.score || b.id - a.id)
  return scored.slice(0, query.limit).map(one => one.id)
}

/** Gives vectors to records that have none of this model. Answers how many it did. */
export async function embedMissing(database: Database, embedder: Embedder, signal: AbortSignal): Promise<number> {
  // Those that wait for the index are to be found by their meaning as well.
  if (database.search.gathers) await database.tx(tx => new Indexer(tx, database.search).gather())
  const missing = await sql<{ id: number }>`
    SELECT memory_documents.id FROM memory_documents
    LEFT JOIN memory_vectors ON memory_vectors.id = memory_documents.id AND memory_vectors.model = ${embedder.model}
    WHERE memory_vectors.id IS NULL ORDER BY memory_documents.id DESC LIMIT ${BATCH}`.execute(database.tables())
  const found = await textsOf(
    new MemoryStore(database, database.search),
    missing.rows.map(row => row.id),
  )
  if (found.length === 0) return 0
  const vectors = await embedder.embed(
    found.map(({ text }) => text.slice(0, EMBEDDED_LENGTH)),
    signal,
  )
  await database.tx(async tx => {
    // A rebuild may have begun meanwhile; vectors do not depend on it.
    const q = tx.tables<IndexTables>()
    for (const [index, { id, scope }] of found.entries()) {
      const row = { scope, model: embedder.model, vector: encode(vectors[index] as Float32Array) }
      await q
        .insertInto('memory_vectors')
        .values({ id, ...row })
        .onConflict(conflict => conflict.column('id').doUpdateSet(row))
        .execute()
    }
  })
  return found.length
}

type Text = { id: number; scope: number; text: string }

async function textsOf(store: MemoryStore, ids: readonly number[]): Promise<Text[]> {
  const records = ids.map(recordOf)
  const of = (kind: string) => records.filter(record => record.kind === kind).map(record => record.id)
  const texts: Text[] = []
  for (const { id, project, title, description } of await store.topicsByIds(of('topic')))
    texts.push({ id: documentId('topic', id), scope: project, text: `${title}\n${description ?? ''}` })
  for (const { id, project, content } of await store.entriesByIds(of('log')))
    texts.push({ id: documentId('log', id), scope: project, text: content })
  for (const { id, project, decision, reason } of await store.decisionsByIds(of('decision')))
    texts.push({ id: documentId('decision', id), scope: project ?? EVERYWHERE, text: `${decision}\n${reason}` })
  return texts
}

/** Of length one, so that the product is the cosine. */
export function normalised(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector) || 1
  return vector.map(value => value / norm)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) sum += (a[at] as number) * (b[at] as number)
  return sum
}

function encode(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** Copied, since the bytes of a row need not begin where a float may. */
function decode(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}
