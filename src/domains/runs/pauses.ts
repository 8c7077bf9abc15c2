// Owns the pauses of engines whose quota is used up. They are rows, so that a restart of the hub obeys them too.
import { sql } from 'kysely'
import type { Caller } from '#contract/caller.ts'
import { EnginePaused, EngineResumed } from '#contract/runs.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'

export type Pause = { engine: string; until: number; reason: string }

/**
 * `until` is the wall clock's, as the program named it. `steady_until` ends the pause after its time when that clock is put back.
 * `refusals`: so often in a row its account had nothing left; the row stays when the pause is over, until a run comes to a good end.
 */
type PauseTables = { engine_pauses: Pause & { since: number; steady_until: number; refusals: number } }

export const pauseMigrations: Migration[] = [
  {
    id: 'runs.pauses.1',
    async up(db, column) {
      await db.schema
        .createTable('engine_pauses')
        .addColumn('engine', column.id, c => c.primaryKey())
        .addColumn('until', 'bigint', c => c.notNull())
        .addColumn('reason', 'text', c => c.notNull())
        .addColumn('since', 'bigint', c => c.notNull())
        .execute()
    },
  },
  {
    id: 'runs.pauses.time.1',
    async up(db) {
      await db.schema
        .alterTable('engine_pauses')
        .addColumn('steady_until', 'bigint', c => c.notNull().defaultTo(0))
        .execute()
      await sql`UPDATE engine_pauses SET steady_until = until`.execute(db)
    },
  },
  {
    id: 'runs.pauses.refusals.1',
    async up(db) {
      await db.schema
        .alterTable('engine_pauses')
        .addColumn('refusals', 'integer', c => c.notNull().defaultTo(1))
        .execute()
    },
  },
]

/** When the program did not say when its quota comes back. */
const UNKNOWN_MS = 15 * 60_000
/** Refused again right after its pause, an engine is paused for twice as long as last time, up to this; for longer only when its program says so. */
const LONGER_MS = 60 * 60_000
/** A program that names a time further off than this is not believed to the letter. */
const LONGEST_MS = 32 * 86_400_000

/** The clock was set: the two times that were stored together differ by more than this. */
const SET_MS = 1000

export class Pauses {
  readonly #deps: { db: Db; events: EventLog; clock: HubTime }

  constructor(deps: { db: Db; events: EventLog; clock: HubTime }) {
    this.#deps = deps
  }

  /** The pause that holds now. */
  async find(engine: string): Promise<Pause | undefined> {
    const row = await this.#holding().where('engine', '=', engine).executeTakeFirst()
    return row && this.#shown(row)
  }

  async list(): Promise<(Pause & { since: number })[]> {
    const rows = await this.#holding().orderBy('engine').execute()
    return rows.map(row => ({ ...this.#shown(row), since: row.since }))
  }

  /** Until the time that was named has come, or as much time has gone by: whichever is first. */
  #holding() {
    const { db, clock } = this.#deps
    return db
      .tables<PauseTables>()
      .selectFrom('engine_pauses')
      .selectAll()
      .where('until', '>', clock.now())
      .where('steady_until', '>', clock.steady())
  }

  #shown({ engine, until, reason, steady_until }: PauseTables['engine_pauses']): Pause {
    const { clock } = this.#deps
    const bySteady = clock.now() + steady_until - clock.steady()
    // The two clocks are read one after the other: what differs by a moment is the time that was named.
    return { engine, until: until - bySteady > SET_MS ? bySteady : until, reason }
  }

  /** Starts of this engine wait until then, or longer when it is not the first time in a row. A longer pause that holds already stays. */
  pause(engine: string, resetsAt: number | undefined, reason: string, by: Caller): Promise<Pause> {
    return this.#deps.db.tx(async tx => {
      const now = this.#deps.clock.now()
      const held = await this.find(engine)
      const before = await this.#refusals(engine)
      // Others that ran at the same time are refused as well: that is the same refusal.
      const refusals = held ? before : before + 1
      const named = resetsAt !== undefined && resetsAt > now ? Math.min(resetsAt - now, LONGEST_MS) : UNKNOWN_MS
      const until = now + Math.max(named, Math.min(named * 2 ** (refusals - 1), LONGER_MS))
      if (held && held.until >= until) return held
      const pause = { engine, until, reason }
      await save(tx, { ...pause, since: now, steady_until: this.#deps.clock.steady() + until - now, refusals })
      await this.#deps.events.publish(tx, EnginePaused, pause, by)
      return pause
    })
  }

  /** A run of it came to a good end: the next refusal is the first. One that began before a pause does not end it. */
  passed(engine: string): Promise<void> {
    return this.#deps.db.tx(async tx => {
      if (await this.find(engine)) return
      await tx.tables<PauseTables>().deleteFrom('engine_pauses').where('engine', '=', engine).execute()
    })
  }

  async #refusals(engine: string): Promise<number> {
    const query = this.#deps.db.tables<PauseTables>().selectFrom('engine_pauses').select('refusals')
    return (await query.where('engine', '=', engine).executeTakeFirst())?.refusals ?? 0
  }

  /** False when it was not paused. */
  resume(engine: string, by: Caller): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const held = await this.find(engine)
      await tx.tables<PauseTables>().deleteFrom('engine_pauses').where('engine', '=', engine).execute()
      if (held) await this.#deps.events.publish(tx, EngineResumed, { engine }, by)
      return held !== undefined
    })
  }
}

async function save(tx: Tx, row: PauseTables['engine_pauses']): Promise<void> {
  await tx
    .tables<PauseTables>()
    .insertInto('engine_pauses')
    .values(row)
    .onConflict(oc => oc.column('engine').doUpdateSet(row))
    .execute()
}
