import { useAgents } from '../domains/projects/queries.ts'
import { Crew } from '../domains/crew/crew.tsx'
import { useProject } from '../parts/use-project.ts'
import { AgentTasks } from './agent-tasks.tsx'

export function CrewView() {
  const [project] = useProject()
  const agents = useAgents().data
  return <Crew project={project} agents={agents} tasksOf={id => <AgentTasks agentId={id} />} />
}
