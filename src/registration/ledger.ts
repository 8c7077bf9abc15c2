// $TORYO_HOME/registrations.json: which entries are ours, their owners, and the exact bytes that were put in. Written
// before a config file is touched, so that whatever ends us leaves a trace that the next one can follow.
import path from 'node:path'
import { checkFolder, readSecretFile } from '#client/trusted-path.ts'
import { type Disk, removeDrafts, replaceFile } from '#system/files.ts'
import type { Entry, Insertion } from './format.ts'
import { type ProcessMark, readMark } from '#system/process-identity.ts'

/** `person`: by `toryo register`, until `toryo unregister`. A hub's goes with the hub. */
export type Owner =
  | { readonly kind: 'person' }
  | { readonly kind: 'hub'; readonly db: string; readonly process: ProcessMark }

export type Registered = {
  readonly engine: string
  readonly file: string
  /** The file that was written, where `file` was a link to it. */
  readonly real?: string
  readonly owner: Owner
  readonly entry: Entry
  /** Where the entry begins, in the file as we left it. */
  readonly at: number
  readonly inserted: readonly Insertion[]
  /** SHA-256 of the file as we left it. */
  readonly after: string
  readonly madeHolder: boolean
  readonly madeFile: boolean
  readonly madeFolder: boolean
}

/** An edit under way. Found by a process that holds the lock, it was cut off. */
export type Pending = { readonly at: number; readonly draft?: string; readonly lock?: string }

export type Ledger = { readonly entries: readonly Registered[]; readonly pending?: Pending }

const MAX_BYTES = 16 * 1024 * 1024

export function ledgerPath(home: string): string {
  return path.join(home, 'registrations.json')
}

/** Throws when the file is not to be trusted. One that we did not write counts as empty. */
export function readLedger(home: string): Ledger {
  checkFolder(home)
  const text = readSecretFile(ledgerPath(home), MAX_BYTES)
  try {
    return parseLedger(text === undefined ? undefined : JSON.parse(text))
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return { entries: [] } // Not by us: ours is replaced as a whole. The entries are then known by their words alone.
  }
}

/** Only by the holder of the lock. */
export function writeLedger(disk: Disk, home: string, ledger: Ledger): void {
  replaceFile(disk, ledgerPath(home), `${JSON.stringify({ version: 1, ...ledger }, null, 2)}\n`)
}

/** Left by processes that were killed while they wrote. */
export function removeLedgerDrafts(disk: Disk, home: string): void {
  removeDrafts(disk, ledgerPath(home))
}

function parseLedger(value: unknown): Ledger {
  const { entries, pending } = fields(value)
  return {
    entries: Array.isArray(entries) ? entries.flatMap(one => parseEntry(one) ?? []) : [],
    ...parsePending(pending),
  }
}

function parseEntry(value: unknown): Registered | undefined {
  const { engine, file, real, owner, entry, at, inserted, after, madeHolder, madeFile, madeFolder } = fields(value)
  const whose = parseOwner(owner)
  const spans = Array.isArray(inserted) ? inserted.map(fields) : undefined
  const sound =
    typeof engine === 'string' &&
    isPath(file) &&
    typeof entry === 'object' &&
    entry !== null &&
    isOffset(at) &&
    typeof after === 'string' &&
    spans?.every(span => isOffset(span['at']) && typeof span['text'] === 'string')
  if (!sound || !whose) return undefined
  return {
    engine,
    file,
    ...(isPath(real) ? { real } : {}),
    owner: whose,
    entry: entry as Entry,
    at,
    inserted: spans as Insertion[],
    after,
    madeHolder: madeHolder === true,
    madeFile: madeFile === true,
    madeFolder: madeFolder === true,
  }
}

function parseOwner(value: unknown): Owner | undefined {
  const { kind, db, process: mark } = fields(value)
  if (kind === 'person') return { kind }
  const process = readMark(mark)
  return kind === 'hub' && typeof db === 'string' && process ? { kind, db, process } : undefined
}

function parsePending(value: unknown): { pending?: Pending } {
  const { draft, lock, at } = fields(value)
  if (typeof at !== 'number') return {}
  return { pending: { at, ...(isPath(draft) ? { draft } : {}), ...(isPath(lock) ? { lock } : {}) } }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && path.isAbsolute(value)
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
