// Characters that are not seen, or change how others are seen: text that people read or that is typed for them must not carry
// them unnoticed. Some have honest uses, which stay: they hold an emoji together, join letters in scripts that are written
// joined, or choose the shape of one kanji. The patterns come from strings, since the compiler's target is older than their
// flag, and are made when they are first needed, since their tables are large.

/** Whether a hidden character, with what stands right before and right behind it, belongs there. */
type Honest = (character: string, before: string, after: string) => boolean

/** The text with each hidden character as `show` gives it, one code point at a time, unless it has an honest use. */
export function showHidden(text: string, show: (character: string) => string, isHonest: Honest = hasUse): string {
  return text.replace(hidden(), (character: string, at: number) => {
    const end = at + character.length
    const around = [text.slice(Math.max(0, at - LOOK), at), text.slice(end, end + LOOK)] as const
    return isHonest(character, ...around) ? character : show(character)
  })
}

/** More than the longest flag, which is the longest of all that is looked for. */
const LOOK = 16

/** Not letters, marks, numbers, punctuation, symbols or spaces; or one of these by its category alone, but blank. */
const hidden = lazily(
  String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{13441}\u{13442}\u{16fe4}\u{1d159}]`,
  'gv',
)

function hasUse(character: string, before: string, after: string): boolean {
  return holdsEmoji(character, before, after) || joinsLetters(character, before, after) || shapes(character, before)
}

/** Unicode keeps places for emoji to come; they are not seen yet. */
const PICTURE = String.raw`[\p{Extended_Pictographic}&&[\p{S}\p{P}]]`
const afterPicture = lazily(`${PICTURE}$`, 'v')
const afterEmoji = lazily(String.raw`${PICTURE}[\u{fe0e}\u{fe0f}]?\p{Emoji_Modifier}?$`, 'v')
const beforePicture = lazily(`^${PICTURE}`, 'v')

/** A joiner between two pictures, a selector behind one or in a keycap, the tags of a flag. */
export function holdsEmoji(character: string, before: string, after: string): boolean {
  if (character === '\u200D') return afterEmoji().test(before) && beforePicture().test(after)
  if (character === '\uFE0F' && after.startsWith('\u20E3')) return /[0-9#*]$/.test(before)
  if (character === '\uFE0E' || character === '\uFE0F') return afterPicture().test(before)
  return isTag(character) && isInFlag(before, character + after)
}

function isTag(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code >= 0xe0020 && code <= 0xe007f
}

/** England, Scotland, Wales: there are no others yet, and anything could be written in one. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  name => `🏴${Array.from(name, letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{E007F}`,
)

function isInFlag(before: string, rest: string): boolean {
  const start = before.lastIndexOf('🏴')
  if (start === -1) return false
  // Not behind the flag's end, where more tags would be hidden text.
  const at = before.length - start
  return FLAGS.some(flag => at < flag.length && (before.slice(start) + rest).startsWith(flag))
}

/** In these, a joiner or non-joiner between two letters is part of how a word is written. */
const JOINED = ['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda']
  .concat(['Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt', 'Java', 'Bali', 'Sund'])
  .map(script => String.raw`\p{scx=${script}}`)
  .join('')
const LETTER = String.raw`[[[${JOINED}]&&[\p{L}\p{M}]]--\p{Default_Ignorable_Code_Point}]`
const afterLetter = lazily(`${LETTER}$`, 'v')
const beforeLetter = lazily(`^${LETTER}`, 'v')

function joinsLetters(character: string, before: string, after: string): boolean {
  const isJoiner = character === '\u200C' || character === '\u200D'
  return isJoiner && afterLetter().test(before) && beforeLetter().test(after)
}

const ideographs = lazily(String.raw`^[\u{fe00}-\u{fe02}\u{e0100}-\u{e01ef}]$`, 'v')
const afterIdeograph = lazily(String.raw`\p{Unified_Ideograph}$`, 'v')
const afterMongolian = lazily(String.raw`[\p{scx=Mong}&&\p{L}]$`, 'v')

/** The one character before it. A second selector would choose nothing. */
function shapes(character: string, before: string): boolean {
  if (ideographs().test(character)) return afterIdeograph().test(before)
  return /^[\u180B-\u180D\u180F]$/.test(character) && afterMongolian().test(before)
}

function lazily(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined
  return () => (made ??= new RegExp(source, flags))
}
