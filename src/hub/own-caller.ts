import type { Caller } from '#contract/caller.ts'

/** The hub, where it acts without being asked. */
export const HUB: Caller = { kind: 'operator' }
