// What happened and what is going on: events, figures per day, open work, and one search over everything.
import { z } from 'zod'
import { EventNames, StoredEvent } from '../events.ts'
import { AgentId, CrewId, ProjectId } from '../id-types.ts'
import { DAYS_MAX, EVENTS_MAX } from '../limits.ts'
import { SEARCH_MAX } from '../projects.ts'
import { FoundThing, SEARCH_KINDS } from '../search.ts'
import { DayStats } from '../views.ts'
import { WaitingTask, WorkView } from '../work.ts'
import { operation } from './shapes.ts'

export const activityApi = {
  'event.list': operation(
    z.object({
      before: z.int().optional().describe('Older than this number'),
      after: z.int().optional().describe('Newer than this number, beginning with the nearest'),
      types: z.array(z.string().min(1).max(100)).min(1).max(200).optional(),
      project_id: ProjectId.optional(),
      caller: z.string().min(1).max(300).optional().describe('As in the events'),
      subject: z.string().min(1).max(200).optional().describe('An id that the event is about'),
      from: z.iso.datetime({ offset: true }).optional().describe('At this time or later'),
      to: z.iso.datetime({ offset: true }).optional().describe('Before this time'),
      limit: z.int().min(1).max(EVENTS_MAX).optional(),
    }),
    z.object({
      events: z.array(StoredEvent).describe('Newest first'),
      names: EventNames,
      truncated: z.boolean().optional().describe('There are more in this direction'),
    }),
  ),
  /** Whatever has a page of its own. `limit`: of each kind. */
  'search.find': operation(
    z.object({
      text: z.string().regex(/\S/, 'must not be empty').max(SEARCH_MAX),
      kinds: z.array(z.enum(SEARCH_KINDS)).min(1).optional(),
      project_id: ProjectId.optional(),
      limit: z.int().min(1).max(20).optional(),
    }),
    z.object({ found: z.array(FoundThing) }),
  ),
  'stats.daily': operation(
    z.object({
      from: z.iso.datetime({ offset: true }).describe('Where the first day begins'),
      to: z.iso.datetime({ offset: true }).describe('At most 62 days after it'),
      starts: z
        .array(z.iso.datetime({ offset: true }))
        .min(1)
        .max(DAYS_MAX)
        .optional()
        .describe('Where each day begins, the first at `from`: days of a calendar may have 23 or 25 hours'),
      project_id: ProjectId.optional(),
    }),
    z.object({ days: z.array(DayStats).describe('Days of 24 hours, or those of `starts`') }),
  ),
  /** Agents on tasks, runs of crews and tabs: what is open, oldest first, then what ended last. */
  'work.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      agent_id: AgentId.optional().describe('The work of this agent on its tasks alone'),
      crew_id: CrewId.optional().describe('The runs of this crew alone'),
      ended: z.int().min(0).max(200).optional().describe('How many of those that have ended, newest first'),
      last_actions: z.boolean().optional().describe('false: do not look into their logs'),
    }),
    z.object({ work: z.array(WorkView), waiting: z.array(WaitingTask) }),
  ),
}
