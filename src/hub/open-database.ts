import { statfsSync } from 'node:fs'
import type { Target } from '#client/locate.ts'
import type { Database } from '#kernel/db/db.ts'
import { openSqlite } from '#kernel/db/sqlite.ts'
import { DatabaseRefused } from '#kernel/db/database-refused.ts'
import { migrations } from './schema.ts'

const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997])

export async function openDatabase(target: Target, now: () => number): Promise<Database> {
  if (target.kind === 'postgres') {
    // Its driver is a tenth of a start, which most hubs never need.
    const { openPostgres } = await import('#kernel/db/postgres.ts')
    return openPostgres(target.db, migrations, now)
  }
  if (NETWORK_FILE_SYSTEMS.has(statfsSync(target.directory).type))
    throw new DatabaseRefused({
      en: `${target.directory} is on a network file system, where SQLite can lose data; choose a local folder with --db, or use PostgreSQL.`,
      ja: `${target.directory} はネットワークファイルシステム上にあり、SQLite のデータが失われるおそれがあります。--db でローカルのフォルダーを指定するか、PostgreSQL を使ってください。`,
    })
  return openSqlite(target.db, migrations, now)
}
