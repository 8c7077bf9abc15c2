// What a Runner and the hub must agree on.

/** How an instance stands, as the hub sees it. `left`: it has signed out. `gone`: the pair is no longer its; end it now. */
export const INSTANCE_STATES = ['starting', 'running', 'left', 'gone'] as const
export type InstanceState = (typeof INSTANCE_STATES)[number]

/**
 * `stopped`: the Runner ended it for a reason that is not its own, such as Ctrl-C. `runner-lost`: found after a crash of the
 * Runner. `untrusted`: it was not started, since nobody has trusted what its folder tells agents to do.
 */
export const END_CAUSES = [
  'itself',
  'time-limit',
  'silence',
  'no-sign-in',
  'not-started',
  'untrusted',
  'runner-lost',
  'stopped',
] as const
export type EndCause = (typeof END_CAUSES)[number]

/** A Runner that was not heard of for so long has lost its instances: the hub gives their pairs away. */
export const HOLD_MS = 180_000
/** Longest before that, a Runner that cannot reach the hub ends its instances; the rest is for the stopping. */
export const LET_GO_MS = 120_000
export const HEARTBEAT_MS = 10_000

/** The Runner inside a hub has its machine's name and, behind this, what tells two hubs on one machine apart. */
const OWN_MARK = ':'

export function hubRunnerName(machine: string, place: string): string {
  return `${machine}${OWN_MARK}${place}`
}

/** Whether a hub brings this Runner along. No name that people give has the mark in it. */
export function isHubRunner(name: string): boolean {
  return name.includes(OWN_MARK)
}

/** A project's folder, as a Runner is asked about it. */
export type ProjectFolder = { project_id: string; directory: string }
