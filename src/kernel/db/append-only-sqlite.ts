import { type Kysely, sql } from 'kysely'

/** Also covers REPLACE, which deletes a row without firing the delete trigger. Tables have a numeric key `id`. */
export async function refuseChanges(db: Kysely<unknown>, table: string): Promise<void> {
  const refuse = sql.raw(`BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`)
  const on = sql.table(table)
  const trigger = (what: string) => sql.id(`${table}_no_${what}`)
  await sql`CREATE TRIGGER ${trigger('update')} BEFORE UPDATE ON ${on} ${refuse}`.execute(db)
  await sql`CREATE TRIGGER ${trigger('delete')} BEFORE DELETE ON ${on} ${refuse}`.execute(db)
  await sql`CREATE TRIGGER ${trigger('replace')} BEFORE INSERT ON ${on} WHEN EXISTS (SELECT 1 FROM ${on} WHERE id = NEW.id) ${refuse}`.execute(
    db,
  )
}
