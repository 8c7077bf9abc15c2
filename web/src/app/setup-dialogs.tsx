import { useLocation } from 'wouter'
import { AddAgent } from '../domains/projects/add-agent.tsx'
import { AddProject } from '../domains/projects/add-project.tsx'
import { addingAgent, addingProject } from '../domains/projects/setup-store.ts'
import { useStore } from '../parts/use-store.ts'

/** The dialogs that begin a project and an agent, wherever one is. */
export function SetupDialogs() {
  const [, navigate] = useLocation()
  const isProject = useStore(addingProject)
  const isAgent = useStore(addingAgent) !== undefined
  return (
    <>
      {isProject && <AddProject added={id => navigate(`/board?project=${encodeURIComponent(id)}`)} />}
      {isAgent && <AddAgent />}
    </>
  )
}
