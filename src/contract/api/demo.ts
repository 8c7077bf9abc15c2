// The demo, a hub of its own whose agents are scripted.
import { z } from 'zod'
import { operation } from './shapes.ts'

export const demoApi = {
  /** Starts a demo beside this hub, which ends it; gives a link to it that signs in once. */
  'demo.start': operation(z.object({}), z.object({ url: z.string() })),
  /** Ends a demo and deletes all of it. Refused by every other hub. */
  'demo.end': operation(z.object({}), z.object({ ending: z.literal(true) })),
}
