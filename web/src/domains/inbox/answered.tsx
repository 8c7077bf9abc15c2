// What a person dealt with today: read from the events, since what was answered is no item any more.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { call } from '../../hub/call.ts'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/live-time.tsx'
import { useWords } from '../../parts/use-words.ts'
import { ANSWERED, ANSWERS, answeredSince } from './answers.ts'

/** Another domain puts an event into words. */
type Props = { sentence: (event: StoredEvent, names: EventNames) => ReactNode }

export function Answered({ sentence }: Props) {
  const words = useWords().inbox
  const answered = useQuery({
    queryKey: ANSWERED,
    queryFn: async ({ signal }) => (await call('event.list', { types: [...ANSWERS], limit: 100 }, { signal })).value,
  })
  if (answered.isError) return <Failure error={answered.error} again={() => void answered.refetch()} />
  if (!answered.data) return null
  const { events, names } = answered.data
  const today = answeredSince(events, new Date().setHours(0, 0, 0, 0))
  if (today.length === 0) return <p className="px-4 pb-3 text-sm text-soft">{words.noAnswers}</p>
  return (
    <ul className="flex flex-col gap-1 px-4 pb-3 text-sm">
      {today.map(event => (
        <li key={event.seq} data-answered={event.seq} className="line-clamp-any line-clamp-2">
          <Moment at={event.at} className="pr-2 text-soft" />
          {sentence(event, names)}
        </li>
      ))}
    </ul>
  )
}
