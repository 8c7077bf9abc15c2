// What a Runner and the hub must agree on.
import { z } from 'zod'
import type { ProjectId } from './id-types.ts'
import { Usage } from './usage.ts'

/** How an instance stands, as the hub sees it. `left`: it has signed out. `gone`: the pair is no longer its; end it now. */
export const INSTANCE_STATES = ['starting', 'running', 'left', 'gone'] as const
export type InstanceState = (typeof INSTANCE_STATES)[number]

/**
 * `stopped`: the Runner ended it for a reason that is not its own, such as Ctrl-C. `runner-lost`: found after a crash of the
 * Runner. `untrusted`: it was not started, since no person has trusted its folder's agent configuration.
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

const SeenText = z.string().max(4000)
const SeenFiles = z.array(z.string().max(4096)).max(500)

/** What the output of an instance said, as far as people want to know. */
export const RunSeen = z.object({
  session: z.string().max(200).optional(),
  model: z.string().max(200).optional(),
  tool_calls: z.int().min(0),
  denied: z.int().min(0),
  denied_tools: z.array(z.string().max(200)).max(100),
  created: SeenFiles,
  edited: SeenFiles,
  deleted: SeenFiles,
  // What cannot be is unknown, and so is what a Runner of an earlier version sends in its own words: no reason to lose an end.
  usage: Usage.optional().catch(undefined),
  cost_usd: z.number().min(0).max(1e6).optional().catch(undefined),
  last_message: SeenText.optional(),
  trouble: SeenText.optional(),
})
export type RunSeen = z.infer<typeof RunSeen>

/** A Runner that was not heard of for so long has lost its instances: the hub gives their pairs away. */
export const HOLD_MS = 180_000
/** Longest before that, a Runner that cannot reach the hub ends its instances; the rest is for the stopping. */
export const LET_GO_MS = 120_000
export const HEARTBEAT_MS = 10_000

/** The Runner inside a hub has its machine's name and, behind this, what distinguishes two hubs on one machine. */
const OWN_MARK = ':'

export function hubRunnerName(machine: string, place: string): string {
  return `${machine}${OWN_MARK}${place}`
}

/** Whether a hub brings this Runner along. No name that people give has the mark in it. */
export function isHubRunner(name: string): boolean {
  return name.includes(OWN_MARK)
}

/** A project's folder, as a Runner is asked about it. */
export type ProjectFolder = { project_id: ProjectId; directory: string }
