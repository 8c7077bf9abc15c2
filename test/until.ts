import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until there is an answer. */
export async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + (await patienceMs())
  for (;;) {
    const answer = await ask()
    if (answer) return answer as NonNullable<Exclude<T, false>>
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${String(ask)}`)
    await pause(10)
  }
}

/** Almost as long as the test may take, so that its failure names what was waited for. */
async function patienceMs(): Promise<number> {
  const { TestRunner } = await import('vitest')
  return (TestRunner.getCurrentTest()?.timeout ?? 60_000) * 0.9
}
