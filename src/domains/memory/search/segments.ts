/** Made on first use: its dictionary costs some milliseconds and megabytes, which a hub without memory never needs. */
let segmenter: Intl.Segmenter | undefined
/** What one look at a text costs grows with the square of its length: 100,000 characters at once take ten seconds. */
const PIECE = 256

/** The words of a text and where they begin, cut by dictionary where no spaces cut it. */
export function eachSegment(text: string, take: (word: string, index: number) => void): void {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  for (let from = 0; from < text.length; ) {
    const to = from + PIECE
    // Never between the halves of a character.
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, end)))
      if (isWordLike) take(segment, from + index)
    from = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
