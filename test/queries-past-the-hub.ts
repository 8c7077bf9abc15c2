// Writes into a hub's database behind its back: facts that only a part of the hub would make which this test does not start.
import pg from 'pg'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import type { TestHub } from './hub.ts'

export async function sql({ target }: TestHub, text: string): Promise<void> {
  if (target.kind === 'sqlite') {
    const file = new Sqlite(target.db, {})
    file.exec(text)
    file.close()
    return
  }
  const client = new pg.Client(target.db)
  await client.connect()
  await client.query(text)
  await client.end()
}
