// What the ranked index knows of one record: its terms in three columns, their weighted frequencies, its length.
import { terms } from './analyser.ts'

export type Document = {
  columns: readonly (readonly number[])[]
  frequencies: ReadonlyMap<number, number>
  length: number
}

/** Of title, text and context. Measured; between .3 and .5 the context's is flat, above it hurts. */
export const WEIGHTS = [0.5, 1, 0.4] as const

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
  return { columns, frequencies, length: columns.reduce((sum, column) => sum + column.length, 0) }
}

/** A record whose neighbours are part of its document. */
export function takesContext(text: string): boolean {
  return text.length <= SHORT
}

/** Terms of the same frequency together: that frequency, how many they are, and they. Nearly all have one of three. */
export function encodeFrequencies(frequencies: ReadonlyMap<number, number>): Uint8Array {
  const groups = new Map<number, number[]>()
  for (const [term, frequency] of frequencies) {
    const group = groups.get(tenths(frequency))
    if (group) group.push(term)
    else groups.set(tenths(frequency), [term])
  }
  const bytes = new DataView(new ArrayBuffer(groups.size * HEAD + frequencies.size * 4))
  let at = 0
  for (const [frequency, group] of groups) {
    bytes.setUint16(at, frequency)
    bytes.setUint32(at + 2, group.length)
    at += HEAD
    for (const term of group) {
      bytes.setInt32(at, term)
      at += 4
    }
  }
  return new Uint8Array(bytes.buffer)
}

const HEAD = 6

/** The frequencies of some terms only, without reading the others into a map. */
export function frequenciesOf(bytes: Uint8Array, wanted: ReadonlyMap<number, number>): Map<number, number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Map<number, number>()
  for (let at = 0; at + HEAD <= view.byteLength; ) {
    const frequency = view.getUint16(at) / TENTHS
    // Bounded: rows of an earlier version are in another form until the rebuild has removed them.
    const end = Math.min(at + HEAD + view.getUint32(at + 2) * 4, view.byteLength - 3)
    for (at += HEAD; at < end; at += 4) {
      const term = view.getInt32(at)
      if (wanted.has(term)) found.set(term, frequency)
    }
  }
  return found
}

function tenths(frequency: number): number {
  return Math.min(CEILING, Math.round(frequency * TENTHS))
}
