/**
 * The form in which text is compared: NFKC, then without case. What folds to the same is the same word to a reader:
 * full and half width, STRASSE and straße, every sigma.
 */
export function fold(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  const composed = text.normalize('NFKC')
  // Upper, then lower case reaches what lower case alone misses (ß, ſ). A dotless i is a letter of its own.
  const folded = composed.replace(/[^ı]+/g, part => part.toUpperCase().toLowerCase())
  // Which of its two small sigmas a word gets depends on its neighbours, which a substring does not know.
  return folded.replaceAll('ς', 'σ').normalize('NFKC')
}
