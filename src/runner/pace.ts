// How often a Runner asks, and how long it waits.
import { HEARTBEAT_MS, LET_GO_MS } from '#contract/runner.ts'

export type Pace = {
  pollMs: number
  heartbeatMs: number
  /** Without the hub for so long, we end what we started: it may soon be started elsewhere. */
  letGoMs: number
  /** Between a report and the end of the process. */
  graceMs: number
  signInMs: number
  callMs: number
  /** How long the end of a Runner waits for the hub to hear of the ends of its instances. */
  farewellMs: number
}

export const PACE: Pace = {
  pollMs: 10_000,
  heartbeatMs: HEARTBEAT_MS,
  letGoMs: LET_GO_MS,
  graceMs: 20_000,
  signInMs: 10 * 60_000,
  callMs: 20_000,
  farewellMs: 5_000,
}
