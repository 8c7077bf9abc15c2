import { ChevronDown, ChevronUp } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import type { TabRecord } from '#contract/records.ts'
import type { MessageView } from '#contract/tabs.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Refusal } from '../../parts/failure.tsx'
import { TextField } from '../../parts/field.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { MessageRow, Parties, State } from './message-row.tsx'
import { useMessages } from './queries.ts'
import { useMessage } from './use-message.ts'
import { words as own } from './words.ts'

type Props = { project: string | null; tabs: readonly TabRecord[]; isOpen: boolean; toggle: () => void }

/** Who wrote to whom, what became of it, and a line to write in. */
export function MessagesStrip({ project, tabs, isOpen, toggle }: Props) {
  const words = useOwnWords(own)
  const messages = useMessages(project).data ?? []
  const byId = useMemo(() => new Map(tabs.map(tab => [tab.tab_id as string, tab])), [tabs])
  const live = tabs.filter(({ status }) => status !== 'exited')
  const queued = messages.filter(({ state }) => state === 'queued').length
  const Icon = isOpen ? ChevronDown : ChevronUp
  return (
    <section
      aria-label={words.messages.title}
      className="flex max-h-[45%] shrink-0 flex-col border-t border-line bg-sheet"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex h-9 w-full min-w-0 shrink-0 items-center gap-2 px-3 text-left text-sm outline-offset-[-2px] hover:bg-ai-wash max-md:h-11"
        onClick={toggle}
      >
        <Icon size={14} aria-hidden="true" className="shrink-0 text-soft" />
        <span className="shrink-0 font-medium">{words.messages.title}</span>
        {queued > 0 && <span className="shrink-0 text-kohaku">{words.messages.waiting(queued)}</span>}
        {!isOpen && <Latest message={messages[0]} tabs={byId} />}
      </button>
      {isOpen && (
        <>
          {messages.length === 0 ? (
            <p className="px-3 py-2 text-sm text-soft">{words.messages.empty}</p>
          ) : (
            <ul
              tabIndex={0}
              aria-label={words.messages.title}
              className="min-h-0 flex-1 divide-y divide-line overflow-y-auto border-t border-line outline-offset-[-2px]"
            >
              {messages.map(message => (
                <MessageRow key={message.message_id} message={message} tabs={byId} />
              ))}
            </ul>
          )}
          {live.length > 0 && <SendLine tabs={live} known={byId} />}
        </>
      )}
    </section>
  )
}

function Latest({ message, tabs }: { message: MessageView | undefined; tabs: ReadonlyMap<string, TabRecord> }) {
  if (!message) return null
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2 text-soft max-md:[&>:first-child]:max-w-full">
      <Parties message={message} tabs={tabs} />
      <span className="min-w-0 flex-1 truncate max-md:hidden">
        <SafeText text={message.message} />
      </span>
      {/* What waits is counted before it; a phone has no room for why. */}
      <span className="max-md:hidden">
        <State message={message} tabs={tabs} />
      </span>
    </span>
  )
}

type SendProps = {
  tabs: readonly TabRecord[]
  known: ReadonlyMap<string, TabRecord>
  /** To this tab, without a choice. */
  only?: string
}

export function SendLine({ tabs, known, only }: SendProps) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const [to, setTo] = useState(only ?? '')
  const { text, edit, error, submit, isReady } = useMessage('toryo.message')
  const give = (event: FormEvent) => {
    event.preventDefault()
    void submit(to === '' ? { tabs } : { tab_id: to })
  }
  return (
    <form
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-3 py-2"
      onSubmit={give}
      data-send-line
    >
      <Select
        label={words.messages.to}
        value={to}
        className="max-w-48 max-md:max-w-full max-md:grow"
        onChange={event => setTo(event.target.value)}
      >
        {only === undefined && <option value="">{words.messages.all}</option>}
        {tabs.map(({ tab_id, branch }) => (
          <option key={tab_id} value={tab_id}>
            {branch}
          </option>
        ))}
        {/* It has ended: without this the field would say that the message goes to all. */}
        {to !== '' && !tabs.some(({ tab_id }) => tab_id === to) && (
          <option value={to}>{known.get(to)?.branch ?? to}</option>
        )}
      </Select>
      {/* Together: beside a choice and a field, a phone has no room left for the button. */}
      <div className="flex min-w-60 flex-1 items-center gap-2">
        <TextField
          label={words.messages.text}
          placeholder={words.messages.text}
          className="!w-auto min-w-0 flex-1"
          value={text}
          onChange={event => edit(event.target.value)}
        />
        <Button look="main" type="submit" disabled={!isReady || cutOff !== undefined} title={cutOff}>
          {words.messages.send}
        </Button>
      </div>
      <Refusal text={error} className="basis-full text-sm" />
    </form>
  )
}
