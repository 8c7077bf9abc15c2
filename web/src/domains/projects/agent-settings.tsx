// What a person changes about an agent: what it is, what it works on, whether it may.
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { ApiOutput } from '#contract/api.ts'
import { write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Failure } from '../../parts/failure.tsx'
import { notify } from '../../parts/notices.tsx'
import { marked, SafeText } from '../../parts/safe-text.tsx'
import { Section } from '../../parts/section.tsx'
import { Select } from '../../parts/select.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Sure } from '../../parts/sure.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type AgentDraft, AgentFields } from './agent-fields.tsx'
import { keys } from './queries.ts'
import { useProjects } from './project-list.ts'
import { useAgentDetail } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

type Agent = ApiOutput<'agent.show'>

export function AgentSettings({ id }: { id: string }) {
  const { manage: words } = useOwnWords(setupWords)
  const agent = useAgentDetail(id)
  if (agent.isError && !agent.data) return <Failure error={agent.error} again={() => void agent.refetch()} />
  if (!agent.data) return <Bars count={2} height={40} />
  return (
    <>
      <Section title={words.projects}>
        <Projects agent={agent.data} />
      </Section>
      <Section title={words.title}>
        <Settings key={id} agent={agent.data} />
      </Section>
    </>
  )
}

function Projects({ agent }: { agent: Agent }) {
  const { manage: words, agent: said } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const projects = useProjects().data ?? []
  const name = (id: string) => projects.find(({ project_id }) => project_id === id)?.name ?? id
  const others = projects.filter(({ project_id }) => !agent.project_ids.includes(project_id))
  const again = () => {
    void queries.invalidateQueries({ queryKey: keys.agents })
    void queries.invalidateQueries({ queryKey: ['members'] })
  }
  const assign = async (project_id: string) => {
    try {
      await write('project.assign', { project_id, agent_id: agent.agent_id })
      notify({ kind: 'done', text: said.assigned(marked(agent.name), marked(name(project_id))) })
    } catch (error) {
      notify({ kind: 'failed', text: name(project_id), detail: sentence(error) })
    }
    again()
  }
  return (
    <div className="flex flex-col gap-2">
      {agent.project_ids.length === 0 && <p className="text-kohaku">{words.noProjects}</p>}
      <ul className="flex flex-col gap-1">
        {agent.project_ids.map(id => (
          <li key={id} className="flex flex-wrap items-center gap-2" data-works-on={id}>
            <span className="min-w-32">
              <SafeText text={name(id)} />
            </span>
            <Sure
              label={words.unassign(marked(name(id)))}
              question={words.unassignSure}
              done={words.unassigned(marked(agent.name), marked(name(id)))}
              act={async () => {
                await write('project.unassign', { project_id: id, agent_id: agent.agent_id })
                again()
              }}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Select
          label={words.assign}
          value=""
          disabled={cutOff !== undefined}
          title={cutOff}
          className="self-start"
          onChange={event => void assign(event.target.value)}
        >
          <option value="">{words.assign}</option>
          {others.map(({ project_id, name: shown }) => (
            <option key={project_id} value={project_id}>
              {shown}
            </option>
          ))}
        </Select>
      )}
    </div>
  )
}

function Settings({ agent }: { agent: Agent }) {
  const { manage: words } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const [isEditing, setEditing] = useState(false)
  const [passkey, setPasskey] = useState<string>()
  const { agent_id, name } = agent
  const again = () => void queries.invalidateQueries({ queryKey: keys.agents })
  const enable = async () => {
    try {
      await write('agent.enable', { agent_id })
      notify({ kind: 'done', text: words.enabled(name) })
    } catch (error) {
      notify({ kind: 'failed', text: name, detail: sentence(error) })
    }
    again()
  }
  if (isEditing) return <Edit agent={agent} close={() => setEditing(false)} />
  return (
    <div className="flex flex-col gap-3">
      {passkey !== undefined && (
        <div className="flex flex-col gap-2 rounded-lg border border-kohaku bg-kohaku-wash p-3" data-passkey>
          <p className="text-sm">{words.newPasskey(name)}</p>
          <CommandLine text={passkey} />
        </div>
      )}
      {agent.system_prompt !== '' && (
        <p className="line-clamp-any max-h-40 overflow-y-auto whitespace-pre-wrap text-soft" tabIndex={0}>
          <SafeText text={agent.system_prompt} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => setEditing(true)}>
          {words.edit}
        </Button>
        <Sure
          label={words.rotate}
          question={words.rotateSure}
          act={async () => setPasskey((await write('agent.rotate', { agent_id })).value.passkey)}
        />
        {agent.status === 'disabled' ? (
          <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => void enable()}>
            {words.enable}
          </Button>
        ) : (
          <Sure
            label={words.disable}
            question={words.disableSure}
            done={words.disabled(name)}
            act={async () => {
              await write('agent.disable', { agent_id })
              again()
            }}
          />
        )}
      </div>
    </div>
  )
}

function Edit({ agent, close }: { agent: Agent; close: () => void }) {
  const { manage: words, agent: said } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  // What it was when this person began: what another changes meanwhile is not this person's change.
  const [before] = useState(() => draftOf(agent))
  const [draft, setDraft] = useState<AgentDraft>(before)
  const [error, setError] = useState<string>()
  const save = async () => {
    setError(undefined)
    try {
      await write('agent.edit', { agent_id: agent.agent_id, ...changesOf(before, draft) })
      await queries.invalidateQueries({ queryKey: keys.agents })
      notify({ kind: 'done', text: words.saved })
      close()
    } catch (failure) {
      setError(sentence(failure))
    }
  }
  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={submitted}>
      <AgentFields draft={draft} change={next => setDraft(last => ({ ...last, ...next }))} />
      {error !== undefined && (
        <p role="alert" className="line-clamp-any text-shu">
          {error}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={cutOff !== undefined || draft.name.trim() === ''} title={cutOff}>
          {words.save}
        </Button>
        <Button look="quiet" onClick={close}>
          {said.cancel}
        </Button>
      </div>
    </form>
  )
}

const draftOf = ({ name, engine, role, system_prompt }: Agent): AgentDraft => ({
  ...{ name, engine, role: role ?? '', system_prompt },
})

/** Only what was changed: the rest may have been changed by another person meanwhile. */
function changesOf(before: AgentDraft, after: AgentDraft): Partial<AgentDraft> {
  const fields = ['name', 'engine', 'role', 'system_prompt'] as const
  return Object.fromEntries(fields.filter(field => before[field] !== after[field]).map(field => [field, after[field]]))
}
