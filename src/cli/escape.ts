// Text that agents wrote, made fit for a terminal: it can neither move the cursor nor hide, and nothing of it is lost from sight.
import { showHidden } from '#contract/hidden-text.ts'

const PLAIN = /^[\x20-\x7e]*$/

/** The same text, safe to print, on as many lines as it has. */
export function visible(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map(line => escapeLine(line.replaceAll('\t', '    '))).join('\n')
}

/** The same on one line, for tables. Lines with nothing on them are left out. */
export function visibleLine(text: string): string {
  const lines = text.split('\n').map(line => trimmed(line))
  return escapeLine(
    lines
      .filter(line => line !== '')
      .join(' ⏎ ')
      .replaceAll('\t', ' '),
  )
}

/** One JSON document. What a terminal might obey is written as JSON's own escapes, which mean the same to a parser. */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, undefined, indent)
  if (PLAIN.test(text)) return text
  // JSON.stringify has escaped the controls of the text; those that are left are its own line breaks.
  return showHidden(text, character => (character === '\n' ? character : unicodeEscape(character)))
}

function escapeLine(line: string): string {
  return PLAIN.test(line) ? line : showHidden(line, picture)
}

/** Step by step: a pattern for the end of a text begins again at every blank in the middle of it. */
function trimmed(line: string): string {
  let from = 0
  let to = line.length
  while (from < to && isBlank(line.charCodeAt(from))) from++
  while (to > from && isBlank(line.charCodeAt(to - 1))) to--
  return line.slice(from, to)
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d
}

/** ESC becomes ␛, as terminals and editors show it. */
function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unicodeEscape(character)
}

function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${unit}`
  }).join('')
}
