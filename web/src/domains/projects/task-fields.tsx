// Title, description and labels of a task, edited where they stand.
import { useQueryClient } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { TextArea, TextField } from '../../parts/field.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { editTask } from './editing.ts'
import type { TaskDetail } from './queries.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { taskWords } from './task-words.ts'

export function Title({ task }: { task: TaskDetail }) {
  const own = useOwnWords(taskWords)
  return (
    <Editable task={task} field="title" label={own.create.name}>
      <h2 className="line-clamp-any min-w-0 text-xl font-semibold">
        <SafeText text={task.title} />
      </h2>
    </Editable>
  )
}

export function Description({ task }: { task: TaskDetail }) {
  const own = useOwnWords(taskWords)
  return (
    <Editable task={task} field="description" label={own.description}>
      {task.description === '' ? (
        <p className="text-soft">{own.noDescription}</p>
      ) : (
        <p className="line-clamp-any min-w-0 whitespace-pre-wrap">
          <Markdown text={task.description} />
        </p>
      )}
    </Editable>
  )
}

type Props = { task: TaskDetail; field: 'title' | 'description'; label: string; children: React.ReactNode }

function Editable({ task, field, label, children }: Props) {
  const own = useOwnWords(taskWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const [draft, setDraft] = useState<string>()
  if (draft === undefined)
    return (
      <div className="flex items-start gap-1">
        {children}
        <Button
          small
          look="quiet"
          className="!px-1.5"
          aria-label={own.edit(label)}
          title={cutOff ?? own.edit(label)}
          disabled={cutOff !== undefined}
          onClick={() => setDraft(task[field])}
        >
          <Pencil size={14} aria-hidden="true" />
        </Button>
      </div>
    )
  const canSave = field === 'description' || draft.trim() !== ''
  const save = () => {
    if (!canSave) return
    setDraft(undefined)
    void editTask(queries, task.task_id, { field, value: field === 'title' ? draft.trim() : draft })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      // Ends the edit, and not the sheet as well.
      event.preventDefault()
      event.stopPropagation()
      setDraft(undefined)
    } else if (event.key === 'Enter' && (field === 'title' || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      save()
    }
  }
  const common = { label, value: draft, autoFocus: true, onKeyDown: onKey }
  return (
    <div className="flex flex-col gap-2">
      {field === 'title' ? (
        <TextField {...common} maxLength={500} onChange={event => setDraft(event.target.value)} />
      ) : (
        <TextArea {...common} rows={6} onChange={event => setDraft(event.target.value)} />
      )}
      <div className="flex gap-2">
        <Button small look="main" disabled={!canSave || cutOff !== undefined} title={cutOff} onClick={save}>
          {own.save}
        </Button>
        <Button small onClick={() => setDraft(undefined)}>
          {own.create.cancel}
        </Button>
      </div>
    </div>
  )
}

export function Labels({ task }: { task: TaskDetail }) {
  const own = useOwnWords(taskWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const [draft, setDraft] = useState('')
  const set = (labels: string[]) => void editTask(queries, task.task_id, { field: 'labels', value: labels })
  const add = () => {
    const label = draft.trim()
    setDraft('')
    if (label !== '' && !task.labels.includes(label)) set([...task.labels, label].sort())
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {task.labels.map(label => (
        <span key={label} className="inline-flex max-w-full items-center rounded-md bg-sunk pl-2 text-sm">
          <span className="truncate">
            <SafeText text={label} />
          </span>
          <button
            type="button"
            aria-label={own.removeLabel(label)}
            disabled={cutOff !== undefined}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-soft hover:bg-ai-wash hover:text-ink max-md:size-9"
            onClick={() => set(task.labels.filter(one => one !== label))}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ))}
      <TextField
        label={own.addLabel}
        placeholder={own.addLabel}
        className="!w-32"
        maxLength={40}
        value={draft}
        disabled={cutOff !== undefined}
        onChange={event => setDraft(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          add()
        }}
      />
    </div>
  )
}
