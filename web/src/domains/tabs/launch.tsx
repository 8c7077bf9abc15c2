import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { Labelled } from '../../parts/labelled.tsx'
import { notify } from '../../parts/notices.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Select } from '../../parts/select.tsx'
import { TypedAhead } from '../../parts/typed-ahead.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { launching, type LaunchWish } from './launch-store.ts'
import { idsIn } from './model.ts'
import { useBranches, useEngines, useOpenTasks, useProjectChoices } from './queries.ts'
import { focusTile } from './terminal-commands.ts'
import { words as own } from './words.ts'
import { local } from '../../hub/kept.ts'

/** The engine of the last launch is the likely one of the next. */
const LAST_ENGINE = 'toryo.launch.engine'

export function LaunchDialog({ wish, addProject }: { wish: LaunchWish; addProject: () => void }) {
  const words = useOwnWords(own)
  const projects = useProjectChoices().data
  const close = () => launching.set(undefined)
  if (!projects) return <TypedAhead />
  return (
    <Dialog label={words.launch.title} closeLabel={words.launch.cancel} close={close}>
      {projects.length === 0 && (
        <div className="flex flex-col gap-3 p-5">
          <h2 className="text-lg font-semibold">{words.launch.title}</h2>
          <p className="text-soft">{words.launch.noProject}</p>
          <Button
            look="main"
            className="self-start"
            onClick={() => {
              close()
              addProject()
            }}
          >
            {words.launch.addProject}
          </Button>
          <CommandLine text="toryo project add <name> --dir <folder>" />
        </div>
      )}
      {projects.length > 0 && <Form wish={wish} projects={projects} close={close} />}
    </Dialog>
  )
}

type FormProps = { wish: LaunchWish; projects: readonly { project_id: string; name: string }[]; close: () => void }

function Form({ wish, projects, close }: FormProps) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const [path, navigate] = useLocation()
  const list = useId()
  const engines = useEngines().data
  const [project, setProject] = useState(wish.project ?? projects[0]?.project_id ?? '')
  const [chosen, setEngine] = useState(wish.engine ?? local.getItem(LAST_ENGINE) ?? '')
  const [task, setTask] = useState(wish.task ?? '')
  const [branch, setBranch] = useState(wish.branch ?? '')
  const [base, setBase] = useState('')
  const [prompt, setPrompt] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const branches = useBranches(project)
  const tasks = useOpenTasks(project).data ?? []
  const found = engines?.filter(({ program }) => program !== null) ?? []
  const engine = found.some(one => one.engine === chosen) ? chosen : (found[0]?.engine ?? '')
  const isNew = branches.data?.branches.every(({ name }) => name !== branch) ?? true
  const isReady = engine !== '' && (task !== '' || branch.trim() !== '')
  const submit = async () => {
    if (!isReady || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const { value } = await write('tab.launch', {
        engine,
        project_id: project,
        ...(task === '' ? { branch: branch.trim() } : { task_id: task }),
        ...(task === '' && isNew && base !== '' && { base }),
        ...(prompt.trim() !== '' && { prompt }),
      })
      local.setItem(LAST_ENGINE, engine)
      const ended = value.status === 'exited'
      const text = ended ? words.launch.endedAtOnce(value.branch) : words.launch.done(value.branch)
      notify({ kind: ended ? 'failed' : 'done', text, detail: value.last_lines.at(-1) })
      close()
      navigate(besides(path, value.tab_id))
      focusTile(value.tab_id, true)
    } catch (failure) {
      setError(sentence(failure))
      setBusy(false)
    }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const isLine = event.target instanceof HTMLInputElement
    if (!isLine && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    void submit()
  }
  return (
    <form className="flex flex-col gap-3 p-5" onKeyDown={onKey} onSubmit={event => event.preventDefault()}>
      <h2 className="pr-8 text-lg font-semibold">{words.launch.title}</h2>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Labelled text={words.launch.project}>
          <Select
            label={words.launch.project}
            value={project}
            onChange={event => {
              setProject(event.target.value)
              setTask('')
              setBase('')
            }}
          >
            {projects.map(({ project_id, name }) => (
              <option key={project_id} value={project_id}>
                {name}
              </option>
            ))}
          </Select>
        </Labelled>
        <Labelled text={words.launch.engine}>
          <Select label={words.launch.engine} value={engine} onChange={event => setEngine(event.target.value)}>
            {found.map(({ engine: name, paused_until }) => (
              <option key={name} value={name}>
                {paused_until === null ? name : `${name} (${words.launch.paused})`}
              </option>
            ))}
          </Select>
        </Labelled>
      </div>
      <Labelled text={words.launch.task}>
        <Select label={words.launch.task} value={task} onChange={event => setTask(event.target.value)}>
          <option value="">{words.launch.noTask}</option>
          {task !== '' && !tasks.some(({ handle, task_id }) => handle === task || task_id === task) && (
            <option value={task}>{task}</option>
          )}
          {tasks.map(({ handle, title }) => (
            <option key={handle} value={handle}>
              {handle} {title}
            </option>
          ))}
        </Select>
      </Labelled>
      {task === '' && (
        <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
          <Labelled text={words.launch.branch}>
            <TextField
              label={words.launch.branch}
              placeholder="feature/…"
              className="font-mono"
              list={list}
              autoComplete="off"
              spellCheck={false}
              maxLength={1000}
              data-autofocus
              value={branch}
              onChange={event => setBranch(event.target.value)}
            />
            <datalist id={list}>
              {branches.data?.branches.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </Labelled>
          <Labelled text={words.launch.from}>
            <Select
              label={words.launch.from}
              value={base}
              disabled={!isNew}
              onChange={event => setBase(event.target.value)}
            >
              <option value="">{words.launch.fromHere(branches.data?.current ?? 'HEAD')}</option>
              {branches.data?.branches
                .filter(({ name }) => name !== branches.data.current)
                .map(({ name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
            </Select>
          </Labelled>
        </div>
      )}
      <p className="-mt-1 text-sm text-soft">{task === '' ? words.launch.branchHint : words.launch.taskHint}</p>
      <TextArea
        label={words.launch.prompt}
        placeholder={words.launch.prompt}
        rows={4}
        value={prompt}
        onChange={event => setPrompt(event.target.value)}
      />
      {engines && found.length === 0 && <p className="text-kohaku">{words.launch.noEngine}</p>}
      {(error ?? branches.error) !== undefined && (error !== undefined || branches.isError) && (
        <p role="alert" className="line-clamp-any text-shu">
          {error ?? sentence(branches.error)}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button look="quiet" onClick={close}>
          {words.launch.cancel}
        </Button>
        <Button
          look="main"
          disabled={isBusy || cutOff !== undefined || !isReady}
          title={cutOff}
          onClick={() => void submit()}
        >
          {isBusy ? words.launch.busy : words.launch.submit} <KeyHint keys="Ctrl ⏎" />
        </Button>
      </div>
    </form>
  )
}

/** First among the terminals that are shown; where nothing was chosen, it comes to the others on its own. */
function besides(path: string, id: string): string {
  if (path !== '/terminals') return `/terminals?show=${id}`
  const query = new URLSearchParams(location.search)
  const chosen = idsIn(query.get('show'))
  if (chosen.length > 0 || query.has('layout')) query.set('show', [id, ...chosen.filter(one => one !== id)].join(','))
  return `${path}?${query.toString().replaceAll('%2C', ',')}`
}
