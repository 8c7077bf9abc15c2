import type { Io } from './io.ts'
import { statusColour } from './status-colour.ts'

/** How a run ended, for people: one that ended with a question has not failed. `--json` and `--status` have the stored word. */
export function runStatus({ status, result }: { status: string; result: string | null }, io: Pick<Io, 'say'>): string {
  return result === 'blocked' ? io.say(asked) : status
}

/** Of what `runStatus` says, too. */
export function runColour(io: Pick<Io, 'say' | 'colors'>): (word: string) => string {
  return word => (word === io.say(asked) ? io.colors.yellow(word) : statusColour(io)(word))
}

const asked = { en: 'asked', ja: '質問' }
