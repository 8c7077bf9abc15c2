import { Refused } from '../hub/call.ts'
import { currentWords } from '../words/words.ts'

/** The hub's own sentence about what it refused, which names the next step. */
export function sentence(error: unknown): string {
  return error instanceof Refused ? error.message : currentWords().error.unreached
}
