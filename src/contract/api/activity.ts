// What happened and what is going on: events, figures per day, open work.
import { z } from 'zod'
import { EventNames, StoredEvent } from '../events.ts'
import { AgentId, ProjectId } from '../id-types.ts'
import { EVENTS_MAX } from '../limits.ts'
import { DayStats } from '../views.ts'
import { WorkView } from '../work.ts'
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
      limit: z.int().min(1).max(EVENTS_MAX).optional(),
    }),
    z.object({
      events: z.array(StoredEvent).describe('Newest first'),
      names: EventNames,
      truncated: z.boolean().optional().describe('There are more in this direction'),
    }),
  ),
  'stats.daily': operation(
    z.object({
      from: z.iso.datetime({ offset: true }).describe('Where the first day begins'),
      to: z.iso.datetime({ offset: true }).describe('At most 62 days after it'),
      project_id: ProjectId.optional(),
    }),
    z.object({ days: z.array(DayStats).describe('Days of 24 hours') }),
  ),
  /** Agents on tasks, runs of crews and tabs: what is open, oldest first, then what ended last. */
  'work.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      agent_id: AgentId.optional().describe('The work of this agent on its tasks alone'),
      ended: z.int().min(0).max(200).optional().describe('How many of those that have ended, newest first'),
      last_actions: z.boolean().optional().describe('false: do not look into their logs'),
    }),
    z.object({ work: z.array(WorkView) }),
  ),
}
