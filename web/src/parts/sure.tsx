import { useState } from 'react'
import { Button } from './button.tsx'
import { useCutOff } from './can-write.ts'
import { notify } from './notices.tsx'
import { sentence } from './sentence.ts'
import { useOwnWords } from './use-words.ts'

const own = { en: { yes: 'Yes', no: 'No' }, ja: { yes: 'はい', no: 'いいえ' } }

type Props = { label: string; question: string; done?: string; act: () => Promise<unknown> }

/** What cannot be undone is asked once more, where the button was. */
export function Sure({ label, question, done, act }: Props) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      await act()
      if (done !== undefined) notify({ kind: 'done', text: done })
    } catch (error) {
      notify({ kind: 'failed', text: label, detail: sentence(error) })
    }
    setBusy(false)
    setAsked(false)
  }
  if (!asked)
    return (
      <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => setAsked(true)}>
        {label}
      </Button>
    )
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-sm">{question}</span>
      <Button small look="danger" disabled={busy} autoFocus onClick={() => void go()}>
        {words.yes}
      </Button>
      <Button small onClick={() => setAsked(false)}>
        {words.no}
      </Button>
    </span>
  )
}
