// What waits for a person.
import { z } from 'zod'
import { ProjectId } from '../id-types.ts'
import { InboxItem } from '../inbox.ts'
import { operation } from './shapes.ts'

export const inboxApi = {
  'inbox.list': operation(
    z.object({ project_id: ProjectId.optional() }),
    z.object({
      items: z.array(InboxItem),
      next_at: z.string().nullable().describe('When the next one that was snoozed is back; null: none was'),
    }),
  ),
  'inbox.count': operation(z.object({ project_id: ProjectId.optional() }), z.object({ count: z.int() })),
  /** Not before then, unless it changes. */
  'inbox.snooze': operation(
    z.object({ item_id: z.string().min(1).max(500), until: z.iso.datetime({ offset: true }) }),
    z.object({ item_id: z.string(), until: z.string() }),
  ),
  /** Looked at, and nothing more is to be done about it. When it happens again, it is back. */
  'inbox.seen': operation(z.object({ item_id: z.string().min(1).max(500) }), z.object({ item_id: z.string() })),
}
