import { ArrowRight, CircleCheck, CircleX, Hourglass, type LucideIcon, X } from 'lucide-react'
import type { TabRecord } from '#contract/records.ts'
import type { MessageState, MessageView } from '#contract/tabs.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Since } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { cancel, sendAgain } from './actions.ts'
import { waitsFor } from './model.ts'
import { words as own } from './words.ts'

type Names = ReadonlyMap<string, TabRecord>

const MARKS: Record<MessageState, { icon: LucideIcon; tone: string }> = {
  queued: { icon: Hourglass, tone: 'text-kohaku' },
  delivered: { icon: CircleCheck, tone: 'text-matsu' },
  undeliverable: { icon: CircleX, tone: 'text-shu' },
}

type RowProps = {
  message: MessageView
  tabs: Names
  /** Not cut to one line. */
  isWhole?: boolean
}

export function MessageRow({ message, tabs, isWhole = false }: RowProps) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const to = tabs.get(message.to)
  const canRepeat = message.state === 'undeliverable' && to !== undefined && to.status !== 'exited'
  return (
    <li
      data-message={message.message_id}
      className="flex min-h-8 items-center gap-2 px-3 py-1 text-sm max-md:flex-wrap max-md:[&>:first-child]:max-w-full max-md:[&>:first-child]:flex-1"
    >
      <Parties message={message} tabs={tabs} />
      <span
        className={`line-clamp-any min-w-0 flex-1 max-md:order-last max-md:basis-full ${isWhole ? 'whitespace-pre-wrap' : 'truncate'}`}
        title={isWhole ? undefined : message.message}
      >
        <SafeText text={message.message} />
      </span>
      <State message={message} tabs={tabs} />
      <span className="flex shrink-0 items-center gap-2">
        <span className="w-14 text-right text-xs text-soft max-md:w-auto">
          <Since at={message.sent_at} />
        </span>
        {canRepeat && (
          <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => void sendAgain(message)}>
            {words.messages.again}
          </Button>
        )}
        <span className="flex w-7 shrink-0 justify-end max-md:empty:hidden">
          {message.state === 'queued' && (
            <Button
              small
              look="quiet"
              className="!px-1.5"
              disabled={cutOff !== undefined}
              title={cutOff ?? words.messages.cancel}
              aria-label={words.messages.cancel}
              onClick={() => void cancel(message)}
            >
              <X size={14} aria-hidden="true" />
            </Button>
          )}
        </span>
      </span>
    </li>
  )
}

export function nameIn(id: string, tabs: Names, words: (typeof own)['en']): string {
  if (id === 'operator') return words.messages.you
  // A person with a name.
  if (id.startsWith('operator:')) return id.slice('operator:'.length)
  return id === 'toryo' ? words.messages.hub : (tabs.get(id)?.branch ?? id)
}

export function Parties({ message, tabs }: { message: MessageView; tabs: Names }) {
  const words = useOwnWords(own)
  const nameOf = (id: string) => nameIn(id, tabs, words)
  return (
    <span className="flex max-w-[45%] min-w-0 shrink-0 items-center gap-1.5 font-medium">
      <span className="truncate">
        <SafeText text={nameOf(message.from)} />
      </span>
      <ArrowRight size={12} aria-hidden="true" className="shrink-0 text-soft" />
      <span className="truncate">
        <SafeText text={nameOf(message.to)} />
      </span>
    </span>
  )
}

export function State({ message, tabs }: { message: MessageView; tabs: Names }) {
  const words = useOwnWords(own)
  const { icon: Icon, tone } = MARKS[message.state]
  const waits = waitsFor(message, tabs.get(message.to))
  const why = message.reason === null ? waits && words.waits[waits] : (words.reasons[message.reason] ?? message.reason)
  return (
    <span
      data-state={message.state}
      className={`flex shrink-0 items-center gap-1 text-xs text-soft ${why === undefined ? '' : 'max-md:order-last max-md:basis-full'}`}
    >
      <Icon size={13} aria-hidden="true" className={tone} />
      {words.state[message.state]}
      {why !== undefined && ` (${why})`}
    </span>
  )
}
