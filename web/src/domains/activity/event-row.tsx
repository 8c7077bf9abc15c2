import {
  Bot,
  Brain,
  CircleAlert,
  CircleCheck,
  FolderGit2,
  History,
  Layers,
  type LucideIcon,
  Server,
  SquareCheck,
  SquareTerminal,
} from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { numberFormat } from '../../parts/formats.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { type Group, groupOf, Said, toneOf } from './model.ts'
import { replayFrom } from './replay-from.ts'
import { whoDid } from './who-is.ts'
import { type ActivityWords, words as own } from './words.ts'

const ICONS: Record<Group, LucideIcon> = {
  ...{ tasks: SquareCheck, runs: Bot, tabs: SquareTerminal, memory: Brain, phases: Layers },
  ...{ projects: FolderGit2, hub: Server },
}

type Props = { event: StoredEvent; names: EventNames; isCurrent: boolean; choose: (seq: number) => void }

export const EventRow = memo(function EventRow({ event, names, isCurrent, choose }: Props) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const tone = toneOf(event)
  const Icon = tone === 'bad' ? CircleAlert : tone === 'good' ? CircleCheck : ICONS[groupOf(event.type)]
  const moment = new Date(event.at)
  return (
    <div className={`group/row relative flex border-b border-line hover:bg-ai-wash ${isCurrent ? 'bg-ai-wash' : ''}`}>
      <button
        type="button"
        data-event={event.seq}
        tabIndex={isCurrent ? 0 : -1}
        aria-current={isCurrent ? 'true' : undefined}
        className="flex min-h-9 min-w-0 flex-1 items-start gap-3 px-4 py-1.5 text-left outline-offset-[-2px] max-md:flex-wrap max-md:gap-x-2 max-md:gap-y-0 max-md:px-3 max-md:py-2"
        onClick={() => choose(event.seq)}
      >
        <time
          dateTime={event.at}
          title={moment.toLocaleString(code, { dateStyle: 'full', timeStyle: 'medium' })}
          className="w-18 shrink-0 pt-px text-sm text-soft max-md:order-2 max-md:w-auto max-md:text-xs"
        >
          {moment.toLocaleTimeString(code, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })}
        </time>
        <Icon
          size={15}
          aria-hidden="true"
          className={`mt-0.75 shrink-0 ${tone === 'bad' ? 'text-shu' : tone === 'good' ? 'text-matsu' : 'text-soft'}`}
        />
        <span className="w-32 shrink-0 truncate font-medium max-md:order-1 max-md:w-auto max-md:flex-1">
          <SafeText text={whoDid(event, names, words)} />
        </span>
        <span className="line-clamp-any line-clamp-2 min-w-0 flex-1 max-md:order-3 max-md:w-full max-md:flex-none max-md:pl-6">
          <SafeText text={sentenceOf(event, names, words)} />
        </span>
        <span className="flex w-52 shrink-0 justify-end gap-2 pt-0.5 text-xs text-soft max-lg:hidden">
          <span className="truncate">{event.type}</span>
          <span className="w-14 shrink-0 text-right tabular-nums">#{numberFormat(code, {}).format(event.seq)}</span>
        </span>
      </button>
      {/* By key it is `.`, on a phone it is in the event itself. */}
      <Link
        href={replayFrom(event)}
        tabIndex={-1}
        title={words.replay}
        aria-label={words.replay}
        data-replay={event.seq}
        className="grid w-9 shrink-0 place-items-center text-soft opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 hover:text-ai max-md:hidden"
      >
        <History size={14} aria-hidden="true" />
      </Link>
    </div>
  )
})

export function sentenceOf(event: StoredEvent, names: EventNames, words: ActivityWords): string {
  // A hub that is newer than this page may send what the page has no sentence for.
  const sentence = words.sentences[event.type]?.(new Said(event, names, words.values, words.quote)) ?? event.type
  // No space follows a Japanese bracket.
  return sentence.replaceAll('」 ', '」')
}
