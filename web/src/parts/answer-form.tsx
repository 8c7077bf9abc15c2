import { useState } from 'react'
import { Refused } from '../hub/call.ts'
import { Button } from './button.tsx'
import { useCutOff } from './can-write.ts'
import { Refusal } from './failure.tsx'
import { TextArea } from './field.tsx'
import { KeyHint } from './key-hint.tsx'
import { onSendKey } from './send-key.ts'
import { useWords } from './use-words.ts'

type Props = { about: string; hint: string; send: (text: string) => Promise<void> }

/** What a person says to what waits for it. The draft outlives a reload, and a page that was signed out. */
export function AnswerForm({ about, hint, send: give }: Props) {
  const words = useWords()
  const cutOff = useCutOff()
  const key = `toryo.answer.${about}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const edit = (value: string) => {
    setText(value)
    sessionStorage.setItem(key, value)
  }
  const send = async () => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    setError(undefined)
    try {
      await give(text)
      sessionStorage.removeItem(key)
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : words.error.unreached)
    }
    setBusy(false)
  }
  return (
    <form className="flex flex-col gap-2" onSubmit={event => event.preventDefault()} onKeyDown={onSendKey(send)}>
      <TextArea
        label={words.needs.answerLabel}
        placeholder={words.needs.answerLabel}
        data-answer
        rows={3}
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
        <span className="text-sm text-soft">{hint}</span>
      </div>
    </form>
  )
}
