// What happens at regular times while the hub runs.
import { BEAT_MS, type StoredTime } from '#kernel/hub-time.ts'
import type { Log } from '#kernel/log.ts'
import type { Scope } from '#kernel/scope.ts'
import type { HostTerminals } from '#kernel/terminals/host-terminals.ts'
import type { Composed } from './compose.ts'
import type { Doors } from './doors.ts'
import type { HubOptions } from './lifecycle.ts'
import { UnusedMemory } from './unused-memory.ts'
import { WaitingNotices } from './waiting-notices.ts'

const CLOCK_MS = 1000

/** When the hub was last used. */
export class LastUse {
  readonly #clock: Pick<StoredTime, 'monotonic'>
  #at: number

  constructor(clock: Pick<StoredTime, 'monotonic'>) {
    this.#clock = clock
    this.#at = clock.monotonic()
  }

  now(): void {
    this.#at = this.#clock.monotonic()
  }

  /** How long ago, in milliseconds. */
  get ago(): number {
    return this.#clock.monotonic() - this.#at
  }
}

type Tended = { hub: Composed; doors: Doors; terminals: HostTerminals; lastUse: LastUse; stop: () => void }

/** Looks after what is stored, and ends an unused background hub. */
export function startTending(scope: Scope, options: HubOptions, tended: Tended): void {
  const { hub, doors, terminals, lastUse, stop } = tended
  const { log, background, idleMs } = options
  const waiting = options.runner?.notice && new WaitingNotices(hub, options.runner.notice)
  const memory = new UnusedMemory()
  const tend = () => {
    void waiting?.look().catch(error => log.warn({ err: error }, 'starts that wait could not be looked for'))
    if (doors.size + terminals.running + hub.keeper.size + hub.processes.size > 0) lastUse.now()
    if (background && lastUse.ago > idleMs) return stop()
    memory.look()
    hub.tend(doors.secrets()).catch(error => log.warn({ err: error }, 'tending failed; it is tried again'))
  }
  const tending = setInterval(tend, Math.min(BEAT_MS, idleMs))
  scope.add('tending', () => clearInterval(tending))
}

/** Stores the hub's own time, and notices when the clock is set. */
export function startClockWatch(scope: Scope, clock: StoredTime, log: Log): void {
  const watch = () =>
    void clock.watch().then(
      jump => {
        if (jump !== undefined) log.info({ jump }, 'the clock was set, or this hub was not running for a while')
      },
      error => log.warn({ err: error }, "the hub's time could not be stored; it is tried again"),
    )
  const watching = setInterval(watch, CLOCK_MS)
  scope.add('clock', () => clearInterval(watching))
}
