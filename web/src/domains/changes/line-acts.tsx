// What can be done about lines of a diff: store why they are so, ask who wrote them, make a task of them.
import { type SubmitEvent, useState } from 'react'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import type { Picked } from '../../parts/diff/rows.ts'
import { TextArea, TextField } from '../../parts/field.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import type { About } from './ledger.tsx'
import { placeOf } from './model.ts'
import { changesWords } from './words.ts'

const ACTS = ['decide', 'ask', 'makeTask'] as const
type Act = (typeof ACTS)[number]
/** A message is for a person's question, not for a file. */
const MOST_QUOTED = 2000

type Props = { picked: Picked; quote: string; about: About; close: () => void }

export function LineActs({ picked, quote, about, close }: Props) {
  const words = useOwnWords(changesWords)
  const all = useWords()
  const cutOff = useCutOff()
  const [act, setAct] = useState<Act>('decide')
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const place = placeOf(picked)
  const lines = quote.length > MOST_QUOTED ? `${quote.slice(0, MOST_QUOTED)}…` : quote
  const canSend =
    text.trim() !== '' && (act !== 'decide' || reason.trim() !== '') && (act !== 'ask' || about.tab !== null)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!canSend || busy) return
    setBusy(true)
    try {
      await perform(act, { text: text.trim(), reason: reason.trim(), place, lines, about })
      notify({ kind: 'done', text: { decide: words.decided, ask: words.asked, makeTask: words.created }[act] })
      close()
    } catch (error) {
      notify({
        kind: 'failed',
        text: words.refused,
        detail: error instanceof Refused ? error.message : all.error.unreached,
      })
      setBusy(false)
    }
  }
  const label = { decide: words.decision, ask: words.question, makeTask: words.title }[act]
  const button = { decide: words.save, ask: words.send, makeTask: words.create }[act]
  return (
    <Dialog label={words.about(place)} close={close} closeLabel={words.close}>
      <form className="flex flex-col gap-3 p-5" data-line-acts onSubmit={event => void submit(event)}>
        <h2 className="line-clamp-any pr-8 font-semibold">
          <SafeText text={words.about(place)} />
        </h2>
        {lines !== '' && (
          <pre
            tabIndex={0}
            aria-label={place}
            className="max-h-32 overflow-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs"
          >
            <SafeText text={lines} />
          </pre>
        )}
        <div role="group" aria-label={words.line} className="flex flex-wrap gap-1">
          {ACTS.map(one => (
            <Button
              key={one}
              small
              aria-pressed={act === one}
              className={act === one ? '!bg-ai-wash' : ''}
              onClick={() => setAct(one)}
            >
              {words[one]}
            </Button>
          ))}
        </div>
        {act === 'ask' && (
          <p className="text-sm text-soft">{about.tab === null ? words.noTab : words.asks(about.tab.branch)}</p>
        )}
        {act === 'makeTask' ? (
          <TextField
            label={label}
            placeholder={label}
            data-autofocus
            value={text}
            onChange={event => setText(event.target.value)}
          />
        ) : (
          <TextArea
            label={label}
            placeholder={label}
            rows={3}
            data-autofocus
            value={text}
            onChange={event => setText(event.target.value)}
          />
        )}
        {act === 'decide' && (
          <TextArea
            label={words.reason}
            placeholder={words.reason}
            rows={2}
            value={reason}
            onChange={event => setReason(event.target.value)}
          />
        )}
        <Button
          look="main"
          type="submit"
          className="self-start"
          title={cutOff}
          disabled={!canSend || busy || cutOff !== undefined}
        >
          {button}
        </Button>
      </form>
    </Dialog>
  )
}

type Wish = { text: string; reason: string; place: string; lines: string; about: About }

async function perform(act: Act, { text, reason, place, lines, about }: Wish): Promise<void> {
  const { project_id, task, tab } = about
  // The place is part of the reason: a decision outlives the lines.
  if (act === 'decide') {
    const task_ids = task ? { task_ids: [task.task_id] } : {}
    await write('memory.decision.add', { project_id, decision: text, reason: `${reason}\n\n${place}`, ...task_ids })
    return
  }
  const quote = lines === '' ? place : `${place}\n${lines.replace(/^/gm, '> ')}`
  if (act === 'ask' && tab) await write('tab.send', { tab_id: tab.tab_id, message: `${text}\n\n${quote}` })
  if (act === 'makeTask') await write('task.add', { project_id, title: text, description: quote })
}
