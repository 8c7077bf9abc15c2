import { Suspense } from 'react'
import { useAgents, useMembers } from '../domains/projects/queries.ts'
import { addingAgent } from '../domains/projects/setup-store.ts'
import { Crew } from '../domains/crew/crew.tsx'
import { useProject } from '../parts/use-project.ts'
import { AgentTasks } from './agent-tasks.tsx'
import { later } from '../parts/later.tsx'

const AgentSettings = later(async () => (await import('../domains/projects/agent-settings.tsx')).AgentSettings)

export function CrewView() {
  const [project] = useProject()
  const agents = useAgents().data
  const members = useMembers(project ?? undefined).data
  return (
    <Crew
      project={project}
      agents={agents}
      members={project === null ? undefined : members}
      tasksOf={id => <AgentTasks agentId={id} />}
      settingsOf={id => (
        <Suspense>
          <AgentSettings id={id} />
        </Suspense>
      )}
      addAgent={() => addingAgent.set({ project })}
    />
  )
}
