// What the ranked index knows of one record: its terms with their weighted frequencies, and its length.
import { terms } from './analyser.ts'

export type Document = { frequencies: ReadonlyMap<number, number>; length: number }

/** Of title, text and context. Measured; between .3 and .5 the context's is flat, above it hurts. */
const WEIGHTS = [0.5, 1, 0.4] as const

/** Neighbours help short records to be found and dilute long ones. */
const SHORT = 600
const NEIGHBOUR = 400
/** Frequencies are kept in tenths. */
const TENTHS = 10
const CEILING = 0xffff

export type Parts = { title: string; text: string; neighbours: readonly (string | undefined)[] }

export function documentOf({ title, text, neighbours }: Parts): Document {
  const context = text.length > SHORT ? [] : neighbours.flatMap(one => (one ? terms(one.slice(0, NEIGHBOUR)) : []))
  const columns = [terms(title), terms(text), context]
  const frequencies = new Map<number, number>()
  for (const [index, column] of columns.entries())
    for (const term of column) frequencies.set(term, (frequencies.get(term) ?? 0) + (WEIGHTS[index] ?? 0))
  for (const [term, frequency] of frequencies) frequencies.set(term, tenths(frequency) / TENTHS)
  return { frequencies, length: columns.reduce((sum, column) => sum + column.length, 0) }
}

/** A record whose neighbours are part of its document. */
export function takesContext(text: string): boolean {
  return text.length <= SHORT
}

/**
 * Terms of the same frequency together: that frequency, how many they are, and the lower three bytes of each. Nearly all have one of
 * three frequencies, and of sixty words one in a hundred thousand is taken for another.
 */
export function encodeFrequencies(frequencies: ReadonlyMap<number, number>): Uint8Array {
  const groups: { frequency: number; terms: number[] }[] = []
  const open = new Map<number, number[]>()
  for (const [term, exact] of frequencies) {
    const frequency = tenths(exact)
    let terms = open.get(frequency)
    if (!terms || terms.length === CEILING) {
      terms = []
      open.set(frequency, terms)
      groups.push({ frequency, terms })
    }
    terms.push(term)
  }
  const bytes = Buffer.allocUnsafe(groups.length * HEAD + frequencies.size * TERM)
  let at = 0
  for (const { frequency, terms } of groups) {
    at = bytes.writeUInt16BE(frequency, at)
    at = bytes.writeUInt16BE(terms.length, at)
    for (const term of terms) at = bytes.writeUIntBE(term & LOWER, at, TERM)
  }
  return bytes
}

const HEAD = 4
const TERM = 3
const LOWER = 0xffffff

/** Reads the frequencies of these terms only, without putting the others into a map. */
export function frequenciesOf(wanted: Iterable<number>): (bytes: Uint8Array) => Map<number, number> {
  const terms = new Map(Array.from(wanted, term => [term & LOWER, term]))
  return bytes => {
    const found = new Map<number, number>()
    for (let at = 0; at + HEAD <= bytes.length; ) {
      const frequency = twoAt(bytes, at) / TENTHS
      const end = at + HEAD + twoAt(bytes, at + 2) * TERM
      for (at += HEAD; at < end; at += TERM) {
        const term = terms.get(((bytes[at] as number) << 16) | twoAt(bytes, at + 1))
        if (term !== undefined) found.set(term, frequency)
      }
    }
    return found
  }
}

const twoAt = (bytes: Uint8Array, at: number) => ((bytes[at] as number) << 8) | (bytes[at + 1] as number)

function tenths(frequency: number): number {
  return Math.min(CEILING, Math.round(frequency * TENTHS))
}
