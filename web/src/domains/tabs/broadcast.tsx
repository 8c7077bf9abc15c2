import type { TabRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusal } from '../../parts/failure.tsx'
import { TextArea } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { notify } from '../../parts/notices.tsx'
import { onSendKey } from '../../parts/send-key.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { useMessage } from './use-message.ts'
import { words as own } from './words.ts'

export function Broadcast({ tabs, close }: { tabs: readonly TabRecord[]; close: () => void }) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const { text, edit, error, submit, isReady } = useMessage('toryo.broadcast')
  const give = async () => {
    const sent = await submit({ tabs })
    if (sent === undefined) return
    notify({ kind: 'done', text: words.messages.sent(sent) })
    close()
  }
  return (
    <Dialog label={words.broadcast.title} closeLabel={words.launch.cancel} close={close}>
      <form className="flex flex-col gap-3 p-5" onKeyDown={onSendKey(give)} onSubmit={event => event.preventDefault()}>
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
        <Refusal text={error} />
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={close}>
            {words.launch.cancel}
          </Button>
          <Button look="main" disabled={!isReady || cutOff !== undefined} title={cutOff} onClick={() => void give()}>
            {words.broadcast.submit} <KeyHint keys="Ctrl ⏎" />
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
