import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgentRecord } from '#contract/records.ts'
import { write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Labelled } from '../../parts/labelled.tsx'
import { notify } from '../../parts/notices.tsx'
import { Select } from '../../parts/select.tsx'
import { sentence } from '../../parts/sentence.ts'
import { useStore } from '../../parts/use-store.ts'
import { marked } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type AgentDraft, AgentFields } from './agent-fields.tsx'
import { create } from './new-task-store.ts'
import { keys, useAgents, useMembers } from './queries.ts'
import { useProjects } from './project-list.ts'
import { SetupForm } from './setup-form.tsx'
import { addingAgent } from './setup-store.ts'
import { useEngineChoices } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

type Made = { name: string; passkey: string; project: string | null }

export function AddAgent() {
  const words = useOwnWords(setupWords)
  const wish = useStore(addingAgent)
  const [made, setMade] = useState<Made>()
  if (!wish) return null
  const close = () => addingAgent.set(undefined)
  return (
    <Dialog label={words.agent.title} closeLabel={words.agent.cancel} close={close}>
      {made ? <Ready made={made} close={close} /> : <Form wished={wish.project} done={setMade} close={close} />}
    </Dialog>
  )
}

/** The passkey is shown once, here, and is nowhere else. */
function Ready({ made: { name, passkey, project }, close }: { made: Made; close: () => void }) {
  const { passkey: words } = useOwnWords(setupWords)
  const task = () => {
    close()
    create.set({ title: '', project })
  }
  return (
    <div className="flex flex-col gap-3 p-5" data-made={name}>
      <h2 className="pr-8 text-lg font-semibold">{words.title(name)}</h2>
      <p>{words.hint}</p>
      <CommandLine text={passkey} />
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button onClick={close}>{words.done}</Button>
        {project !== null && (
          <Button look="main" onClick={task} autoFocus>
            {words.task}
          </Button>
        )}
      </div>
    </div>
  )
}

type FormProps = { wished: string | null; done: (made: Made) => void; close: () => void }

function Form({ wished, done, close }: FormProps) {
  const { agent: words } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const projects = useProjects().data ?? []
  const [draft, setDraft] = useState<AgentDraft>({ name: '', engine: '', role: '', system_prompt: '' })
  const [chosen, setProject] = useState(wished)
  const [plans, setPlans] = useState(false)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const likely = useEngineChoices().data?.[0]?.engine ?? ''
  const engine = draft.engine || likely
  // Where there is one project, that is the one it is for.
  const project = chosen ?? (projects.length === 1 ? projects[0]?.project_id : undefined) ?? ''
  const isReady = draft.name.trim() !== '' && engine !== ''
  const submit = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setError(undefined)
    try {
      const { value } = await write('agent.add', {
        ...{ ...draft, name: draft.name.trim(), engine },
        ...(plans && { toolsets: ['planning'] }),
      })
      // The agent is there, and its passkey must be shown, whatever becomes of this.
      const isAssigned = project !== '' && (await assigned(project, value.agent_id, words.notAssigned(value.name)))
      void queries.invalidateQueries({ queryKey: keys.agents })
      void queries.invalidateQueries({ queryKey: ['members'] })
      done({ name: value.name, passkey: value.passkey, project: isAssigned ? project : null })
    } catch (failure) {
      setError(sentence(failure))
      setBusy(false)
    }
  }
  return (
    <SetupForm words={words} isReady={isReady && !busy} error={error} submit={submit} close={close}>
      <AgentFields draft={{ ...draft, engine }} change={next => setDraft(before => ({ ...before, ...next }))} />
      <Labelled text={words.project}>
        <Select label={words.project} value={project} onChange={event => setProject(event.target.value)}>
          <option value="">{words.noProject}</option>
          {projects.map(one => (
            <option key={one.project_id} value={one.project_id}>
              {one.name}
            </option>
          ))}
        </Select>
      </Labelled>
      <label className="flex items-center gap-2 max-md:min-h-11">
        <input type="checkbox" checked={plans} onChange={event => setPlans(event.target.checked)} />
        {words.plans}
      </label>
      {project !== '' && <Existing project={project} close={close} />}
    </SetupForm>
  )
}

/** An agent may work on several projects. */
function Existing({ project, close }: { project: string; close: () => void }) {
  const { agent: words } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const agents = useAgents().data
  const members = useMembers(project).data
  const projects = useProjects().data ?? []
  if (!agents || !members) return null
  const others = [...agents.values()].filter(one => one.status === 'active' && !members.includes(one.agent_id))
  if (others.length === 0) return null
  const name = projects.find(({ project_id }) => project_id === project)?.name ?? project
  const assign = async (agent: AgentRecord) => {
    if (!(await assigned(project, agent.agent_id, agent.name))) return
    void queries.invalidateQueries({ queryKey: keys.members(project) })
    notify({ kind: 'done', text: words.assigned(marked(agent.name), marked(name)) })
    close()
  }
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <p className="text-sm text-soft">{words.existing}</p>
      <ul className="flex flex-wrap gap-2">
        {others.map(agent => (
          <li key={agent.agent_id}>
            <Button small onClick={() => void assign(agent)}>
              {agent.name} · {agent.engine}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

async function assigned(project_id: string, agent_id: string, failed: string): Promise<boolean> {
  try {
    await write('project.assign', { project_id, agent_id })
    return true
  } catch (error) {
    notify({ kind: 'failed', text: failed, detail: sentence(error) })
    return false
  }
}
