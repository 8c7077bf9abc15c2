// Runs one program to its end: reads its output no faster than it can be used, keeps it in a log, watches the time, and reports
// the end exactly once, after nothing of it is left running.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import { STOPPED_MS } from '../clock.ts'
import type { CappedLog } from './capped-log.ts'
import { type Launch, type Launched, launch } from './launch.ts'
import type { ProcessRecord } from './record.ts'
import { stop, type StopOptions, type StopReport } from './stop.ts'

export type Limits = {
  /** The longest it may run. */
  totalMs?: number
  /** The longest it may say nothing. */
  silenceMs?: number
}

export type Supervision = {
  launch: Launch
  limits?: Limits
  /** Closed at the end. */
  log?: CappedLog
  /** Called in turn for every piece of output. What it throws ends the program. */
  onOutput?: (bytes: Buffer, from: 'stdout' | 'stderr') => void
  stop?: StopOptions
}

export type Cause = 'itself' | 'stopped' | 'time-limit' | 'silence' | 'output-refused'

export type Ending = {
  /** What brought the end about. */
  cause: Cause
  code: number | undefined
  signal: NodeJS.Signals | undefined
  /** How what it left running, or itself, was ended. `gone`: it left nothing. */
  cleanup: StopReport
  outputBytes: number
  error?: unknown
}

export type Supervised = {
  readonly record: ProcessRecord
  /** Only with `keepStdin`. */
  readonly stdin: Writable | undefined
  /** Never rejects. */
  readonly ended: Promise<Ending>
  /** Ends it; repeated calls share one ladder. A cause given later than the first does not count. */
  stop(options?: StopOptions): Promise<Ending>
}

/** How much one program may make us work before others get their turn. */
const TURN_BYTES = 256 * 1024
/** What was written before the end is read to the end, unless a process that we could not end holds it open. */
const DRAIN_MS = 2000
const LONGEST_DRAIN_MS = 10_000
const LEFTOVERS: StopOptions = { graceMs: 2000, own: true }
/** Often enough to see that we were stopped. */
const LOOK_MS = 5000

export async function supervise(options: Supervision): Promise<Supervised> {
  let launched: Launched
  try {
    launched = await launch(options.launch)
  } catch (error) {
    await options.log?.close()
    throw error
  }
  return new Watch(launched, options)
}

class Watch implements Supervised {
  readonly record: ProcessRecord
  readonly stdin: Writable | undefined
  readonly ended: Promise<Ending>
  readonly #launched: Launched
  readonly #options: Supervision
  readonly #startedAt = performance.now()
  #heardAt = this.#startedAt
  #timer: NodeJS.Timeout | undefined
  #cause: Cause | undefined
  #error: unknown
  #cleanup: Promise<StopReport> | undefined
  #bytes = 0

  constructor(launched: Launched, options: Supervision) {
    this.#launched = launched
    this.#options = options
    this.record = launched.record
    this.stdin = launched.stdin
    this.#read(launched.stdout, 'stdout')
    this.#read(launched.stderr, 'stderr')
    this.#watchTime()
    this.ended = this.#end()
  }

  stop(options: StopOptions = {}): Promise<Ending> {
    this.#stop('stopped', options)
    return this.ended
  }

  #stop(cause: Cause, options: StopOptions = {}): void {
    this.#cause ??= cause
    this.#cleanup ??= stop(this.record, { ...this.#options.stop, ...options, own: true })
  }

  async #end(): Promise<Ending> {
    const { exited, closed, stdout, stderr } = this.#launched
    const { code, signal } = await exited
    clearTimeout(this.#timer)
    this.#cause ??= 'itself'
    this.#cleanup ??= stop(this.record, LEFTOVERS)
    const cleanup = await this.#cleanup.catch((error: unknown): StopReport => {
      this.#error ??= error
      return { how: 'survived', found: 0, survivors: [] }
    })
    await Promise.race([closed, this.#quiet(DRAIN_MS)])
    stdout.destroy()
    stderr.destroy()
    await this.#options.log?.close().catch(() => {}) // The end is reported whether or not the log was kept.
    const error = this.#error === undefined ? {} : { error: this.#error }
    return { cause: this.#cause, code, signal, cleanup, outputBytes: this.#bytes, ...error }
  }

  /** Waits until nothing was heard for that long; an output that we are still reading is not cut. */
  async #quiet(ms: number): Promise<void> {
    const deadline = performance.now() + LONGEST_DRAIN_MS
    this.#heardAt = performance.now()
    for (let left = ms; left > 0; left = Math.min(this.#heardAt + ms, deadline) - performance.now()) {
      await sleep(left, undefined, { ref: false })
    }
  }

  #read(stream: Readable, from: 'stdout' | 'stderr'): void {
    let turn = 0
    stream.on('data', (bytes: Buffer) => {
      this.#heardAt = performance.now()
      this.#bytes += bytes.length
      turn += bytes.length
      this.#hand(bytes, from)
      const log = this.#options.log
      if (!log?.full && turn < TURN_BYTES) return
      turn = 0
      stream.pause()
      const goOn = async () => {
        if (log?.full) await log.drained()
        setImmediate(() => stream.resume())
      }
      void goOn()
    })
  }

  #hand(bytes: Buffer, from: 'stdout' | 'stderr'): void {
    this.#options.log?.write(bytes)
    try {
      this.#options.onOutput?.(bytes, from)
    } catch (error) {
      this.#error ??= error
      this.#stop('output-refused')
    }
  }

  #watchTime(): void {
    const { totalMs = Infinity, silenceMs = Infinity } = this.#options.limits ?? {}
    let expected = Infinity
    const look = () => {
      const now = performance.now()
      // What it said while we were stopped (Ctrl-Z) is still to be read: that was our silence, not its own.
      if (now - expected > STOPPED_MS) this.#heardAt += now - expected
      const total = this.#startedAt + totalMs - now
      const silence = this.#heardAt + silenceMs - now
      if (total <= 0) return this.#stop('time-limit')
      if (silence <= 0) return this.#stop('silence')
      const next = Math.min(total, silence)
      if (next === Infinity) return
      const pause = Math.min(Math.ceil(next), LOOK_MS)
      expected = now + pause
      this.#timer = setTimeout(look, pause)
    }
    look()
  }
}
