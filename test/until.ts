import { clearTimeout, setTimeout } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * How long one wait may take, also on a machine that does much else (TORYO_TEST_PATIENCE): what has not come by then does not
 * come, and a test that waits in vain shall fail within a minute.
 */
const WAIT_MS = 54_000 * Number(process.env['TORYO_TEST_PATIENCE'] ?? 1)
/** The first and the longest time between two questions, and how much of the time so far. */
const LOOKING = { firstMs: 10, longestMs: 250, share: 0.05 }
/** For a question that takes a call: dozens of those in a second cost more than what is waited for. */
const CALLING = { firstMs: 20, longestMs: 500, share: 0.2 }

/** Counts what hubs in this process have stored. */
let stored = 0
const sleepers = new Set<() => void>()

/** A hub in this process calls this for each event that it has stored, and every wait asks again. */
export function hubStored(): void {
  stored += 1
  for (const wake of sleepers) wake()
}

/** Asks again and again until there is an answer. */
export async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const started = performance.now()
  const patience = await patienceMs()
  for (;;) {
    const before = stored
    const asked = ask()
    const answer = await asked
    if (answer) return answer as NonNullable<Exclude<T, false>>
    const waited = performance.now() - started
    if (waited > patience) throw new Error(`waited in vain for ${Math.round(waited / 1000)} s: ${String(ask)}`)
    // Less often the longer it takes: asking costs time that what is waited for could use.
    const { firstMs, longestMs, share } = asked instanceof Promise ? CALLING : LOOKING
    if (stored === before) await untilStored(Math.min(longestMs, Math.max(firstMs, waited * share)))
    // A little later, since one thing seldom comes alone.
    if (stored !== before) await pause(firstMs)
  }
}

/** Or until so much time has gone by. */
async function untilStored(ms: number): Promise<void> {
  let wake = () => {}
  const woken = new Promise<void>(resolve => (wake = resolve))
  const timer = setTimeout(wake, ms)
  sleepers.add(wake)
  await woken
  sleepers.delete(wake)
  clearTimeout(timer)
}

/**
 * Less than the test may take, so that its failure names what was waited for. A test that said why it needs more than that
 * may also wait longer for one thing: two fifths of its time.
 */
async function patienceMs(): Promise<number> {
  const { TestRunner } = await import('vitest')
  const timeout = TestRunner.getCurrentTest()?.timeout ?? 60_000
  return Math.min(timeout * 0.9, Math.max(WAIT_MS, timeout * 0.4))
}
