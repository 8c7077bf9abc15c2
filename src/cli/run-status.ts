// How a run ended, for people: one that ended with a question has not failed. `--json` and `--status` have the stored word.
import type { Io } from './io.ts'
import { stateColumn, stateText } from './states.ts'
import type { Column } from './table.ts'

type Ended = { status: string; result: string | null }

const WORDS = { asked: '質問' }

export function runColumn<R extends Ended>(io: Pick<Io, 'lang' | 'colors'>): Pick<Column<R>, 'value' | 'colour'> {
  return stateColumn(io, stateOf, WORDS)
}

export function runText(run: Ended, io: Pick<Io, 'lang' | 'colors'>): string {
  return stateText(stateOf(run), io, WORDS)
}

function stateOf({ status, result }: Ended): string {
  return result === 'blocked' ? 'asked' : status
}
