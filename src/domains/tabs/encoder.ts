// The one place where text becomes key strokes of a terminal. What others wrote is data: nothing of it may act as a key, an
// escape sequence, a second line or a second header. An allow-list, since what terminals understand has no end.
import { holdsEmoji, showHidden } from '#contract/hidden-text.ts'

/** As UTF-8, before anything is taken out. */
export const MESSAGE_BYTES = 8192

export type Cleaned = {
  /** One line of visible text; may be empty. */
  text: string
  /** How many code points were taken out. Line breaks and tabs are not: they became something visible. */
  hidden: number
}

const LINE_BREAK = ' ⏎ '

const BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu

/** What may be shown of a text, as one line. Applied again it changes nothing. */
export function cleaned(body: string): Cleaned {
  const line = body.trim().normalize('NFC').replaceAll(BREAKS, LINE_BREAK).replaceAll('\t', ' ')
  // Of what is not seen, only that stays which holds an emoji together.
  const kept = showHidden(line, () => '', holdsEmoji)
  // What stood between two of them may have kept a letter and its accent apart.
  const text = defused(kept.normalize('NFC')).trim()
  return { text, hidden: codePoints(line) - codePoints(kept) }
}

/** Made here and nowhere else. `sender` is one of our ids. */
export function headerOf(sender: string): string {
  return `[gwt msg from ${sender}]: `
}

export type Typing = {
  /** To be written first, at once. */
  paste: Uint8Array
  /** In the same write as the text, some programs take it for a part of the text. */
  pauseMs: number
  enter: Uint8Array
}

const PAUSE_MS = 500

/** For a program that took only a part of a paste: all that follows would become a part of it. */
export const END_OF_PASTE = bytes('\u001B[201~')

/** `line` has been cleaned. One paste, one Enter. */
export function typed(line: string): Typing {
  return { paste: bytes(`\u001B[200~${line}${guard(line)}\u001B[201~`), pauseMs: PAUSE_MS, enter: bytes('\r') }
}

/**
 * At the end of a line `@name` and the like open a list, in which Enter would choose, and a backslash makes Enter a line
 * break. A blank closes the word.
 */
function guard(line: string): string {
  return /(?:^|\s)[@/#$]\S*$|\\$/u.test(line) ? ' ' : ''
}

const OPENING = /[[([{<⁅⟦⟨〔【〖〘〚「『《〈]/u
const FORGED = /[[({<⁅⟦⟨〔【〖〘〚「『《〈]\s*gwt\s*msg\s*from/gu

/** A body that looks like our header loses its bracket, in whatever kind of letters it is written. */
function defused(line: string): string {
  const points = Array.from(line)
  const folded = points.map(fold)
  const skeleton = folded.join('')
  if (!skeleton.includes('gwt')) return line
  const starts = new Set([...skeleton.matchAll(FORGED)].map(match => match.index))
  let at = 0
  return points
    .map((point, index) => {
      const isBracket = starts.has(at) && OPENING.test(folded[index] ?? '')
      at += folded[index]?.length ?? 0
      return isBracket ? '‹' : point
    })
    .join('')
}

/** Full-width, mathematical and accented letters read like plain ones, and so do the commonest look-alikes. */
function fold(point: string): string {
  const plain = point.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return LOOK_ALIKES[plain] ?? plain
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ԝ: 'w',
  ѡ: 'w',
  т: 't',
  τ: 't',
  ѕ: 's',
  ɡ: 'g',
  ց: 'g',
  м: 'm',
  г: 'r',
  о: 'o',
  ο: 'o',
  օ: 'o',
  ϝ: 'f',
  ғ: 'f',
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
