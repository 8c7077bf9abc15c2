import type { Caller } from '#contract/caller.ts'
import type { Call } from '#kernel/tool.ts'

/** Who acts: a tab stays one also when an agent has signed in on its connection. */
export function actorOf({ caller, connection }: Call): Caller {
  const opener = connection?.opener
  return opener?.kind === 'tab' || opener?.kind === 'run' ? opener : caller
}
