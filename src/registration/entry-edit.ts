// Our entry into a text and out of it again. Whatever comes out was parsed and compared first; what cannot be edited without
// touching what is not ours is not edited.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type Entry,
  type Format,
  type Insertion,
  placesAfter,
  type Range,
  Unusable,
  withInsertions,
  withoutRanges,
} from './format.ts'
import type { Registered } from './ledger.ts'

export type Added = { text: string; at: number; inserted: Insertion[]; after: string; madeHolder: boolean }

export function addEntry(format: Format, text: string, entry: Entry): Added {
  const { insertions, madeHolder } = format.insert(text, entry)
  const added = withInsertions(text, insertions)
  const found = format.find(added)
  const right = found && !found.repeated && isDeepStrictEqual(found.value, entry) && format.saysTheRest(text, added)
  if (!right)
    throw new Unusable({ en: 'it cannot be edited without changing more', ja: '他の部分を変えずに編集できません' })
  return { text: added, at: found.at, inserted: placesAfter(insertions), after: digest(added), madeHolder }
}

/** Undefined when it cannot be taken out, or with `exact` when it is no longer byte for byte what we put in. */
export function removeEntry(format: Format, text: string, own: Registered, exact: boolean): string | undefined {
  const shift = (format.find(text)?.at ?? own.at) - own.at
  const ways = [...insertedRanges(text, own, shift), ...(exact ? [] : format.cuts(text, own.madeHolder))]
  return ways.map(ranges => withoutRanges(text, ranges)).find(rest => isRest(format, text, rest))
}

/** What we inserted, where it must be now: the file may have changed before it. */
function insertedRanges(text: string, { inserted, after, madeFile }: Registered, shift: number): Range[][] {
  if (madeFile) return []
  const by = digest(text) === after ? 0 : shift
  const ranges = inserted.map(({ at, text: own }) => ({ from: at + by, to: at + by + own.length }))
  const there = ranges.every(({ from, to }, index) => from >= 0 && text.slice(from, to) === inserted[index]?.text)
  return there && ranges.length > 0 ? [ranges] : []
}

function isRest(format: Format, text: string, rest: string): boolean {
  try {
    return format.find(rest) === undefined && format.saysTheRest(text, rest)
  } catch (cause) {
    if (cause instanceof Unusable) return false
    throw cause
  }
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
