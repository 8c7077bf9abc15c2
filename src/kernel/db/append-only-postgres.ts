import { type Kysely, sql } from 'kysely'

export async function refuseChanges(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`CREATE OR REPLACE FUNCTION toryo_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$`.execute(db)
  const on = sql.table(table)
  const rows = sql.id(`${table}_append_only`)
  await sql`CREATE TRIGGER ${rows} BEFORE UPDATE OR DELETE ON ${on} FOR EACH ROW EXECUTE FUNCTION toryo_append_only()`.execute(
    db,
  )
  const whole = sql.id(`${table}_no_truncate`)
  await sql`CREATE TRIGGER ${whole} BEFORE TRUNCATE ON ${on} FOR EACH STATEMENT EXECUTE FUNCTION toryo_append_only()`.execute(
    db,
  )
}
