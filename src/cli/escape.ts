// Text that agents wrote, made fit for a terminal: it can neither move the cursor nor hide, and nothing of it is lost from sight.

const PLAIN = /^[\x20-\x7e]*$/

let pattern: RegExp | undefined

/**
 * An allow-list by category: controls, formats (bidi, zero width, tags), lone surrogates, private and unassigned code points,
 * line and paragraph separators are shown as escapes. Emoji sequences keep their joiners, and so do letters that need them.
 * Made when it is first needed, since its tables are large; from a string, since the compiler's target is older than the flag.
 */
function unsafe(): RegExp {
  const emoji = String.raw`\p{RGI_Emoji}|\p{Extended_Pictographic}(?:\u{fe0f}?\u{200d}\p{Extended_Pictographic})+`
  const joined = String.raw`(?<=[\p{L}\p{M}])[\u{200c}\u{200d}](?=\p{L})`
  pattern ??= new RegExp(String.raw`(${emoji}|${joined})|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]`, 'gv')
  return pattern
}

/** The same text, safe to print, on as many lines as it has. */
export function visible(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map(line => escapeLine(line.replaceAll('\t', '    '))).join('\n')
}

/** The same on one line, for tables. */
export function visibleLine(text: string): string {
  const trimmed = text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  return escapeLine(trimmed.replaceAll(/[ \t]*\r?\n[ \t\r\n]*/g, ' ⏎ ').replaceAll('\t', ' '))
}

/** One JSON document. What a terminal might obey is written as JSON's own escapes, which mean the same to a parser. */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, undefined, indent)
  if (PLAIN.test(text)) return text
  return text.replace(unsafe(), (character, keep: string | undefined) =>
    // JSON.stringify has escaped the controls of the text; those that are left are its own line breaks.
    keep !== undefined || character === '\n' ? character : unicodeEscape(character),
  )
}

function escapeLine(line: string): string {
  if (PLAIN.test(line)) return line
  return line.replace(unsafe(), (character, keep: string | undefined) => keep ?? picture(character))
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
