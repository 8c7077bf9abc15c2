import { useAgents, useMembers } from '../domains/projects/queries.ts'
import { Crew } from '../domains/crew/crew.tsx'
import { useProject } from '../parts/use-project.ts'
import { AgentTasks } from './agent-tasks.tsx'

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
    />
  )
}
