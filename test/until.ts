import { setTimeout as pause } from 'node:timers/promises'

/** Only a hang reaches it: what is merely slow, on a machine that does much else, must not fail. */
const PATIENCE_MS = 300_000

/** Asks again and again until there is an answer. */
export async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer) return answer as NonNullable<Exclude<T, false>>
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${String(ask)}`)
    await pause(10)
  }
}
