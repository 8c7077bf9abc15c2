import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { bytesOf, PHONE_KEYS } from './model.ts'
import type { TerminalScreen } from './terminal-screen.ts'
import { words as own } from './words.ts'

/** Keys that a phone's keyboard lacks, and a line in which it composes and corrects as people are used to. */
export function PhoneKeys({ screen }: { screen: TerminalScreen | undefined }) {
  const words = useOwnWords(own)
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text !== '') screen?.answer(text)
    setText('')
  }
  return (
    <div className="flex shrink-0 flex-col gap-1.5 border-t border-line bg-sheet p-1.5">
      <div role="group" aria-label={words.phone.keys} className="grid grid-cols-8 gap-1">
        {PHONE_KEYS.map(key => (
          <button
            key={key}
            type="button"
            disabled={!screen}
            aria-label={words.phone.names[key] ?? key}
            className="h-11 rounded-md border border-rule bg-sheet font-mono text-sm active:bg-ai-wash"
            onClick={() => screen?.type(bytesOf(key, screen.arrowsAreApplication))}
          >
            {key}
          </button>
        ))}
      </div>
      <form className="flex gap-1.5" onSubmit={submit}>
        <TextField
          label={words.phone.answer}
          placeholder={words.phone.answer}
          data-line-answer
          autoComplete="off"
          autoCapitalize="off"
          enterKeyHint="send"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <Button look="main" type="submit" disabled={!screen || text === ''}>
          {words.phone.send}
        </Button>
      </form>
    </div>
  )
}
