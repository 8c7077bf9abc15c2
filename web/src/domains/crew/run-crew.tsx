import { useState } from 'react'
import type { ProjectView } from '#contract/views.ts'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusal } from '../../parts/failure.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { onSendKey } from '../../parts/send-key.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { type Role, useRoles } from './queries.ts'
import { crewWords } from './words.ts'

type Props = {
  wish: { project: string | null; prompt?: string }
  projects: readonly ProjectView[]
  close: () => void
  started: (crewId: string) => void
}

const DRAFT = 'toryo.run-crew'
const ELSEWHERE = 'elsewhere'

export function RunCrew(props: Props) {
  const words = useOwnWords(crewWords)
  return (
    <Dialog label={words.create.title} close={props.close} closeLabel={words.create.cancel}>
      <Form {...props} />
    </Dialog>
  )
}

function Form({ wish, projects, close, started }: Props) {
  const words = useOwnWords(crewWords)
  const shared = useWords()
  const cutOff = useCutOff()
  const roles = useRoles().data
  const ordered = roles?.toSorted((a, b) => Number(b.available) - Number(a.available))
  const places = projects.filter(({ working_directory }) => working_directory !== null)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [prompt, setPrompt] = useState(wish.prompt ?? sessionStorage.getItem(DRAFT) ?? '')
  const [place, setPlace] = useState(
    places.find(({ project_id }) => project_id === wish.project)?.project_id ?? places[0]?.project_id ?? ELSEWHERE,
  )
  const [directory, setDirectory] = useState('')
  const [task, setTask] = useState('')
  const [mode, setMode] = useState<'concurrent' | 'sequential'>('concurrent')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const folder = places.find(({ project_id }) => project_id === place)?.working_directory ?? directory
  const isReady = chosen.length > 0 && prompt.trim() !== '' && (task.trim() !== '' || folder.trim() !== '')
  const toggle = (id: string) =>
    setChosen(before => (before.includes(id) ? before.filter(one => one !== id) : [...before, id]))
  const edit = (value: string) => {
    setPrompt(value)
    sessionStorage.setItem(DRAFT, value)
  }
  const submit = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setError(undefined)
    const tasks = chosen.map(role => ({ role, prompt }))
    try {
      const { value } = await write('crew.run', {
        description: prompt.trim().slice(0, 200),
        mode,
        stages: mode === 'concurrent' ? [{ tasks }] : tasks.map(one => ({ tasks: [one] })),
        ...(task.trim() === '' ? { directory: folder.trim() } : { task_id: task.trim() }),
      })
      sessionStorage.removeItem(DRAFT)
      started(value.crew.crew_id)
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : shared.error.unreached)
      setBusy(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onKeyDown={onSendKey(submit)}
      onSubmit={event => event.preventDefault()}
      data-run-crew
    >
      <h2 className="text-lg font-semibold">{words.create.title}</h2>
      <h3 className="-mb-2.5 text-sm font-semibold text-soft" aria-hidden="true">
        {words.create.prompt}
      </h3>
      <TextArea
        label={words.create.prompt}
        placeholder={words.create.placeholder}
        rows={4}
        value={prompt}
        data-autofocus
        onChange={event => edit(event.target.value)}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1.5 text-sm font-semibold text-soft">{words.create.roles}</legend>
        {roles?.length === 0 && <p className="text-soft">{words.create.noRoles}</p>}
        <div className="grid grid-cols-2 gap-2">
          {ordered?.map(role => (
            <RoleCard
              key={role.id}
              role={role}
              order={chosen.indexOf(role.id)}
              isOrdered={mode === 'sequential'}
              toggle={() => toggle(role.id)}
            />
          ))}
        </div>
      </fieldset>
      {chosen.length > 1 && (
        <div className="flex flex-wrap items-center gap-2">
          <Select
            label={words.create.mode}
            value={mode}
            onChange={event => setMode(event.target.value as 'concurrent' | 'sequential')}
          >
            <option value="concurrent">{words.create.concurrent}</option>
            <option value="sequential">{words.create.sequential}</option>
          </Select>
          {mode === 'sequential' && (
            <span className="min-w-0 flex-1 text-sm text-soft">{words.create.sequentialHint}</span>
          )}
        </div>
      )}
      <div className="grid grid-cols-2 gap-2 max-md:grid-cols-1">
        <Select
          label={words.create.where}
          value={place}
          disabled={task.trim() !== ''}
          onChange={event => setPlace(event.target.value)}
        >
          {places.map(({ project_id, name }) => (
            <option key={project_id} value={project_id}>
              {name}
            </option>
          ))}
          <option value={ELSEWHERE}>{words.create.folder}</option>
        </Select>
        <TextField
          label={words.create.task}
          placeholder={words.create.task}
          value={task}
          onChange={event => setTask(event.target.value)}
        />
        {place === ELSEWHERE && task.trim() === '' && (
          <TextField
            label={words.create.directory}
            placeholder={words.create.directory}
            value={directory}
            className="font-mono md:col-span-2"
            onChange={event => setDirectory(event.target.value)}
          />
        )}
      </div>
      <p className="line-clamp-any text-sm text-soft">
        {task.trim() === '' ? folder !== '' && <SafeText text={folder} /> : words.create.taskHint}
      </p>
      <Refusal text={error} className="line-clamp-any" />
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" onClick={close}>
          {words.create.cancel}
        </Button>
        <Button
          look="main"
          disabled={!isReady || busy || cutOff !== undefined}
          title={cutOff}
          onClick={() => void submit()}
        >
          {words.create.submit(chosen.length)} <KeyHint keys="Ctrl ⏎" />
        </Button>
      </div>
    </form>
  )
}

type CardProps = { role: Role; order: number; isOrdered: boolean; toggle: () => void }

function RoleCard({ role, order, isOrdered, toggle }: CardProps) {
  const words = useOwnWords(crewWords)
  const isChosen = order >= 0
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={!role.available}
      data-role={role.id}
      className={`flex min-h-14 flex-col items-start justify-center gap-0.5 rounded-lg border px-3 py-2 text-left disabled:text-soft ${isChosen ? 'border-ai bg-ai-wash outline-1 outline-ai' : 'border-line hover:border-rule'}`}
      onClick={toggle}
    >
      <span className="flex w-full items-baseline gap-2 font-medium">
        <span className="line-clamp-any min-w-0 truncate">
          <SafeText text={role.name} />
        </span>
        {isChosen && isOrdered && <span className="ml-auto text-sm text-ai">{words.create.stage(order + 1)}</span>}
        {isChosen && !isOrdered && (
          <span aria-hidden="true" className="ml-auto text-ai">
            ✓
          </span>
        )}
      </span>
      <span className="line-clamp-any line-clamp-2 text-sm text-soft">
        <SafeText
          text={
            role.available
              ? [role.engine, role.model].filter(Boolean).join(' · ')
              : (role.reason ?? words.roles.unavailable)
          }
        />
      </span>
    </button>
  )
}
