import { sql } from 'kysely'
import type { Rows } from '../db/db.ts'

/**
 * GIN puts new rows on a list that every search reads to its end, and sorts them in only when that has grown to 4 MB. To do without
 * the list makes a write three times as expensive; sorting it in every few seconds keeps it short, and no writer waits for that.
 */
export async function tidyGin(rows: Rows): Promise<void> {
  await sql`
    SELECT gin_clean_pending_list(c.oid) FROM pg_class c JOIN pg_am am ON am.oid = c.relam
    WHERE am.amname = 'gin' AND c.relkind = 'i' AND pg_table_is_visible(c.oid) AND pg_get_userbyid(c.relowner) = current_user`.execute(
    rows.tables(),
  )
}
