// The piece of a record that shows why it was found.
import { queryTerms, terms } from './analyser.ts'
import { eachSegment } from './segments.ts'

const LENGTH = 200
/** Made on first use, see segments.ts. */
let graphemes: Intl.Segmenter | undefined
/** Each unit is a whole character: nothing that combines, joins or comes in halves. */
const SIMPLE = /^[\x20-\x7e\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uff01-\uff9d]*$/
/** Longer texts are searched for the match only so far. */
const LOOKED_AT = 10_000

/** At most 200 characters around where most of the query's words stand together. */
export function snippet(text: string, queries: readonly string[]): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= LENGTH) return flat
  const wanted = new Set(queryTerms(queries))
  const hits: number[] = []
  eachSegment(flat.slice(0, LOOKED_AT), (word, index) => {
    if (terms(word).some(term => wanted.has(term))) hits.push(index)
  })
  const start = Math.max(0, bestStart(hits) - 30)
  return cut(flat, start)
}

function bestStart(hits: readonly number[]): number {
  let best = hits[0] ?? 0
  let most = 0
  for (const [index, hit] of hits.entries()) {
    let within = index
    while (within < hits.length && (hits[within] ?? 0) < hit + LENGTH - 60) within += 1
    if (within - index <= most) continue
    most = within - index
    best = hit
  }
  return best
}

/** Never through the middle of a character. */
function cut(text: string, start: number): string {
  const window = text.slice(start, start + LENGTH * 2)
  let piece = start > 0 ? '…' : ''
  if (SIMPLE.test(window)) {
    const room = LENGTH - 1 - piece.length
    return window.length > room ? `${piece}${window.slice(0, room)}…` : piece + window
  }
  let skipped = start
  graphemes ??= new Intl.Segmenter('ja', { granularity: 'grapheme' })
  for (const { segment, index } of graphemes.segment(window)) {
    if (index === 0 && start > 0 && /^[\p{M}\u200d\udc00-\udfff]/u.test(segment)) continue
    if (piece.length + segment.length > LENGTH - 1) return `${piece}…`
    piece += segment
    skipped = start + index + segment.length
  }
  return skipped < text.length ? `${piece}…` : piece
}
