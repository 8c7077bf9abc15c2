// How many columns of a terminal a text takes: Japanese characters and emoji take two.

const ASCII = /^[\x20-\x7e]*$/
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001b\[[\d;]*m/g

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
  return measure ? measure(bare) : Array.from(bare).length
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** At most `width` columns of plain text, with … where it was cut; never half a character. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 1
  for (const segment of charactersOf(text)) {
    used += widthOf(segment)
    if (used > width) break
    kept += segment
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`
}

/** The same for a path, whose end says most. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 1
  for (const segment of [...charactersOf(text)].reverse()) {
    used += widthOf(segment)
    if (used > width) break
    kept = segment + kept
  }
  return width < 1 ? '' : `…${kept.trimStart()}`
}

function charactersOf(text: string): Iterable<string> {
  if (!measure) return text
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
  return Array.from(graphemes, ({ segment }) => segment)
}
