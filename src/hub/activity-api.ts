// What happened, for people: events with the names of what they are about, and sums by day.
import { CoreError } from '#contract/errors.ts'
import { DAYS_MAX, EVENTS_MAX } from '#contract/limits.ts'
import type { EventSubjects } from '#kernel/event-subjects.ts'
import type { EventLog } from '#kernel/events.ts'
import { operation } from '#kernel/operation.ts'
import { namesIn } from './event-names.ts'
import type { Services } from './services.ts'

const USUAL = 100
const HOUR = 3600_000
const DAY = 24 * HOUR

export function activityOperations(log: Pick<EventLog, 'list'>, subjects: Pick<EventSubjects, 'fill' | 'list'>) {
  return [
    operation({
      name: 'event.list',
      effect: 'read',
      prepare: async (_: Services, { subject }) => (subject === undefined ? undefined : await subjects.fill()),
      async run(services: Services, input, { prepared: reach }) {
        const { before, after, types, project_id: projectId, caller, subject, limit = USUAL } = input
        const asked = Math.min(limit, EVENTS_MAX)
        const wanted = { before, after, types, projectId, caller, ...spanOf(input), limit: asked + 1 }
        const found = await (subject === undefined
          ? log.list(wanted)
          : subjects.list(query => log.list(query), { ...wanted, subject }, reach))
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
      async run({ runStats }: Services, { from, to, starts, project_id: projectId }) {
        const [start, end] = [Date.parse(from), Date.parse(to)]
        // An hour more, since clocks may have been set back in it.
        if (end <= start || end - start > DAYS_MAX * DAY + HOUR) throw CoreError.INVALID_ARGUMENT({ reason: BAD_SPAN })
        const days = starts?.map(one => Date.parse(one)) ?? daysFrom(start, end)
        const isInOrder = days.every((day, index) => day < (days[index + 1] ?? end))
        if (days[0] !== start || !isInOrder) throw CoreError.INVALID_ARGUMENT({ reason: BAD_STARTS })
        return { days: await runStats.daily(days, end, projectId) }
      },
    }),
  ]
}

const spanOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
})

function daysFrom(start: number, end: number): number[] {
  return Array.from({ length: Math.ceil((end - start) / DAY) }, (_, index) => start + index * DAY)
}

const BAD_STARTS = {
  en: 'starts must begin with from, be in order, and lie before to.',
  ja: 'starts は from で始まり、昇順で、to より前でなければなりません。',
}
const BAD_SPAN = {
  en: `to must be after from, and at most ${DAYS_MAX} days later.`,
  ja: `to は from より後で、${DAYS_MAX} 日以内にしてください。`,
}
