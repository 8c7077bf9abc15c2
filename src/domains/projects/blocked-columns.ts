// Why a task is blocked, in two columns: the words that were written, or else a fact.
import { type Blocked, inWords } from '#contract/why.ts'

export function blockedOf(words: string | null, facts: string | null): Blocked | null {
  return facts === null ? inWords(words) : (JSON.parse(facts) as Blocked)
}

export function blockedColumns(why: Blocked | null): { words: string | null; facts: string | null } {
  if (why === null || why.kind === 'said') return { words: why?.text ?? null, facts: null }
  return { words: null, facts: JSON.stringify(why) }
}
