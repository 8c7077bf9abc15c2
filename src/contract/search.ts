// What is found by one search over everything.
import { z } from 'zod'
import { ProjectId } from './id-types.ts'
import { TaskStatus } from './projects.ts'

/** In the order in which they are shown. */
export const SEARCH_KINDS = ['task', 'decision', 'topic', 'run', 'tab', 'agent', 'project'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const FoundThing = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string().describe('What tells it from others of its title'),
  project_id: ProjectId.nullable(),
  status: TaskStatus.optional().describe('Of a task'),
})
export type FoundThing = z.infer<typeof FoundThing>
