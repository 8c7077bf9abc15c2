// How many columns of a terminal a text takes: Japanese characters and emoji take two.

const ASCII = /^[\x20-\x7e]*$/
/** Each unit is a character on its own, and all but those of ASCII take two columns. */
const JAPANESE = /^[\x20-\x7e\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uff01-\uff60]*$/
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001b\[[\d;]*m/g

/** What one look for the characters of a text costs grows with the square of its length. */
const PIECE = 512
/** They belong to the character before them. */
const CONTINUES = /^(?:[\p{M}\p{Emoji_Modifier}\p{RI}\u200c\u{e0020}-\u{e007f}]|\u200d)/u

let measure: ((text: string) => number) | undefined

/**
 * To be awaited before text is measured that may hold more than our own English. The library and its tables take longer to
 * load than all the rest of a start.
 */
export async function loadWidths(): Promise<void> {
  measure ??= (await import('string-width')).default
}

export function needsWidths(text: string): boolean {
  return !ASCII.test(text)
}

/** Unless it was loaded there are no characters but narrow ones. */
export function widthOf(text: string): number {
  const bare = text.replaceAll(COLOURS, '')
  if (ASCII.test(bare)) return bare.length
  if (!measure) return Array.from(bare).length
  let width = 0
  for (const piece of piecesOf(bare)) width += JAPANESE.test(piece) ? widthOfJapanese(piece) : measure(piece)
  return width
}

function widthOfJapanese(text: string): number {
  let width = text.length
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7e) width++
  return width
}

/** Cut where a character begins, as long as no character is longer than a piece. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + PIECE, text.length)
    const last = Math.min(end + PIECE, text.length)
    while (end < last && isWithinCharacter(text, end)) end++
    yield text.slice(from, end)
    from = end
  }
}

function isWithinCharacter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit >= 0xdc00 && unit < 0xe000) return true
  return text[at - 1] === '\u200d' || CONTINUES.test(text.slice(at, at + 2))
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** At most `width` columns of plain text, with … where it was cut; never half a character. */
export function cut(text: string, width: number): string {
  let used = 0
  let read = 0
  let keep = 0
  for (const piece of piecesOf(text)) {
    const fits = used + widthOf(piece) < width
    for (const segment of fits ? [piece] : charactersOf(piece)) {
      used += widthOf(segment)
      if (used > width) return width < 1 ? '' : `${text.slice(0, keep).trimEnd()}…`
      read += segment.length
      if (used < width) keep = read
    }
  }
  return text
}

/** The same for a path, whose end says most. */
export function cutStart(text: string, width: number): string {
  const end = endOf(text, width)
  let kept = ''
  let used = 0
  let whole = ''
  for (const segment of [...charactersOf(end)].reverse()) {
    used += widthOf(segment)
    if (used > width) return width < 1 ? '' : `…${kept.trimStart()}`
    whole = segment + whole
    if (used < width) kept = whole
  }
  return end.length < text.length ? `…${kept.trimStart()}` : text
}

/** More than fits, unless a character is longer than a piece; the rest need not be looked at. */
function endOf(text: string, width: number): string {
  let from = text.length - PIECE * Math.max(2, Math.ceil(width / 32))
  while (from > 0 && isWithinCharacter(text, from)) from--
  return text.slice(Math.max(0, from))
}

function* charactersOf(text: string): Generator<string> {
  if (!measure) {
    yield* text
    return
  }
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const piece of piecesOf(text)) for (const { segment } of graphemes.segment(piece)) yield segment
}
