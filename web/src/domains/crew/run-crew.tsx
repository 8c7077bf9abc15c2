import { useEffect, useMemo, useRef, useState } from 'react'
import type { ProjectView } from '#contract/views.ts'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
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
import { costOf } from '../../parts/used.ts'
import { type Role, useRoles, useWork } from './queries.ts'
import { StageList } from './stage-list.tsx'
import { type Chosen, stagesOf, toggled } from './stages.ts'
import type { RunWish } from './run-crew-store.ts'
import { crewWords } from './words.ts'
import { session } from '../../hub/kept.ts'

type Props = {
  wish: RunWish
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
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [prompt, setPrompt] = useState(wish.prompt ?? session.getItem(DRAFT) ?? '')
  const [place, setPlace] = useState(
    places.find(({ project_id }) => project_id === wish.project)?.project_id ?? places[0]?.project_id ?? ELSEWHERE,
  )
  const [directory, setDirectory] = useState('')
  const [task, setTask] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const folder = places.find(({ project_id }) => project_id === place)?.working_directory ?? directory
  const isReady = chosen.length > 0 && prompt.trim() !== '' && (task.trim() !== '' || folder.trim() !== '')
  const nameOf = (id: string) => roles?.find(one => one.id === id)?.name ?? id
  // Once the roles are known: the first ones that can start.
  const wanted = useRef(wish.reviewers ?? 0)
  useEffect(() => {
    if (!roles || wanted.current === 0) return
    const ready = roles.filter(({ available }) => available)
    const first = ready.toSorted((a, b) => rankOf(a.id) - rankOf(b.id))
    setChosen(first.slice(0, wanted.current).reduce<readonly Chosen[]>((all, { id }) => toggled(all, id), []))
    wanted.current = 0
  }, [roles])
  const costs = useLastCosts()
  const edit = (value: string) => {
    setPrompt(value)
    session.setItem(DRAFT, value)
  }
  const submit = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setError(undefined)
    const stages = stagesOf(chosen, prompt)
    try {
      const { value } = await write('crew.run', {
        description: prompt.trim().slice(0, 200),
        mode: stages.length > 1 ? 'sequential' : 'concurrent',
        stages,
        ...(task.trim() === '' ? { directory: folder.trim() } : { task_id: task.trim() }),
      })
      session.removeItem(DRAFT)
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
        {!roles && <Bars count={2} height={56} />}
        {roles?.length === 0 && <p className="text-soft">{words.create.noRoles}</p>}
        <div className="grid grid-cols-2 gap-2">
          {ordered?.map(role => (
            <RoleCard
              key={role.id}
              role={role}
              isChosen={chosen.some(one => one.role === role.id)}
              cost={costs.get(role.id)}
              toggle={() => setChosen(before => toggled(before, role.id))}
            />
          ))}
        </div>
      </fieldset>
      {chosen.length > 1 && <StageList {...{ chosen, nameOf }} change={setChosen} />}
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

/** Those who look at work before those who do it. */
const rankOf = (role: string) => (/review/i.test(role) ? 0 : /test/i.test(role) ? 1 : 2)

/** What a run of each role cost when it ran last, as far as engines tell. */
function useLastCosts(): ReadonlyMap<string, number> {
  const work = useWork().data?.work
  return useMemo(() => {
    const costs = new Map<string, number>()
    const byTime = [...(work ?? [])].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
    for (const { kind, title, cost_usd } of byTime) if (kind === 'run' && cost_usd !== null) costs.set(title, cost_usd)
    return costs
  }, [work])
}

type CardProps = { role: Role; isChosen: boolean; cost: number | undefined; toggle: () => void }

function RoleCard({ role, isChosen, cost, toggle }: CardProps) {
  const words = useOwnWords(crewWords)
  const { code } = useWords()
  const facts = [role.engine, role.model, cost === undefined ? '' : `${words.create.cost} ${costOf(cost, code)}`]
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
        {isChosen && (
          <span aria-hidden="true" className="ml-auto text-ai">
            ✓
          </span>
        )}
      </span>
      <span className="line-clamp-any line-clamp-2 text-sm text-soft">
        <SafeText
          text={role.available ? facts.filter(Boolean).join(' · ') : (role.reason ?? words.roles.unavailable)}
        />
      </span>
    </button>
  )
}
