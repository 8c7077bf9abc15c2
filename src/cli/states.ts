// States as people read them: in Japanese by the words that the page has, in English by the values themselves. What can be typed, and
// `--json`, have the values.
import { STATE_JA } from '#contract/state-words.ts'
import type { Io } from './io.ts'
import { statusColour } from './status-colour.ts'
import type { Column } from './table.ts'

type Words = Readonly<Record<string, string>>

/** `words`: where a value means something else than elsewhere. */
export function stateWord(value: string, { lang }: Pick<Io, 'lang'>, words: Words = STATE_JA): string {
  return lang === 'ja' ? (words[value] ?? STATE_JA[value] ?? value) : value
}

export function stateText(value: string, io: Pick<Io, 'lang' | 'colors'>, words?: Words): string {
  return statusColour(io)(value, stateWord(value, io, words))
}

/** The value and the colour of a column. */
export function stateColumn<R>(
  io: Pick<Io, 'lang' | 'colors'>,
  of: (row: R) => string | null,
  words?: Words,
): Pick<Column<R>, 'value' | 'colour'> {
  return {
    value: row => {
      const value = of(row)
      return value === null ? null : stateWord(value, io, words)
    },
    colour: (shown, row) => statusColour(io)(of(row) ?? '', shown),
  }
}
