// What happened to one task, as sentences, newest first. For the sheet of the task, which is another domain's.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { sentenceOf } from './event-row.tsx'
import { whoDid } from './who-is.ts'
import { words as own } from './words.ts'

/** The view of all that happened has the rest. */
const SHOWN = 12

/** `version`: changes with the task, which is when there is news of it. */
export function TaskEvents({ taskId, version }: { taskId: string; version: string }) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const events = useQuery({
    queryKey: ['task-events', taskId, version],
    queryFn: async ({ signal }) => (await call('event.list', { subject: taskId, limit: SHOWN }, { signal })).value,
    placeholderData: before => before,
  })
  return (
    <Section title={words.ofTask}>
      {events.isError && <Failure error={events.error} again={() => void events.refetch()} />}
      {!events.data && !events.isError && <Bars count={3} height={20} />}
      {events.data && (
        <>
          <ol className="flex flex-col gap-1 text-sm" data-task-events>
            {events.data.events.map(event => (
              <li key={event.seq} className="line-clamp-any">
                <Moment at={event.at} className="mr-2 text-soft" />
                <span className="mr-2 font-medium">
                  <SafeText text={whoDid(event, events.data.names, words)} />
                </span>
                <SafeText text={sentenceOf(event, events.data.names, words)} />
              </li>
            ))}
          </ol>
          {events.data.truncated === true && (
            <Link
              href={`/activity?subject=${encodeURIComponent(taskId)}`}
              className="self-start text-sm text-ai hover:underline max-md:min-h-11"
            >
              {words.allOfTask}
            </Link>
          )}
        </>
      )}
    </Section>
  )
}
