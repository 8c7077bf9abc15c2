// Finds the hub of a database and starts one when none runs. Losing the race for the hub's lock is normal here.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HubError } from '#contract/errors.ts'
import { claim, releaseClaim } from '#system/claim.ts'
import { ClientError, whyNotWritable } from './errors.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'
import type { Env, Target } from './locate.ts'
import { askProof, singleConnection } from './proof.ts'
import { type HubState, readState } from './state-file.ts'
import { prepareTarget } from './trusted-path.ts'

export type EnsureOptions = {
  signal?: AbortSignal
  onProgress?: (what: 'starting' | 'waiting') => void
  /** The hub's bundled program; by default the one beside this. */
  program?: string
  /** What a hub that is started gets; by default that of this process. */
  env?: Env
}

/** Another hub owns the database: EX_TEMPFAIL, see the hub's main.ts. */
const LOCKED = 75
const REFUSED = 1
const PATIENCE_MS = 20_000
const POLL_MS = 25
/** Long: a busy hub is better than a second one that only loses the race for the lock. */
const PROBE_MS = 3000
const MAX_CRASHES = 3

/** The state of the hub that serves this database, proven to be that hub; started first when there is none. */
export async function ensureHub(target: Target, options: EnsureOptions = {}): Promise<HubState> {
  prepareTarget(target)
  const finder = new Finder(target)
  const starter = new Starter(target, options.program ?? ownProgram(), options.env ?? process.env)
  const deadline = performance.now() + PATIENCE_MS
  let hub: HubState | undefined
  try {
    for (;;) {
      options.signal?.throwIfAborted()
      hub = await finder.look()
      if (hub) return hub
      if (performance.now() > deadline)
        throw ClientError.HUB_NOT_READY({ seconds: PATIENCE_MS / 1000, log: starter.keptLog })
      const started = starter.advance()
      options.onProgress?.(started ? 'starting' : 'waiting')
      await sleep(POLL_MS, undefined, options.signal ? { signal: options.signal } : {})
    }
  } finally {
    starter.release(hub)
  }
}

/** The hub that runs for this database, if one does and proves it. Starts nothing. */
export async function findHub(target: Target): Promise<HubState | undefined> {
  return new Finder(target).look()
}

class Finder {
  readonly #target: Target
  #failed = { token: '', url: '', at: Number.NEGATIVE_INFINITY }

  constructor(target: Target) {
    this.#target = target
  }

  async look(): Promise<HubState | undefined> {
    const state = readState(this.#target)
    if (!state) return undefined
    // A dead hub's file stays until the next hub replaces it: no need to knock forty times a second.
    const known = state.token === this.#failed.token && state.url === this.#failed.url
    if (known && performance.now() - this.#failed.at < 500) return undefined
    if (await isProven(state)) return state
    this.#failed = { token: state.token, url: state.url, at: performance.now() }
    return undefined
  }
}

async function isProven(state: HubState): Promise<boolean> {
  const agent = singleConnection(state.url, { certificate: state.certificate })
  try {
    await askProof(state.url, state.token, agent, PROBE_MS)
    return true
  } catch (cause) {
    if (cause instanceof HubError && cause.code === 'HUB_OUTDATED') throw cause
    return false // No program there, too slow, or a stranger: it makes no difference to a client that needs a hub.
  } finally {
    agent.destroy()
  }
}

/** One child at a time, until a hub is there or a child says why there cannot be one. */
class Starter {
  readonly #target: Target
  readonly #program: string
  readonly #env: Env
  readonly #claim: string
  readonly #log: string
  readonly keptLog: string
  #child: HubProcess | undefined
  /** A client that goes while it starts a hub takes its claim with it. */
  readonly #leave = () => this.release(undefined)
  #notBefore = 0
  #lost = 0
  #crashes = 0

  constructor(target: Target, program: string, env: Env) {
    this.#target = target
    this.#program = program
    this.#env = env
    const prefix = path.join(target.logDirectory, `start-${target.hash.slice(0, 16)}`)
    this.#claim = `${prefix}.claim`
    this.#log = `${prefix}-${process.pid}-${randomBytes(4).toString('hex')}.log`
    this.keptLog = `${prefix}.log`
  }

  /** True when this step started a hub's process. Throws when starting another is of no use. */
  advance(): boolean {
    const ended = this.#child?.ended()
    if (ended) this.#childEnded(ended.code)
    if (this.#child || performance.now() < this.#notBefore || !this.#claimStart()) return false
    this.#start()
    return true
  }

  /**
   * Many clients may miss their hub at the same moment. One of them starts it while the others wait: fifty processes that race
   * for one lock would slow down the one that wins, and one that comes too late would start a hub that no client needs any more.
   * The hub's own lock decides in the end.
   */
  #claimStart(): boolean {
    try {
      return claim(this.#claim)
    } catch (cause) {
      // Such as a file system that is read-only.
      throw ClientError.PATH_NOT_USABLE({ path: path.dirname(this.#claim), reason: whyNotWritable(cause) }, cause)
    }
  }

  release(hub: HubState | undefined): void {
    if (!this.#child) return
    const won = hub !== undefined && this.#child.pid() === hub.pid
    const undecided = hub === undefined
    // The hub that won goes on writing what no logger catches, such as the last words of a crash.
    if (won || undecided) rename(this.#log, this.keptLog)
    this.#dropChild()
  }

  #start(): void {
    if (!fs.existsSync(this.#program)) {
      releaseClaim(this.#claim)
      throw ClientError.HUB_NOT_BUILT({ program: this.#program })
    }
    sweepLogs(this.keptLog)
    const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = fs.constants
    const log = fs.openSync(this.#log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600)
    try {
      process.once('exit', this.#leave)
      this.#child = startHubProcess(this.#program, this.#target, log, this.#env)
    } finally {
      fs.closeSync(log)
    }
  }

  #childEnded(code: number | undefined): void {
    const words = lastWords(this.#log)
    this.#dropChild()
    if (code === REFUSED) throw ClientError.HUB_REFUSED({ sentence: words || 'it gave no reason.' })
    if (code === LOCKED) {
      // Its owner is starting, or ending: look for its state, and try again in case it was ending.
      this.#notBefore = performance.now() + Math.min(2000, 250 * 2 ** this.#lost++)
      return
    }
    this.#crashes++
    if (this.#crashes >= MAX_CRASHES) throw ClientError.HUB_REFUSED({ sentence: `exit ${code ?? '?'}. ${words}` })
    this.#notBefore = performance.now() + 250 * this.#crashes
  }

  #dropChild(): void {
    process.off('exit', this.#leave)
    this.#child?.release()
    this.#child = undefined
    fs.rmSync(this.#log, { force: true })
    releaseClaim(this.#claim)
  }
}

/** dist/hub.js, seen from dist/bridge.js and from a chunk of the CLI in dist/chunks. */
function ownProgram(): string {
  const beside = fileURLToPath(new URL('./hub.js', import.meta.url))
  const above = fileURLToPath(new URL('../hub.js', import.meta.url))
  return !fs.existsSync(beside) && fs.existsSync(above) ? above : beside
}

/** The sentence that it left with. Of a crash, the line that names the error: the stack is for the log. */
function lastWords(log: string): string {
  try {
    const text = fs.readFileSync(log, 'utf8').trim()
    const error = /^\w*Error(?: \[\w+\])?: .+$/m.exec(text)?.[0]
    return (error ?? text).slice(-2000).replace(/^toryo: /, '')
  } catch {
    return '' // Another process removed it.
  }
}

/** Starters that were killed leave theirs behind. */
function sweepLogs(kept: string): void {
  const prefix = path.basename(kept, '.log')
  const folder = path.dirname(kept)
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(`${prefix}-`)) continue
    const file = path.join(folder, name)
    const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - written > 3_600_000) fs.rmSync(file, { force: true })
  }
}

function rename(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch {
    // Only a log: the hub is what counts.
  }
}
