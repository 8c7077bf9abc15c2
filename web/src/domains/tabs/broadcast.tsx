import { type KeyboardEvent, useRef, useState } from 'react'
import type { TabRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { notify } from '../../parts/notices.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { send, sentence } from './actions.ts'
import { words as own } from './words.ts'

const DRAFT = 'toryo.broadcast'

export function Broadcast({ tabs, close }: { tabs: readonly TabRecord[]; close: () => void }) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const reached = useRef(new Set<string>())
  const edit = (value: string) => {
    setText(value)
    // Another message.
    reached.current = new Set()
    sessionStorage.setItem(DRAFT, value)
  }
  const submit = async () => {
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const sent = await send(text, { tabs, reached: reached.current })
      sessionStorage.removeItem(DRAFT)
      notify({ kind: 'done', text: words.messages.sent(sent) })
      close()
    } catch (failure) {
      const { size } = reached.current
      setError(size === 0 ? sentence(failure) : `${sentence(failure)} ${words.messages.partly(size)}`)
      setBusy(false)
    }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submit()
  }
  return (
    <Dialog label={words.broadcast.title} closeLabel={words.launch.cancel} close={close}>
      <form className="flex flex-col gap-3 p-5" onKeyDown={onKey} onSubmit={event => event.preventDefault()}>
        <h2 className="text-lg font-semibold">{words.broadcast.title}</h2>
        <p className="text-soft">{words.broadcast.hint(tabs.length)}</p>
        <TextArea
          label={words.messages.text}
          placeholder={words.messages.text}
          rows={3}
          data-autofocus
          value={text}
          onChange={event => edit(event.target.value)}
        />
        {error !== undefined && (
          <p role="alert" className="text-shu">
            {error}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={close}>
            {words.launch.cancel}
          </Button>
          <Button
            look="main"
            disabled={isBusy || cutOff !== undefined || text.trim() === ''}
            title={cutOff}
            onClick={() => void submit()}
          >
            {words.broadcast.submit} <KeyHint keys="Ctrl ⏎" />
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
