// Makes a database of PostgreSQL that a test has used as good as a new copy of the template.
import pg from 'pg'

/** Whether it is. Not where the test has changed more than rows. Ends whatever else is connected. */
export async function emptied(client: pg.Client, shape: string): Promise<boolean> {
  await client.query(END_OTHERS)
  if ((await shapeIn(client)) !== shape) return false
  await client.query(EMPTY)
  return true
}

/** The same for two databases with the same columns, indexes, constraints, triggers and migrations. */
export async function shapeOf(url: string): Promise<string> {
  const client = await connect(url)
  try {
    return await shapeIn(client)
  } finally {
    await client.end()
  }
}

/** Stays connected until it ends itself or is ended, as with a database that is dropped. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

const END_OTHERS = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

const SHAPE = `select md5(concat(
  (select string_agg(concat_ws(' ', c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull), ',' order by c.relname, a.attnum)
    from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace),
  (select string_agg(concat_ws(' ', conname, contype), ',' order by conname, conrelid) from pg_constraint
    where connamespace = 'public'::regnamespace),
  (select string_agg(concat_ws(' ', tgname, tgenabled), ',' order by tgname, tgrelid) from pg_trigger where not tgisinternal),
  (select string_agg(id, ',' order by id) from migrations))) as shape`

/** Only what was written to, and past the triggers that keep what was remembered. */
const EMPTY = `set session_replication_role = replica;
do $$ declare found record; begin
  for found in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname <> 'migrations' and pg_relation_size(oid) > 0
  loop execute format('delete from %s', found.name); end loop;
  for found in select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public' and last_value is not null
  loop execute format('alter sequence %s restart', found.name); end loop;
end $$`

async function shapeIn(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(SHAPE)
  return rows[0]?.shape ?? ''
}
