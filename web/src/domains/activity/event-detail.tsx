import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { sentenceOf } from './event-row.tsx'
import { whoDid, whoIs } from './who-is.ts'
import { subjectOf } from './model.ts'
import { replayFrom } from './replay-from.ts'
import { words as own } from './words.ts'

type Props = {
  event: StoredEvent
  names: EventNames
  close: () => void
  narrow: (change: { subject?: string; caller?: string }) => void
}

/** The event as it is stored, and what to look at next. */
export function EventDetail({ event, names, close, narrow }: Props) {
  const words = useOwnWords(own)
  const all = useWords()
  const [copied, setCopied] = useState(false)
  const text = JSON.stringify(event, null, 2)
  const who = whoDid(event, names, words)
  const subject = subjectOf(event)
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  const CopyIcon = copied ? Check : Copy
  return (
    <Dialog label={words.raw} close={close} closeLabel={all.keys.close}>
      <div className="flex flex-col gap-4 p-6 max-md:p-4">
        <header className="flex flex-col gap-1 pr-8">
          <p className="text-sm text-soft">
            {`#${event.seq.toLocaleString(all.code)} · ${event.type} · `}
            <time dateTime={event.at}>{new Date(event.at).toLocaleString(all.code)}</time>
          </p>
          <h2 className="line-clamp-any text-lg font-semibold">
            <SafeText text={`${who}: ${sentenceOf(event, names, words)}`} />
          </h2>
        </header>
        <pre
          tabIndex={0}
          aria-label={words.raw}
          className="max-h-[46vh] overflow-auto rounded-lg border border-line bg-sunk px-4 py-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <SafeText text={text} />
        </pre>
        <div className="flex flex-wrap gap-2">
          {subject?.href !== undefined && (
            <Link
              href={subject.href}
              // Where what it leads to is still being loaded, this view stays: gone back to, it would open again.
              onClick={close}
              className="inline-flex h-8 items-center rounded-md border border-ai bg-ai px-3 text-on-ai max-md:h-11"
            >
              {words.open}
            </Link>
          )}
          <Link
            href={replayFrom(event)}
            onClick={close}
            className="inline-flex h-8 items-center rounded-md border border-rule bg-sheet px-3 hover:bg-ai-wash max-md:h-11"
          >
            {words.replay}
          </Link>
          {subject && <Button onClick={() => narrow({ subject: subject.id })}>{words.onlyThis}</Button>}
          <Button onClick={() => narrow({ caller: event.caller })}>
            {words.onlyWho(whoIs(event.caller, names, words))}
          </Button>
          <Button look="quiet" onClick={copy}>
            <CopyIcon size={14} aria-hidden="true" /> {words.copy}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
