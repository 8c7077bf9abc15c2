// A task goes on to another agent, or to none yet, with what its next agent should know.
import { useQueryClient } from '@tanstack/react-query'
import { Handshake } from 'lucide-react'
import { useState } from 'react'
import { write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { TextArea } from '../../parts/field.tsx'
import { notify } from '../../parts/notices.tsx'
import { Select } from '../../parts/select.tsx'
import { sentence } from '../../parts/sentence.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { keys } from './queries.ts'

const own = {
  en: {
    open: 'Hand over…',
    to: 'To',
    nobody: 'no agent yet (waits under Needs you)',
    summary: 'What is done, and what is left?',
    send: 'Hand over',
    cancel: 'Cancel',
    done: (handle: string) => `${handle} is handed over`,
  },
  ja: {
    open: '引き継ぐ…',
    to: '引き継ぎ先',
    nobody: '未定（「要対応」に表示）',
    summary: '完了したことと残っていること',
    send: '引き継ぐ',
    cancel: 'キャンセル',
    done: (handle: string) => `${handle} を引き継ぎました`,
  },
}

type Props = {
  task: { task_id: string; handle: string }
  from: string
  /** Those who may get it. */
  others: readonly { id: string; name: string }[]
}

export function HandOver({ task, from, others }: Props) {
  const words = useOwnWords(own)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const [isOpen, setOpen] = useState(false)
  const [to, setTo] = useState('')
  const [summary, setSummary] = useState('')
  const send = async () => {
    const { task_id, handle } = task
    try {
      await write('handoff.add', { task_id, from_agent_id: from, to_agent_id: to || null, summary })
      notify({ kind: 'done', text: words.done(handle) })
      setOpen(false)
      setSummary('')
    } catch (error) {
      notify({ kind: 'failed', text: handle, detail: sentence(error) })
    }
    void queries.invalidateQueries({ queryKey: keys.task(task_id) })
  }
  if (!isOpen)
    return (
      <Button small look="quiet" disabled={cutOff !== undefined} title={cutOff} onClick={() => setOpen(true)}>
        <Handshake size={14} aria-hidden="true" /> {words.open}
      </Button>
    )
  return (
    <form
      data-hand-over
      className="flex flex-col items-start gap-2"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <Select label={words.to} value={to} className="max-w-full" onChange={event => setTo(event.target.value)}>
        <option value="">{words.nobody}</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <TextArea
        label={words.summary}
        placeholder={words.summary}
        rows={3}
        value={summary}
        onChange={event => setSummary(event.target.value)}
      />
      <span className="flex gap-2">
        <Button small type="submit" look="main" disabled={summary.trim() === '' || cutOff !== undefined} title={cutOff}>
          {words.send}
        </Button>
        <Button small look="quiet" onClick={() => setOpen(false)}>
          {words.cancel}
        </Button>
      </span>
    </form>
  )
}
