import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { Labelled } from '../../parts/labelled.tsx'
import { notify } from '../../parts/notices.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { MEMORY } from './queries.ts'
import { type MemoryWords, words as own } from './words.ts'

/** What is to be written, and where. */
export type Wish =
  | { kind: 'topic'; parent?: { id: number; title: string } | undefined }
  | { kind: 'entry'; topic: { id: number; title: string } }
  | { kind: 'decision'; topic?: { id: number; title: string } | undefined; supersedes?: number }

type Props = { wish: Wish; project: string; close: () => void }

export function AddDialog({ wish, project, close }: Props) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [second, setSecond] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isReady = text.trim() !== '' && (wish.kind !== 'decision' || second.trim() !== '') && !busy
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (!isReady) return
    setBusy(true)
    setError(undefined)
    try {
      const address = await save(wish, project, text, second)
      void queries.invalidateQueries({ queryKey: MEMORY })
      notify({ kind: 'done', text: words.saved })
      close()
      navigate(`${address}?project=${encodeURIComponent(project)}`)
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : all.error.unreached)
      setBusy(false)
    }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) void submit()
  }
  const heading = headingOf(wish, words)
  return (
    <Dialog label={heading} close={close} closeLabel={words.cancel}>
      <form className="flex flex-col gap-4 p-6 max-md:p-4" onSubmit={event => void submit(event)} onKeyDown={onKey}>
        <h2 className="line-clamp-any pr-8 text-lg font-semibold">{heading}</h2>
        {wish.kind === 'topic' ? (
          <Labelled text={words.title}>
            <TextField
              label={words.title}
              data-autofocus
              value={text}
              maxLength={500}
              onChange={event => setText(event.target.value)}
            />
          </Labelled>
        ) : (
          <Labelled text={wish.kind === 'entry' ? words.content : words.decided}>
            <TextArea
              label={wish.kind === 'entry' ? words.content : words.decided}
              data-autofocus
              rows={wish.kind === 'entry' ? 7 : 3}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          </Labelled>
        )}
        {wish.kind !== 'entry' && (
          <Labelled text={wish.kind === 'topic' ? words.description : words.reason}>
            <TextArea
              label={wish.kind === 'topic' ? words.description : words.reason}
              rows={4}
              value={second}
              onChange={event => setSecond(event.target.value)}
            />
          </Labelled>
        )}
        {error !== undefined && (
          <p role="alert" className="text-shu">
            {error}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{words.cancel}</Button>
          <Button look="main" type="submit" disabled={!isReady || cutOff !== undefined} title={cutOff}>
            {words.save} <KeyHint keys="Ctrl ⏎" />
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function headingOf(wish: Wish, words: MemoryWords): string {
  if (wish.kind === 'entry') return words.newEntry(wish.topic.title)
  if (wish.kind === 'topic') return wish.parent ? words.newTopicIn(wish.parent.title) : words.newTopic
  if (wish.supersedes !== undefined) return words.replacing(wish.supersedes)
  return wish.topic ? words.newDecision(wish.topic.title) : words.newDecisionFree
}

/** Answers where it can be looked at. */
async function save(wish: Wish, project: string, text: string, second: string): Promise<string> {
  if (wish.kind === 'entry') {
    await write('memory.log.add', { topic_id: wish.topic.id, content: text })
    return `/memory/topics/${wish.topic.id}`
  }
  if (wish.kind === 'topic') {
    const { value } = await write('memory.topic.add', {
      ...{ project_id: project, title: text },
      ...(second.trim() !== '' && { description: second }),
      ...(wish.parent && { parent_topic_id: wish.parent.id }),
    })
    return `/memory/topics/${value.id}`
  }
  const { value } = await write('memory.decision.add', {
    ...{ decision: text, reason: second },
    ...(wish.topic ? { topic_id: wish.topic.id } : { project_id: project }),
    ...(wish.supersedes !== undefined && { supersedes: wish.supersedes }),
  })
  return `/memory/decisions/${value.id}`
}
