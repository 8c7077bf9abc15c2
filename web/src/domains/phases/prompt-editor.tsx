import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { TextArea } from '../../parts/field.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { PHASES_KEY } from './live.ts'
import { PromptNotes, PromptText } from './prompt-text.tsx'
import { type Language, loadPrompt } from './queries.ts'
import { words as own } from './words.ts'

type Props = {
  project: string
  phase: string
  language: Language
  content: string
  /** What the edit is of: another one that was saved meanwhile refuses it. */
  base: number
  close: () => void
}

type Theirs = { version: number; base: number; content: string }

export function PromptEditor({ project, phase, language, content, base, close }: Props) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  // What it began with: an event about another edit must not change it under the hands of the one who writes.
  const [start] = useState(base)
  const [text, setText] = useState(content)
  const [theirs, setTheirs] = useState<Theirs>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const edit = { phase, language, project_id: project, content: text, base_version: theirs?.base ?? start }
      const { value } = await write('phase.prompt.edit', edit)
      void queries.invalidateQueries({ queryKey: PHASES_KEY })
      notify({ kind: 'done', text: words.saved(value.version) })
      close()
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof Refused) || failure.code !== 'PROMPT_CHANGED')
        return setError(failure instanceof Refused ? failure.message : all.error.unreached)
      const { value } = await loadPrompt(project, phase, language, undefined)
      setTheirs({ version: value.version, base: value.base_version, content: value.content })
    }
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      {theirs && (
        <p role="alert" className="rounded-lg border border-kohaku bg-kohaku-wash px-4 py-2.5">
          {words.changed}
        </p>
      )}
      <div className={theirs ? 'grid gap-3 lg:grid-cols-2' : ''}>
        {theirs && (
          <div className="flex min-w-0 flex-col gap-1" data-theirs>
            <h3 className="text-sm text-soft">{words.theirs(theirs.version)}</h3>
            <pre
              tabIndex={0}
              aria-label={words.theirs(theirs.version)}
              className="h-[50vh] overflow-auto rounded-md border border-line bg-sunk px-3 py-1.5 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              <SafeText text={theirs.content} />
            </pre>
          </div>
        )}
        <div className="flex min-w-0 flex-col gap-1">
          {theirs && <h3 className="text-sm text-soft">{words.mine}</h3>}
          <TextArea
            label={words.editing}
            value={text}
            autoFocus
            spellCheck={false}
            className="h-[50vh] font-mono !text-xs"
            onChange={event => setText(event.target.value)}
          />
        </div>
      </div>
      <PromptNotes text={text} />
      <details className="group/fold rounded-lg border border-line">
        <summary className="flex cursor-pointer items-center gap-2 px-3 py-2 text-sm hover:bg-ai-wash">
          <Disclosure /> {words.preview}
        </summary>
        <PromptText text={text} label={words.preview} />
      </details>
      {error !== undefined && (
        <p role="alert" className="text-shu">
          {error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="main" type="submit" disabled={busy || cutOff !== undefined || text.trim() === ''} title={cutOff}>
          {theirs ? words.takeMine(theirs.version) : words.save}
        </Button>
        <Button onClick={close}>{words.cancel}</Button>
        <span className="text-sm text-soft">{words.editHint}</span>
      </div>
    </form>
  )
}
