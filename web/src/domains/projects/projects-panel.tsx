// All projects, with the archived ones: who works on them, and whether they are worked on at all.
import { useQueryClient } from '@tanstack/react-query'
import { FolderPlus, UserPlus } from 'lucide-react'
import { Link } from 'wouter'
import type { ProjectView } from '#contract/views.ts'
import { write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Failure } from '../../parts/failure.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Sure } from '../../parts/sure.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { keys, useAgents, useMembers } from './queries.ts'
import { useAllProjects } from './project-list.ts'
import { ProjectChecks } from './project-checks.tsx'
import { ADD_AGENT, ADD_PROJECT, addingAgent, addingProject } from './setup-store.ts'
import { setupWords } from './setup-words.ts'

export function ProjectsPanel() {
  const { projects: words } = useOwnWords(setupWords)
  const add = useOwnWords(ADD_PROJECT)
  const cutOff = useCutOff()
  const projects = useAllProjects()
  if (projects.isError && !projects.data)
    return <Failure error={projects.error} again={() => void projects.refetch()} />
  if (!projects.data) return <Bars count={3} height={64} />
  return (
    <section className="flex flex-col gap-3">
      <header>
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <p className="text-soft">{words.hint}</p>
      </header>
      {projects.data.length === 0 && <p className="text-soft">{words.none}</p>}
      {projects.data.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet">
          {projects.data.map(project => (
            <Project key={project.project_id} project={project} />
          ))}
        </ul>
      )}
      <Button
        className="self-start"
        disabled={cutOff !== undefined}
        title={cutOff}
        onClick={() => addingProject.set(true)}
      >
        <FolderPlus size={16} aria-hidden="true" /> {add}
      </Button>
      <CommandLine text="toryo project add <name> --dir <folder>" />
    </section>
  )
}

function Project({ project }: { project: ProjectView }) {
  const { projects: words } = useOwnWords(setupWords)
  const addAgent = useOwnWords(ADD_AGENT)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const agents = useAgents().data
  const members = useMembers(project.project_id).data ?? []
  const { project_id, name, working_directory: directory, workspace, status } = project
  const again = () => void queries.invalidateQueries({ queryKey: keys.projects })
  const activate = async () => {
    try {
      await write('project.activate', { project_id })
      notify({ kind: 'done', text: words.activated(name) })
    } catch (error) {
      notify({ kind: 'failed', text: name, detail: sentence(error) })
    }
    again()
  }
  return (
    <li className="flex flex-col gap-2 px-4 py-3" data-project={project_id}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link href={`/board?project=${encodeURIComponent(project_id)}`} className="font-medium text-ai hover:underline">
          <SafeText text={name} />
        </Link>
        {status === 'archived' && <span className="text-sm text-kohaku">{words.isArchived}</span>}
        <span className="line-clamp-any min-w-0 font-mono text-xs text-soft">
          <SafeText text={directory ?? words.noFolder} />
        </span>
        {directory !== null && <span className="text-sm text-soft">{words.modes[workspace]}</span>}
      </div>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="text-soft">{words.agents}</span>
        {members.length === 0 && <span className="text-kohaku">{words.noAgents}</span>}
        {members.map(id => (
          <Link key={id} href={`/agents/${encodeURIComponent(id)}`} className="text-ai hover:underline max-md:py-2">
            <SafeText text={agents?.get(id)?.name ?? id} />
          </Link>
        ))}
      </p>
      {status === 'active' && directory !== null && workspace === 'task' && <ProjectChecks project={project} />}
      <div className="flex flex-wrap items-center gap-2">
        {status === 'active' && (
          <Button
            small
            disabled={cutOff !== undefined}
            title={cutOff}
            onClick={() => addingAgent.set({ project: project_id })}
          >
            <UserPlus size={14} aria-hidden="true" /> {addAgent}
          </Button>
        )}
        {status === 'active' ? (
          <Sure
            label={words.archive}
            question={words.archiveSure}
            done={words.archived(name)}
            act={async () => {
              await write('project.archive', { project_id })
              again()
            }}
          />
        ) : (
          <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => void activate()}>
            {words.activate}
          </Button>
        )}
      </div>
    </li>
  )
}
