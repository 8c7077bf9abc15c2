// What happened, for people: events with the names of what they are about, and sums by day.
import { CoreError } from '#contract/errors.ts'
import { EVENTS_MAX } from '#contract/limits.ts'
import type { EventSubjects } from '#kernel/event-subjects.ts'
import type { EventLog } from '#kernel/events.ts'
import { operation } from '#kernel/operation.ts'
import { namesIn } from './event-names.ts'
import type { Services } from './services.ts'

const USUAL = 100
const DAYS_MAX = 62

export function activityOperations(log: Pick<EventLog, 'list'>, subjects: Pick<EventSubjects, 'fill'>) {
  return [
    operation({
      name: 'event.list',
      effect: 'read',
      prepare: async (_: Services, { subject }) => void (subject !== undefined && (await subjects.fill())),
      async run(services: Services, input) {
        const { before, after, types, project_id: projectId, caller, subject, limit = USUAL } = input
        const asked = Math.min(limit, EVENTS_MAX)
        const wanted = { before, after, types, projectId, caller, subject }
        const found = await log.list({ ...wanted, limit: asked + 1 })
        const isForward = after !== undefined && before === undefined
        // The one too many is the farthest: the oldest, or the newest on the way forward.
        const events = isForward ? found.slice(-asked) : found.slice(0, asked)
        const truncated = found.length > asked
        return { events, names: await namesIn(services, events), ...(truncated && { truncated }) }
      },
    }),
    operation({
      name: 'stats.daily',
      effect: 'read',
      async run({ runStats }: Services, { from, to, project_id: projectId }) {
        const [start, end] = [Date.parse(from), Date.parse(to)]
        if (end <= start || end - start > DAYS_MAX * 24 * 3600_000)
          throw CoreError.INVALID_ARGUMENT({ reason: BAD_SPAN })
        return { days: await runStats.daily(start, end, projectId) }
      },
    }),
  ]
}

const BAD_SPAN = {
  en: `to must be after from, and at most ${DAYS_MAX} days later.`,
  ja: `to は from より後で、${DAYS_MAX} 日以内にしてください。`,
}
