// Adds our server to the engines' config files and takes it out again. One at a time (edit lock), traced first (ledger), each
// file whole (config-file). What cannot be done is reported, never forced.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Env } from '#client/locate.ts'
import { create, look, makeFolder, remove, replace, type Snapshot } from './config-file.ts'
import { type Decision, decideEntry, decideNewFile, decideRemoval } from './decisions.ts'
import { diffOf } from './diff.ts'
import { pause } from '#system/pause.ts'
import { codeOf, type Disk, removeFolder, removeIfThere } from '#system/files.ts'
import { type LockTime, takeEngineLock } from './engine-lock.ts'
import { findProgram } from '#engines/find-program.ts'
import { Unusable } from './format.ts'
import {
  type Ledger,
  type Owner,
  type Pending,
  readLedger,
  type Registered,
  removeLedgerDrafts,
  writeLedger,
} from './ledger.ts'
import { takeEditLock } from './lock.ts'
import { claimedElsewhere, recordOf } from './own-entry.ts'
import { type Outcome, outcomes } from './outcome.ts'
import { ownMark, type ProcessMark } from '#system/process-identity.ts'
import { type Command, type ConfigTarget, configTargets } from './targets.ts'

export type RegistrarDeps = {
  /** TORYO_HOME; trusted, and there. */
  readonly home: string
  readonly userHome: string
  readonly env: Env
  /** Whether this hub is known to have ended. */
  isGone(owner: Extract<Owner, { kind: 'hub' }>): boolean
  /** The bridge of this Toryo, by which an entry is known whose record was lost. */
  readonly bridge?: string | undefined
  readonly disk?: Disk
  /** For tests. */
  readonly time?: LockTime | undefined
  /** The process that edits (default: this one). */
  readonly mark?: ProcessMark
}

type Decide = (text: string | undefined) => Decision
type Work = {
  /** By which the ledger knows it. */
  readonly file: string
  readonly at: string
  readonly engine: string
  readonly lock: string | undefined
  readonly decide: Decide
}

const PERSON: Owner = { kind: 'person' }
const TRIES = 6
const RETRY_MS = 15
const MAX_REPAIRS = 3
const DRAFT = /\.toryo-[0-9a-f]{16}\.tmp$/

export class Registrar {
  readonly #deps: RegistrarDeps
  readonly #disk: Disk
  readonly #targets: readonly ConfigTarget[]
  #ledger: Ledger = { entries: [] }

  constructor(deps: RegistrarDeps) {
    this.#deps = deps
    this.#disk = deps.disk ?? fs
    this.#targets = configTargets(deps.env, path.resolve(deps.userHome))
  }

  /** Our entry in every file that takes one, or in `only` this; what a hub that is gone has left elsewhere is removed. */
  async add(owner: Owner, command: Command, only?: string): Promise<Outcome[]> {
    return this.#alone(async () => {
      if (only !== undefined)
        return this.#all(
          this.#targets.filter(({ file }) => file === only).map(target => this.#adding(target, owner, command)),
        )
      const known = new Set(this.#targets.map(({ file }) => file))
      const left = this.#ledger.entries.filter(record => this.#isLeft(record) && !known.has(record.file))
      const moved = this.#ledger.entries.filter(record => known.has(record.file) && this.#isMoved(record))
      return this.#all([
        ...left.flatMap(record => this.#removals(record, false)),
        ...moved.map(record => this.#removing(record, false, record.real)),
        ...this.#targets.map(target => this.#adding(target, owner, command)),
      ])
    })
  }

  /** `exact`: only what is byte for byte as we left it. */
  async remove(which: (record: Registered) => boolean, exact = false): Promise<Outcome[]> {
    return this.#alone(() => this.#all(this.#ledger.entries.filter(which).flatMap(one => this.#removals(one, exact))))
  }

  /** Entries that a lost ledger no longer names, but whose content shows that they are ours. */
  async removeLost(which: (file: string) => boolean = () => true): Promise<Outcome[]> {
    return this.#alone(() => this.#all(this.#lost().filter(({ file }) => which(file))))
  }

  /** What `add` would do; changes nothing. */
  previewAdd(owner: Owner, command: Command): Outcome[] {
    this.#ledger = readLedger(this.#deps.home)
    return this.#targets.map(target => this.#preview(this.#adding(target, owner, command)))
  }

  previewRemove(which: (record: Registered) => boolean): Outcome[] {
    this.#ledger = readLedger(this.#deps.home)
    const works = this.#ledger.entries.filter(which).flatMap(record => this.#removals(record, false))
    return [...works, ...this.#lost()].map(work => this.#preview(work))
  }

  /** Under the edit lock, with what an editor that was cut off has left cleared away. */
  async #alone(work: () => Promise<Outcome[]>): Promise<Outcome[]> {
    const { home, mark = ownMark() } = this.#deps
    const lock = await takeEditLock(this.#disk, path.join(home, 'registrations.lock'), mark)
    if (!lock) return [outcomes.busy({ engine: '', file: path.join(home, 'registrations.json') })]
    try {
      removeLedgerDrafts(this.#disk, home)
      this.#ledger = readLedger(home)
      if (this.#ledger.pending) this.#clearAway(this.#ledger.pending)
      return await work()
    } finally {
      lock.release()
    }
  }

  #clearAway({ draft, lock, at }: Pending): void {
    if (draft !== undefined && DRAFT.test(draft)) removeIfThere(this.#disk, draft)
    const stats = lock === undefined ? undefined : this.#disk.lstatSync(lock, { throwIfNoEntry: false })
    // Later it would be the engine's own, which takes over one that is ten seconds old.
    if (lock !== undefined && stats?.isDirectory() && stats.mtimeMs - at < 10_000) removeFolder(this.#disk, lock)
    this.#save({ entries: this.#ledger.entries })
  }

  #adding(target: ConfigTarget, owner: Owner, command: Command): Work {
    const { engine, file, lock, makeFor } = target
    const decide: Decide = text => {
      const record = this.#ledger.entries.find(one => one.file === file)
      const isLeft = record !== undefined && this.#isLeft(record)
      const orphan = (now: string) => this.#orphan(target, now, owner)
      const wish = { target, owner, command, record, isLeft, orphan }
      if (text !== undefined) return decideEntry(wish, text)
      const wanted = makeFor.length > 0 && findProgram(makeFor, this.#deps.env) !== undefined
      if (!wanted) return { kind: 'settled', outcome: outcomes.absent(target), record: undefined }
      return decideNewFile(wish, this.#disk.lstatSync(path.dirname(file), { throwIfNoEntry: false }) !== undefined)
    }
    return { engine, file, at: file, lock, decide }
  }

  /** From the file that was written. Where a link has led to another one since, that one's entry is looked at by its words. */
  #removals(record: Registered, exact: boolean): Work[] {
    if (!this.#isMoved(record)) return [this.#removing(record, exact)]
    const now = this.#targets.find(({ file }) => file === record.file)
    return [this.#removing(record, exact, record.real), ...(now && !exact ? [this.#removingOrphan(now, true)] : [])]
  }

  #isMoved({ file, real }: Registered): boolean {
    if (real === undefined) return false
    try {
      return this.#disk.realpathSync(file) !== real
    } catch {
      return true // It leads nowhere now, or is gone; what was written is where it was.
    }
  }

  #lost(): Work[] {
    const isKnown = (file: string) => this.#ledger.entries.some(record => record.file === file)
    const found = this.#targets.filter(target => !isKnown(target.file) && this.#hasOrphan(target))
    return found.map(target => this.#removingOrphan(target, false))
  }

  #hasOrphan(target: ConfigTarget): boolean {
    try {
      const seen = look(this.#disk, target.file)
      return seen !== undefined && this.#orphan(target, seen.text, PERSON) !== undefined
    } catch (cause) {
      if (cause instanceof Unusable) return false // Not to be edited, and nothing that we ever wrote into.
      throw cause
    }
  }

  #orphan(target: ConfigTarget, text: string, owner: Owner): Registered | undefined {
    const { home, env, userHome, bridge } = this.#deps
    const record = recordOf(target, text, owner, bridge)
    return record && !claimedElsewhere(home, env, path.resolve(userHome))(target.file) ? record : undefined
  }

  #removingOrphan(target: ConfigTarget, quietly: boolean): Work {
    const { engine, file, lock, format } = target
    const decide: Decide = text => {
      const record = text === undefined ? undefined : this.#orphan(target, text, PERSON)
      if (record) return decideRemoval(format, record, text, false)
      const none = quietly ? outcomes.absent(target) : outcomes.gone(target)
      return { kind: 'settled', outcome: none, record: undefined }
    }
    return { engine, file, at: file, lock, decide }
  }

  /** `at`: the file itself, where its name is a link that leads elsewhere by now. */
  #removing(record: Registered, exact: boolean, at = record.file): Work {
    const { engine, file } = record
    // The engine's folder may have been moved since.
    const same = this.#targets.find(target => target.file === file)
    const format = (same ?? this.#targets.find(target => target.engine === engine))?.format
    return { engine, file, at, lock: same?.lock, decide: text => decideRemoval(format, record, text, exact) }
  }

  async #all(works: readonly Work[]): Promise<Outcome[]> {
    const done: Outcome[] = []
    for (const work of works) done.push(await this.#carryOut(work))
    return done
  }

  async #carryOut(work: Work): Promise<Outcome> {
    let problem = ''
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await pause(RETRY_MS * tries)
      try {
        const outcome = await this.#try(work)
        if (outcome) return outcome
      } catch (cause) {
        if (!(cause instanceof Unusable)) throw cause
        const again = `${cause.message} ${versionOf(work.at)}`
        // Seen twice: it is not a file that another program was just writing.
        if (again === problem) return outcomes.skipped(work, cause)
        problem = again
      }
    }
    return outcomes.busy(work)
  }

  /** Undefined when another program changed the file meanwhile. */
  async #try(work: Work): Promise<Outcome | undefined> {
    const { file, at, lock, decide } = work
    const first = decide(look(this.#disk, at)?.text)
    if (first.kind === 'settled') return this.#settle(file, first)
    if (lock === undefined) return this.#perform(work, {})
    const pending = { at: Date.now(), lock }
    this.#save({ entries: this.#ledger.entries, pending })
    const engine = await takeEngineLock(this.#disk, lock, this.#deps.time)
    try {
      return engine ? await this.#perform(work, pending) : outcomes.locked(work, lock)
    } finally {
      engine?.release()
      this.#save({ entries: this.#ledger.entries })
    }
  }

  /** Looks again, now that others are kept out. */
  async #perform({ file, at: place, decide }: Work, base: Partial<Pending>): Promise<Outcome | undefined> {
    const seen = look(this.#disk, place)
    const decision = decide(seen?.text)
    if (decision.kind === 'settled') return this.#settle(file, decision)
    const before = this.#ledger.entries
    const draft = `${seen?.real ?? place}.toryo-${randomBytes(8).toString('hex')}.tmp`
    const traced = withReal(decision.record, seen) ?? before.find(record => record.file === file)
    this.#save({ entries: exchanged(before, file, traced), pending: { at: Date.now(), ...base, draft } })
    let after: readonly Registered[] = before
    try {
      const done = await this.#change(place, seen, decision, decide, draft)
      if (done) after = exchanged(before, file, withReal(done.record, seen))
      return done && decision.outcome
    } finally {
      const { at, lock } = base
      this.#save({ entries: after, ...(at !== undefined && lock !== undefined ? { pending: { at, lock } } : {}) })
    }
  }

  async #change(file: string, seen: Snapshot | undefined, decision: Decision, decide: Decide, draft: string) {
    const folder = path.dirname(file)
    const { kind, record } = decision
    if (kind === 'write') return seen && this.#write(seen, decision, decide, draft)
    if (kind === 'make') {
      if (record.madeFolder) makeFolder(this.#disk, folder)
      return create(this.#disk, file, decision.text, draft) ? { record } : undefined
    }
    if (seen && !remove(this.#disk, seen)) return undefined
    if (this.#ledger.entries.some(one => (one.real ?? one.file) === file && one.madeFolder))
      removeFolder(this.#disk, folder)
    return { record: undefined }
  }

  async #write(
    seen: Snapshot,
    decision: Extract<Decision, { kind: 'write' }>,
    decide: Decide,
    draft: string,
  ): Promise<{ record: Registered | undefined } | undefined> {
    let { text, record } = decision
    let from: Snapshot | undefined = seen
    for (let repairs = 0; from; repairs++) {
      const isWhole = (late: string) => attempt(() => decide(late)) !== undefined
      const replaced = await replace(this.#disk, from, text, draft, isWhole)
      // A repair that comes too late: the program that changed the file since knows what it must hold.
      if (replaced.state === 'changed') return repairs === 0 ? undefined : { record }
      if (replaced.state === 'done' || repairs === MAX_REPAIRS) return { record }
      const redo = attempt(() => decide(replaced.lost))
      const current = look(this.#disk, seen.file)
      from = redo && current?.text === text ? current : undefined
      if (!redo || !from) return { record }
      text = redo.kind === 'write' ? redo.text : replaced.lost
      record = redo.record
    }
    return { record }
  }

  #settle(file: string, { outcome, record }: Decision): Outcome {
    const entries = exchanged(this.#ledger.entries, file, record)
    const same = isDeepStrictEqual(
      entries.find(one => one.file === file),
      this.#ledger.entries.find(one => one.file === file),
    )
    if (!same) this.#save({ ...this.#ledger, entries })
    return outcome
  }

  #preview({ engine, file, at, decide }: Work): Outcome {
    try {
      const seen = look(this.#disk, at)
      const decision = decide(seen?.text)
      if (decision.kind === 'settled') return decision.outcome
      const after = decision.kind === 'unmake' ? '' : decision.text
      const entry = decision.record?.entry ?? this.#ledger.entries.find(one => one.file === file)?.entry ?? {}
      return outcomes.wouldChange(decision.outcome, diffOf(file, seen?.text ?? '', after, entry))
    } catch (cause) {
      if (cause instanceof Unusable) return outcomes.skipped({ engine, file }, cause)
      throw cause
    }
  }

  #isLeft({ owner }: Registered): boolean {
    return owner.kind === 'hub' && this.#deps.isGone(owner)
  }

  #save(ledger: Ledger): void {
    writeLedger(this.#disk, this.#deps.home, ledger)
    this.#ledger = ledger
  }
}

/** Which file it is behind a link. */
function withReal(record: Registered | undefined, seen: Snapshot | undefined): Registered | undefined {
  return record && seen && seen.real !== seen.file ? { ...record, real: seen.real } : record
}

function exchanged(entries: readonly Registered[], file: string, record: Registered | undefined): Registered[] {
  return [...entries.filter(one => one.file !== file), ...(record ? [record] : [])]
}

function attempt(decide: () => Decision): Decision | undefined {
  try {
    return decide()
  } catch (cause) {
    if (cause instanceof Unusable) return undefined // What came too late was only half written.
    throw cause
  }
}

function versionOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = fs.statSync(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch (cause) {
    return codeOf(cause)
  }
}
