import { setTimeout as pause } from 'node:timers/promises'

/**
 * How long one wait may take, also on a machine that does much else (TORYO_TEST_PATIENCE): what has not come by then does not
 * come, and a test that waits in vain shall fail within a minute.
 */
const WAIT_MS = 54_000 * Number(process.env['TORYO_TEST_PATIENCE'] ?? 1)
/** The first and the longest time between two questions. */
const PAUSE_MS = { first: 10, longest: 250 }

/** Asks again and again until there is an answer. */
export async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const started = performance.now()
  const patience = await patienceMs()
  for (;;) {
    const answer = await ask()
    if (answer) return answer as NonNullable<Exclude<T, false>>
    const waited = performance.now() - started
    if (waited > patience) throw new Error(`waited in vain for ${Math.round(waited / 1000)} s: ${String(ask)}`)
    // Less often the longer it takes: asking costs time that what is waited for could use.
    await pause(Math.min(PAUSE_MS.longest, Math.max(PAUSE_MS.first, waited / 20)))
  }
}

/**
 * Less than the test may take, so that its failure names what was waited for. A test that said why it needs more than that
 * may also wait longer for one thing: a quarter of its time.
 */
async function patienceMs(): Promise<number> {
  const { TestRunner } = await import('vitest')
  const timeout = TestRunner.getCurrentTest()?.timeout ?? 60_000
  return Math.min(timeout * 0.9, Math.max(WAIT_MS, timeout * 0.225))
}
