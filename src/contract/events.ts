import { z } from 'zod'

/** A fact in the past tense. `touches` names the resources a reader should look at again. */
export type EventType<P> = {
  readonly type: string
  readonly payload: z.ZodType<P>
  readonly touches: (payload: P) => readonly string[]
}

export function eventType<P>(
  type: string,
  payload: z.ZodType<P>,
  touches: (payload: P) => readonly string[] = () => [],
): EventType<P> {
  return { type, payload, touches }
}

/** An event as it travels on `/events`. */
export const StoredEvent = z.object({
  seq: z.int(),
  at: z.string(),
  type: z.string(),
  project_id: z.string().nullable(),
  caller: z.string(),
  payload: z.unknown(),
  touches: z.array(z.string()),
})
export type StoredEvent = z.infer<typeof StoredEvent>

/** What the ids in a list of events are called; those that no longer exist are missing. */
export const EventNames = z.object({
  tasks: z.record(z.string(), z.object({ handle: z.string(), title: z.string() })),
  agents: z.record(z.string(), z.string()),
  projects: z.record(z.string(), z.string()),
  tabs: z.record(z.string(), z.object({ engine: z.string(), branch: z.string() })),
  runs: z.record(z.string(), z.object({ role: z.string(), engine: z.string() })).describe('Runs of crews'),
  topics: z.record(z.string(), z.string()),
  decisions: z.record(z.string(), z.string()),
})
export type EventNames = z.infer<typeof EventNames>

export const CallRefused = eventType(
  'call.refused',
  z.object({ tool: z.string(), code: z.string(), claimed: z.string().nullable() }),
)
