import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { Priority } from '#contract/projects.ts'
import { PRIORITIES } from '#contract/task-values.ts'
import { Refused, write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { notify } from '../../parts/notices.tsx'
import { Select } from '../../parts/select.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { isOwn } from './fresh.ts'
import { create } from './new-task-store.ts'
import { ADD_AGENT, addingAgent } from './setup-store.ts'
import { cardOf, keys, pickFor, useAgents, useMembers } from './queries.ts'
import { useProjects } from './project-list.ts'
import { session } from '../../hub/kept.ts'
import { taskWords } from './task-words.ts'

const DRAFT = 'toryo.new-task'
const DRAFT_TEXT = 'toryo.new-task.text'

export function NewTask() {
  const wish = useStore(create)
  const words = useWords()
  const own = useOwnWords(taskWords)
  if (!wish) return null
  const close = () => create.set(undefined)
  return (
    <Dialog label={words.create.title} closeLabel={own.create.cancel} close={close}>
      <Form wish={wish} close={close} />
    </Dialog>
  )
}

type Wish = NonNullable<ReturnType<typeof create.get>>

function Form({ wish, close }: { wish: Wish; close: () => void }) {
  const words = useWords()
  const own = useOwnWords(taskWords)
  const queries = useQueryClient()
  const projects = useProjects().data ?? []
  const agents = useAgents().data
  const cutOff = useCutOff()
  const [title, setTitle] = useState(wish.title || (session.getItem(DRAFT) ?? ''))
  const [description, setDescription] = useState(wish.title === '' ? (session.getItem(DRAFT_TEXT) ?? '') : '')
  const [chosen, setProject] = useState(wish.project ?? '')
  // The form may be there before the list is.
  const project = chosen || (projects[0]?.project_id ?? '')
  const [assignee, setAssignee] = useState('')
  const [priority, setPriority] = useState<Priority>('medium')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const known = useMembers(project === '' ? undefined : project).data
  const members = known ?? []
  const addAgent = useOwnWords(ADD_AGENT)
  const picked = useQuery(pickFor(project)).data
  const worker = assignee === '' ? picked : agents?.get(assignee)
  const edit = (value: string) => {
    setTitle(value)
    session.setItem(DRAFT, value)
  }
  const describe = (value: string) => {
    setDescription(value)
    session.setItem(DRAFT_TEXT, value)
  }
  const submit = async (start: boolean) => {
    if (title.trim() === '' || busy) return
    setBusy(true)
    setError(undefined)
    try {
      // The one that is named below the fields, once the hub has said which.
      const able = start && assignee === '' ? await queries.ensureQueryData(pickFor(project)) : undefined
      const agent = assignee || able?.agent_id
      const { value } = await write('task.add', {
        project_id: project,
        title,
        description,
        priority,
        ...(agent && { assignee_id: agent }),
        ...(wish.parent !== undefined && { parent_id: wish.parent }),
        ...(start && agent && { status: 'in_progress' as const }),
      })
      session.removeItem(DRAFT)
      session.removeItem(DRAFT_TEXT)
      isOwn(value.task_id)
      void queries.invalidateQueries({ queryKey: keys.cards })
      notify({ kind: 'done', text: own.create.created(value.handle), detail: value.title })
      close()
    } catch (failure) {
      setError(failure instanceof Refused ? failure.message : words.error.unreached)
      setBusy(false)
    }
  }
  const isOff = busy || cutOff !== undefined || title.trim() === ''
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const isTitle = event.target instanceof HTMLInputElement
    if (!isTitle && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    void submit(event.ctrlKey || event.metaKey)
  }
  return (
    <form className="flex flex-col gap-3 p-5" onKeyDown={onKey} onSubmit={event => event.preventDefault()}>
      <h2 className="text-lg font-semibold">{words.create.title}</h2>
      {wish.parent !== undefined && (
        <p className="flex items-center gap-2 text-sm text-soft">
          {own.parent}
          <span className="font-mono">{cardOf(queries, wish.parent)?.handle ?? wish.parent}</span>
        </p>
      )}
      <TextField
        label={own.create.name}
        placeholder={own.create.name}
        value={title}
        maxLength={500}
        data-autofocus
        onChange={event => edit(event.target.value)}
      />
      <TextArea
        label={own.create.description}
        placeholder={own.create.description}
        rows={4}
        value={description}
        onChange={event => describe(event.target.value)}
      />
      <div className="grid grid-cols-3 gap-2 max-md:grid-cols-1">
        <Select label={own.create.project} value={project} onChange={event => setProject(event.target.value)}>
          {projects.map(({ project_id, name }) => (
            <option key={project_id} value={project_id}>
              {name}
            </option>
          ))}
        </Select>
        <Select label={own.create.assignee} value={assignee} onChange={event => setAssignee(event.target.value)}>
          <option value="">{own.unassigned}</option>
          {members.map(id => (
            <option key={id} value={id}>
              {agents?.get(id)?.name ?? id}
            </option>
          ))}
        </Select>
        <Select
          label={own.create.priority}
          value={priority}
          onChange={event => setPriority(event.target.value as Priority)}
        >
          {PRIORITIES.map(one => (
            <option key={one} value={one}>
              {words.priority[one]}
            </option>
          ))}
        </Select>
      </div>
      {known?.length === 0 && (
        <Button
          small
          className="self-start"
          onClick={() => {
            close()
            addingAgent.set({ project })
          }}
        >
          {addAgent}
        </Button>
      )}
      {worker !== undefined && (
        <p data-starts={worker?.agent_id ?? ''} className="text-sm text-soft">
          {worker === null ? own.noneToStart : own.startsOnIt(worker.name)}
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-shu">
          {error}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button
          look="main"
          disabled={isOff || !worker}
          title={cutOff ?? (worker === null ? own.noneToStart : undefined)}
          onClick={() => void submit(true)}
        >
          {own.create.start} <KeyHint keys="Ctrl ⏎" />
        </Button>
        <Button disabled={isOff} title={cutOff} onClick={() => void submit(false)}>
          {own.create.submit} <KeyHint keys="⏎" />
        </Button>
        <Button look="quiet" onClick={close}>
          {own.create.cancel}
        </Button>
      </div>
    </form>
  )
}
