// All that was said between one tab and each of the others, with what became of it.
import { ArrowLeft } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { MessageRow, nameIn } from './message-row.tsx'
import { SendLine } from './messages-strip.tsx'
import { threadsOf } from './model.ts'
import { useTab, useTabMessages, useTabs } from './queries.ts'
import { words as own } from './words.ts'

export function TabMessages({ id }: { id: string }) {
  const words = useOwnWords(own)
  const search = useSearch()
  const tabs = useTabs().data
  const listed = tabs?.find(({ tab_id }) => tab_id === id)
  const gone = useTab(id, tabs !== undefined && !listed)
  const tab = listed ?? gone.data
  const messages = useTabMessages(id)
  const byId = useMemo(() => {
    const all = [...(tabs ?? []), ...(gone.data ? [gone.data] : [])]
    return new Map(all.map(one => [one.tab_id as string, one]))
  }, [tabs, gone.data])
  const failed = [gone, messages].find(({ isError, data }) => isError && !data)
  if (failed) return <Failure error={failed.error} again={() => void failed.refetch()} />
  if (!messages.data || !tab) return <Bars count={5} height={36} />
  const query = search === '' ? '' : `?${search}`
  return (
    <div className="flex h-full min-h-0 flex-col" data-tab-messages={id}>
      <header className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2">
        <Link
          href={`/terminals${query}`}
          className="inline-flex items-center gap-1 text-sm text-soft hover:text-ink max-md:min-h-11"
        >
          <ArrowLeft size={14} aria-hidden="true" /> {words.messages.back}
        </Link>
        <h2 className="line-clamp-any min-w-0 font-semibold">
          <SafeText text={words.messages.of(tab.branch)} />
        </h2>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} aria-label={words.messages.title}>
        <div className="mx-auto flex max-w-4xl flex-col gap-6 px-6 py-4 max-md:px-3">
          {messages.data.length === 0 && <p className="text-soft">{words.messages.empty}</p>}
          {threadsOf(messages.data, id).map(({ other, messages: thread }) => (
            <section key={other} data-thread={other} className="flex flex-col gap-1">
              <h3 className="text-sm font-semibold">
                <SafeText text={words.messages.between(tab.branch, nameIn(other, byId, words))} />
              </h3>
              <ul className="divide-y divide-line rounded-lg border border-line bg-sheet">
                {thread.map(message => (
                  <MessageRow key={message.message_id} message={message} tabs={byId} isWhole />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
      {tab.status !== 'exited' && <SendLine tabs={[tab]} known={byId} only={id} />}
    </div>
  )
}
