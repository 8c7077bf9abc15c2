// Cuts text into the words it is found by. What it gives depends on the ICU of this process: `analyserVersion` names both.
import { hashTerm } from '#kernel/search/grams.ts'
import { stem } from './porter.ts'
import { eachSegment } from './segments.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Goes up with every change of what `words` gives, and of what else is put into the indexes. */
const REVISION = 6
export const analyserVersion = `${REVISION}/icu${process.versions.icu}`

/** Scripts that are written without spaces: cut by dictionary. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
/** A border between the two kinds ends a word: "5月上旬JWTを" is not one. */
const RUNS = new RegExp(`([${UNSPACED}]+)|((?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+)`, 'gu')
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}]+|\p{Lu}/gu
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u

/** The terms of a text, in order and with repeats. */
export function terms(text: string): number[] {
  let known = cache.get(text)
  if (!known) {
    known = words(text).map(hashTerm)
    remember(text, known)
  }
  return known
}

/** The terms of a question, each once; words that carry no meaning go, unless nothing else is there. */
export function queryTerms(texts: readonly string[]): number[] {
  const all = texts.flatMap(words)
  const telling = all.filter(word => !STEMMED_STOP_WORDS.has(word) && !HIRAGANA.test(word))
  return [...new Set((telling.length > 0 ? telling : all).map(hashTerm))]
}

export function words(text: string): string[] {
  const found: string[] = []
  for (const [, unspaced, spaced] of text.normalize('NFKC').matchAll(RUNS)) {
    if (unspaced !== undefined) {
      eachSegment(unspaced, word => found.push(word))
    } else if (spaced !== undefined) pushIdentifier(spaced, found)
  }
  return found
}

/** `parseHTTPHeader` is found as a whole, and by parse, http, header. */
function pushIdentifier(run: string, found: string[]): void {
  const whole = withoutUnderscores(run.toLowerCase())
  if (whole === '') return
  found.push(plain(whole))
  if (/^(?:\p{Lu}?[\p{Ll}\p{M}]*|\p{Lu}+|\p{N}+)$/u.test(run)) return
  const parts = run.match(PARTS) ?? []
  if (parts.length > 1) for (const part of parts) found.push(plain(part.toLowerCase()))
}

/** Those at both ends. Without a pattern: one for the end begins again at each of those in the middle. */
function withoutUnderscores(word: string): string {
  let from = 0
  let to = word.length
  while (from < to && word[from] === '_') from++
  while (to > from && word[to - 1] === '_') to--
  return word.slice(from, to)
}

function plain(word: string): string {
  return /^[a-z]+$/.test(word) ? stemOf(word) : word
}

/** Texts repeat: an entry is looked at again as its neighbour's context. */
const cache = new Map<string, number[]>()
const CACHED = 512
const CACHED_LENGTH = 2_000

function remember(text: string, known: number[]): void {
  if (text.length > CACHED_LENGTH) return
  if (cache.size >= CACHED) cache.delete(cache.keys().next().value as string)
  cache.set(text, known)
}

const stems = new Map<string, string>()

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= 20_000) stems.clear()
  const stemmed = stem(word)
  stems.set(word, stemmed)
  return stemmed
}

const STEMMED_STOP_WORDS = new Set([...STOP_WORDS].map(stem))
