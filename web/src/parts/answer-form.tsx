import { useState } from 'react'
import { Refused } from '../hub/call.ts'
import { Button } from './button.tsx'
import { useCutOff } from './can-write.ts'
import { Refusal } from './failure.tsx'
import { TextArea } from './field.tsx'
import { KeyHint } from './key-hint.tsx'
import { onSendKey } from './send-key.ts'
import { useWords } from './use-words.ts'
import { session } from '../hub/kept.ts'

type Props = {
  about: string
  /** What is asked for; default: an answer. */
  label?: string
  hint: string
  rows?: number
  send: (text: string) => Promise<void> | void
  /** Something more to do with the answer, if the box is ticked. */
  keep?: { label: string; run: (text: string) => Promise<void> }
}

/** What a person says to what waits for it. The draft outlives a reload, and a page that was signed out. */
export function AnswerForm({ about, label, hint, rows = 3, send: give, keep }: Props) {
  const words = useWords()
  const cutOff = useCutOff()
  const key = `toryo.answer.${about}`
  const [text, setText] = useState(() => session.getItem(key) ?? '')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [isKept, setKept] = useState(false)
  const edit = (value: string) => {
    setText(value)
    session.setItem(key, value)
  }
  const send = async () => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    setError(undefined)
    try {
      await give(text)
      if (isKept) void keep?.run(text)
      session.removeItem(key)
      setText('')
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : words.error.unreached)
    }
    setBusy(false)
  }
  return (
    <form className="flex flex-col gap-2" onSubmit={event => event.preventDefault()} onKeyDown={onSendKey(send)}>
      <TextArea
        label={label ?? words.needs.answerLabel}
        placeholder={label ?? words.needs.answerLabel}
        data-answer
        rows={rows}
        value={text}
        onChange={event => edit(event.target.value)}
      />
      <Refusal text={error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="main"
          disabled={busy || cutOff !== undefined || text.trim() === ''}
          title={cutOff}
          onClick={() => void send()}
        >
          {words.needs.send} <KeyHint keys="Ctrl ⏎" />
        </Button>
        {keep && (
          <label className="inline-flex items-center gap-2 text-sm max-md:min-h-11">
            <input
              type="checkbox"
              checked={isKept}
              data-keep
              className="size-4 accent-ai"
              onChange={event => setKept(event.target.checked)}
            />
            {keep.label}
          </label>
        )}
        <span className="text-sm text-soft">{hint}</span>
      </div>
    </form>
  )
}
