// Pieces of one to four UTF-16 units as 32-bit numbers. Two pieces may share a number: an index of them proposes
// too much now and then, never too little.

const UNITS = 4
/** More hardly narrow a search any further, and each is looked up by itself. */
const ASKED = 6

/** All pieces of the texts, each once. The scope is part of every number, so that scopes do not weigh on each other. */
export function gramsOf(scope: number, texts: readonly string[]): number[] {
  const grams = new Set<number>()
  for (const text of texts)
    for (let from = 0; from < text.length; from += 1)
      for (let length = 1; length <= UNITS && from + length <= text.length; length += 1)
        grams.add(gram(scope, text, from, length))
  return [...grams]
}

/** Pieces that every text with this needle has: the longest there are, side by side, up to its end. */
export function gramsIn(scope: number, needle: string): number[] {
  const length = Math.min(UNITS, needle.length)
  const last = needle.length - length
  const count = Math.min(last + 1, ASKED, Math.max(2, Math.round(needle.length / UNITS)))
  const grams = new Set<number>()
  for (let index = 0; index < count; index += 1)
    grams.add(gram(scope, needle, Math.round((last * index) / Math.max(1, count - 1)), length))
  return [...grams]
}

/** FNV-1a over the scope and the units, with a last mix: neighbouring numbers must not come of neighbouring texts. */
function gram(scope: number, text: string, from: number, length: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(scope, 0x9e3779b1) ^ length
  for (let at = from; at < from + length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) | 0
}

export function hashTerm(term: string): number {
  return gram(0, term, 0, term.length)
}
