import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '#hub/schema.ts'
import { type DatabaseKind, databases } from '#test/hub.ts'
import { freshPostgres } from '#test/postgres.ts'
import type { Database } from './db.ts'
import { fixed } from './fixed.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** A database with three projects. */
async function open(kind: DatabaseKind): Promise<{ database: Database } & AsyncDisposable> {
  const home = mkdtempSync(join(tmpdir(), 'toryo-test-'))
  const postgres = kind === 'postgres' ? await freshPostgres() : undefined
  const database = postgres
    ? await openPostgres(postgres.url, migrations, Date.now)
    : await openSqlite(join(home, 'toryo.db'), migrations, Date.now)
  const rows = ['ant', 'bee', 'cat'].map(name => ({
    id: `prj_${name}`,
    name,
    description: '',
    active: 1,
    created_at: 0,
  }))
  await database.tx(tx =>
    tx.tables<{ projects: (typeof rows)[number] }>().insertInto('projects').values(rows).execute(),
  )
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await postgres?.drop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

type Tables = { projects: { id: string; name: string; number: number } }

const byName = fixed((q: Kysely<Tables>, value: { name: string; limit: number }) =>
  q.selectFrom('projects').select(['id', 'name']).where('name', '>=', value.name).orderBy('name').limit(value.limit),
)

describe.each(databases)('on %s', kind => {
  test('a fixed query takes new values at each run, on each connection', async () => {
    await using opened = await open(kind)
    const { database } = opened
    expect(await byName(database, { name: 'b', limit: 1 })).toEqual([{ id: 'prj_bee', name: 'bee' }])
    expect(await byName(database, { limit: 5, name: 'bee' })).toHaveLength(2)
    await database.tx(async tx => expect(await byName(tx, { name: 'cat', limit: 5 })).toHaveLength(1))
  })
})

test('a fixed query with a value of its own is refused, since that would be the same at each run', async () => {
  await using opened = await open('sqlite')
  const broken = fixed((q: Kysely<Tables>, value: { name: string }) =>
    q.selectFrom('projects').select('id').where('name', '=', value.name).where('number', '>', 1),
  )
  await expect(async () => broken(opened.database, { name: 'x' })).rejects.toThrow('takes all its values by name')
  const literal = fixed((q: Kysely<Tables>, value: { name: string }) =>
    q.selectFrom('projects').select('id').where('name', '=', value.name).where('number', '>', sql.lit(0)),
  )
  expect(await literal(opened.database, { name: 'x' })).toEqual([])
})
