// Owns the time that stored deadlines are compared with. It starts as the wall clock's and from then on only moves forward, with
// the time in which a hub was there to look: setting the clock, a sleep of the machine and Ctrl-Z do not move it.
import type { Clock } from './clock.ts'
import type { Database, Tx } from './db/db.ts'
import type { Migration } from './db/migrate.ts'

/** A time that may be compared with a stored deadline; the type keeps the wall clock's out. */
export type HubMoment = number & { readonly hubTime: true }

export interface HubTime extends Clock {
  /** For deadlines that are stored: never goes back, and no setting of the clock moves it. */
  steady(): HubMoment
  /** As `steady`, without the part that after a restart of the machine is only the wall clock's word. */
  observed(): number
  /** How long this hub has been awake since it began, since it was last away without noticing it, or since the clock was set. */
  settledFor(): number
}

/** What was written with the last beat. `wall` is the clock that all hubs of the database share. */
export type Beat = { steady: number; observed: number; wall: number; boot: string; monotonic: number }

type TimeTables = { hub_time: Beat & { id: number } }

export const hubTimeMigrations: Migration[] = [
  {
    id: 'time.1',
    async up(db, column) {
      await db.schema
        .createTable('hub_time')
        .addColumn('id', column.key)
        .addColumn('steady', 'bigint', c => c.notNull())
        .addColumn('observed', 'bigint', c => c.notNull())
        .addColumn('wall', 'bigint', c => c.notNull())
        .addColumn('boot', 'text', c => c.notNull())
        .addColumn('monotonic', 'bigint', c => c.notNull())
        .execute()
    },
  },
]

/** A hub writes a beat at least this often: so much may be missing from the last one of a hub that was killed. */
export const BEAT_MS = 10_000
/** A clock that is set by less than this is not worth a look at the other hubs. */
const JUMP_MS = 15_000

/** Where the time stands now, by the last beat. Within one boot it is known; after another, the wall clock is all there is. */
export function resumed(last: Beat, now: Omit<Beat, 'steady' | 'observed'>): Pick<Beat, 'steady' | 'observed'> {
  const passed = now.boot === last.boot ? now.monotonic - last.monotonic : -1
  if (passed >= 0) return { steady: last.steady + passed, observed: last.observed + passed }
  // Also where that clock was put back: what ran out just before the end of the last hub stays so.
  return { steady: last.steady + Math.max(now.wall - last.wall, BEAT_MS), observed: last.observed }
}

export class StoredTime implements HubTime {
  readonly #database: Database
  readonly #clock: Clock
  #base: { steady: number; observed: number; awake: number }
  #seen: { wall: number; monotonic: number; awake: number }
  #settledAt: number

  private constructor(database: Database, clock: Clock, from: Pick<Beat, 'steady' | 'observed'>) {
    this.#database = database
    this.#clock = clock
    this.#base = { ...from, awake: clock.awake() }
    this.#seen = this.#look()
    this.#settledAt = this.#seen.awake
  }

  static async open(database: Database, clock: Clock): Promise<StoredTime> {
    const shared = await database.wall(() => clock.now())
    return database.tx(async tx => {
      const reading = { wall: shared, boot: clock.boot(), monotonic: Math.floor(clock.monotonic()) }
      const last = await read(tx)
      const from = last ? resumed(last, reading) : { steady: clock.now(), observed: 0 }
      await write(tx, { ...from, ...reading })
      return new StoredTime(database, clock, from)
    })
  }

  now(): number {
    return this.#clock.now()
  }

  monotonic(): number {
    return this.#clock.monotonic()
  }

  awake(): number {
    return this.#clock.awake()
  }

  boot(): string {
    return this.#clock.boot()
  }

  steady(): HubMoment {
    return Math.floor(this.#base.steady + this.#passed()) as HubMoment
  }

  observed(): number {
    return Math.floor(this.#base.observed + this.#passed())
  }

  settledFor(): number {
    const now = this.#look()
    // Also before `watch` has noticed it.
    const isCalm = awayBetween(this.#seen, now) < JUMP_MS && Math.abs(setBetween(this.#seen, now)) < JUMP_MS
    return isCalm ? now.awake - this.#settledAt : 0
  }

  /** Writes down where the time stands. Of several hubs on one database, the one that was awake longest is right. */
  async beat(): Promise<void> {
    const wall = await this.#database.wall(() => this.now())
    await this.#database.tx(async tx => {
      const last = await read(tx)
      const steady = Math.max(this.steady(), last?.steady ?? 0)
      const observed = Math.max(this.observed(), last?.observed ?? 0)
      this.#base = { steady, observed, awake: this.#clock.awake() }
      await write(tx, { steady, observed, wall, boot: this.boot(), monotonic: Math.floor(this.monotonic()) })
    })
  }

  /** To be called every second. Answers by how much the clock was set, or we were not there, if that is worth a word. */
  async watch(): Promise<number | undefined> {
    const before = this.#seen
    this.#seen = this.#look()
    const { awake } = this.#seen
    const set = setBetween(before, this.#seen)
    const away = awayBetween(before, this.#seen)
    if (Math.abs(set) < JUMP_MS && away < JUMP_MS) return undefined
    this.#settledAt = awake
    // The other hubs of a shared database were there meanwhile, and have gone on.
    await this.beat()
    return Math.round(set + away)
  }

  #passed(): number {
    return this.#clock.awake() - this.#base.awake
  }

  #look() {
    return { wall: this.#clock.now(), monotonic: this.#clock.monotonic(), awake: this.#clock.awake() }
  }
}

type Look = { wall: number; monotonic: number; awake: number }

function awayBetween(before: Look, now: Look): number {
  return now.monotonic - before.monotonic - (now.awake - before.awake)
}

function setBetween(before: Look, now: Look): number {
  return now.wall - before.wall - (now.monotonic - before.monotonic)
}

async function read(tx: Tx): Promise<Beat | undefined> {
  return tx.tables<TimeTables>().selectFrom('hub_time').selectAll().where('id', '=', 1).executeTakeFirst()
}

async function write(tx: Tx, beat: Beat): Promise<void> {
  const row = { ...beat, id: 1 }
  await tx
    .tables<TimeTables>()
    .insertInto('hub_time')
    .values(row)
    .onConflict(oc => oc.column('id').doUpdateSet(row))
    .execute()
}
