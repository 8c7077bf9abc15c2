// What is to be done with one config file, given what it says and what the ledger knows. Touches nothing.
import { isDeepStrictEqual } from 'node:util'
import { type Added, addEntry, digest, removeEntry } from './entry-edit.ts'
import type { Format } from './format.ts'
import type { Owner, Registered } from './ledger.ts'
import { type Outcome, outcomes } from './outcome.ts'
import { isSame } from '#system/process-identity.ts'
import type { Command, ConfigTarget } from './targets.ts'

/** `record` is what the ledger says when it is done. */
export type Decision =
  | { kind: 'settled'; outcome: Outcome; record: Registered | undefined }
  | { kind: 'write'; outcome: Outcome; record: Registered | undefined; text: string }
  | { kind: 'make'; outcome: Outcome; record: Registered; text: string }
  | { kind: 'unmake'; outcome: Outcome; record: undefined }

export type Wish = {
  readonly target: ConfigTarget
  readonly owner: Owner
  readonly command: Command
  /** What the ledger says of this file. */
  readonly record: Registered | undefined
  /** The record of an entry that is in no ledger, if its content shows that it is ours. */
  readonly orphan?: (text: string) => Registered | undefined
  /** Whether the record's hub has ended. */
  readonly isLeft: boolean
}

export function decideEntry(wish: Wish, text: string): Decision {
  const { target, owner, record } = wish
  const { engine, file, format } = target
  const entry = target.entry(wish.command)
  const found = format.find(text)
  if (!found) {
    const added = addEntry(format, text, entry)
    const made = { madeFile: false, madeFolder: false }
    return writing(outcomes.added(target), added, { engine, file, owner, entry, ...made })
  }
  const orphan = record ? undefined : wish.orphan?.(text)
  if (orphan) {
    const kept = { ...orphan, entry, owner }
    if (!isDeepStrictEqual(orphan.entry, entry)) return decideUpdate(target, orphan, kept, text)
    return { kind: 'settled', outcome: outcomes.repaired(target), record: kept }
  }
  if (!record || found.repeated || !isDeepStrictEqual(found.value, record.entry)) {
    const works = !found.repeated && isDeepStrictEqual(found.value, entry)
    return { kind: 'settled', outcome: outcomes.foreign(target, works), record: undefined }
  }
  if (isHeldByAnother(wish)) return { kind: 'settled', outcome: outcomes.held(target, nameOf(record.owner)), record }
  // What a person wanted outlives hubs.
  const kept = { ...record, entry, owner: record.owner.kind === 'person' ? record.owner : owner }
  if (!isDeepStrictEqual(record.entry, entry)) return decideUpdate(target, record, kept, text)
  const outcome = wish.isLeft ? outcomes.repaired(target) : outcomes.present(target)
  return { kind: 'settled', outcome, record: kept }
}

export function decideNewFile({ target, owner, command, record }: Wish, hasFolder: boolean): Decision {
  const { engine, file, format } = target
  const entry = target.entry(command)
  const text = format.fresh(entry)
  // Perhaps an earlier one made the folder and came no further.
  const madeFolder = !hasFolder || record?.madeFolder === true
  const made = { madeHolder: true, madeFile: true, madeFolder, inserted: [], at: 0, after: digest(text) }
  return { kind: 'make', outcome: outcomes.added(target), text, record: { engine, file, owner, entry, ...made } }
}

/** `exact`: only when it is byte for byte as we left it. */
export function decideRemoval(
  format: Format | undefined,
  record: Registered,
  text: string | undefined,
  exact: boolean,
): Decision {
  const found = text === undefined ? undefined : format?.find(text)
  if (text === undefined && record.madeFolder)
    return { kind: 'unmake', outcome: outcomes.gone(record), record: undefined }
  if (text === undefined || !format || !found)
    return { kind: 'settled', outcome: outcomes.gone(record), record: undefined }
  // From now on it is theirs; a bridge, which was not sure, leaves the judgement to the next hub.
  const left: Decision = { kind: 'settled', outcome: outcomes.changed(record), record: exact ? record : undefined }
  if (found.repeated || !isDeepStrictEqual(found.value, record.entry)) return left
  const outcome = outcomes.removed(record)
  if (record.madeFile && digest(text) === record.after) return { kind: 'unmake', outcome, record: undefined }
  const rest = removeEntry(format, text, record, exact)
  if (rest === undefined) return left
  if (record.madeFile && format.isBare(rest)) return { kind: 'unmake', outcome, record: undefined }
  return { kind: 'write', outcome, record: undefined, text: rest }
}

function decideUpdate(target: ConfigTarget, old: Registered, kept: Registered, text: string): Decision {
  const { format } = target
  const without = removeEntry(format, text, old, false)
  if (without === undefined) return { kind: 'settled', outcome: outcomes.changed(target), record: undefined }
  if (!old.madeFile || !format.isBare(without))
    return writing(outcomes.updated(target), addEntry(format, without, kept.entry), kept)
  const fresh = format.fresh(kept.entry)
  return { kind: 'write', outcome: outcomes.updated(target), text: fresh, record: { ...kept, after: digest(fresh) } }
}

type Unplaced = Omit<Registered, 'at' | 'inserted' | 'after' | 'madeHolder'>

function writing(outcome: Outcome, { text, ...places }: Added, record: Unplaced): Decision {
  return { kind: 'write', outcome, text, record: { ...record, ...places } }
}

function isHeldByAnother({ record, owner, isLeft }: Wish): boolean {
  if (isLeft || owner.kind === 'person' || !record || record.owner.kind === 'person') return false
  return !isSame(record.owner.process, owner.process)
}

function nameOf(owner: Owner): string {
  return owner.kind === 'hub' ? `pid ${owner.process.pid}, ${owner.db}` : ''
}
