import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea } from '../../parts/field.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { PHASES_KEY } from './live.ts'
import { usePhase } from './queries.ts'
import { words as own } from './words.ts'

type Outcome = 'completed' | 'partial' | 'failed'

/** What is missing comes first: a phase that lacks its files is not completed. */
export function AdvanceDialog({ project, phase, close }: { project: string; phase: string; close: () => void }) {
  const words = useOwnWords(own)
  const all = useWords()
  const queries = useQueryClient()
  const detail = usePhase(project, phase, all.code)
  const missing = detail.data?.missing ?? []
  const [chosen, setChosen] = useState<Outcome>()
  const [summary, setSummary] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const outcome = chosen ?? (missing.length > 0 ? 'partial' : 'completed')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const said = summary.trim() === '' ? {} : { summary }
      const { value } = await write('phase.advance', { project_id: project, phase, status: outcome, ...said })
      void queries.invalidateQueries({ queryKey: PHASES_KEY })
      notify({ kind: 'done', text: words.advanced, detail: value.message })
      close()
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : all.error.unreached)
      setBusy(false)
    }
  }
  const number = Number(phase.slice('phase'.length))
  return (
    <Dialog label={words.advance} close={close} closeLabel={words.cancel}>
      <form className="flex flex-col gap-4 p-6 max-md:p-4" onSubmit={event => void submit(event)}>
        <h2 className="pr-8 text-lg font-semibold">
          {words.phase(number)} · {words.names[number]}
        </h2>
        {!detail.data && <Bars count={2} height={24} />}
        {detail.data && missing.length === 0 && <p className="text-matsu">{words.nothingMissing}</p>}
        {missing.length > 0 && (
          <div className="rounded-lg border border-kohaku bg-kohaku-wash px-4 py-3" data-missing>
            <p className="font-medium">{words.missingFirst}</p>
            <ul className="list-disc py-1 pl-5 font-mono text-sm">
              {missing.map(file => (
                <li key={file} className="line-clamp-any">
                  <SafeText text={file} />
                </li>
              ))}
            </ul>
            <p className="text-sm">{words.missingHint}</p>
          </div>
        )}
        <TextArea
          label={words.summary}
          placeholder={words.summary}
          data-autofocus
          rows={4}
          value={summary}
          onChange={event => setSummary(event.target.value)}
        />
        {error !== undefined && (
          <p role="alert" className="text-shu">
            {error}
          </p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Select
            label={words.as}
            value={outcome}
            className="mr-auto"
            onChange={event => setChosen(event.target.value as Outcome)}
          >
            <option value="completed" disabled={missing.length > 0}>
              {words.outcome.completed}
            </option>
            <option value="partial">{words.outcome.partial}</option>
            <option value="failed">{words.outcome.failed}</option>
          </Select>
          <Button onClick={close}>{words.cancel}</Button>
          <Button look="main" type="submit" disabled={busy || !detail.data}>
            {words.go}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
