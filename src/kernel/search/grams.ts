// Pieces of one UTF-16 unit up to so many as 32-bit numbers. Two pieces may share a number: an index of them proposes
// too much now and then, never too little.

/** Of a longer needle so many are known, all over it: among them are rare ones. */
const KNOWN = 16

/** All pieces of the texts, each once. The scope is part of every number, so that scopes do not weigh on each other. */
export function gramsOf(scope: number, texts: readonly string[], units: number, shortest = 1): number[] {
  const grams = new Set<number>()
  addGrams(grams, scope, texts, units, shortest)
  return [...grams]
}

export function addGrams(
  grams: Set<number>,
  scope: number,
  texts: readonly string[],
  units: number,
  shortest = 1,
): void {
  for (const text of texts)
    for (let from = 0; from < text.length; from += 1)
      for (let length = shortest; length <= units && from + length <= text.length; length += 1)
        grams.add(gram(scope, text, from, length))
}

/**
 * Pieces that every text with this needle has, the longest there are. Both ends come first, then what lies between, ever
 * closer: the first few of them cover the needle, and say more than neighbours, which mostly come together.
 */
export function gramsIn(scope: number, needle: string, units: number): number[] {
  const length = Math.min(units, needle.length)
  return [...new Set(placesUpTo(needle.length - length).map(from => gram(scope, needle, from, length)))]
}

function placesUpTo(last: number): number[] {
  const places = last === 0 ? [0] : [0, last]
  const gaps: [from: number, to: number][] = [[0, last]]
  for (const [from, to] of gaps) {
    const middle = Math.floor((from + to) / 2)
    if (places.length === KNOWN) break
    if (middle === from) continue
    places.push(middle)
    gaps.push([from, middle], [middle, to])
  }
  return places
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
