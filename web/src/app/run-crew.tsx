import { useLocation } from 'wouter'
import { RunCrew } from '../domains/crew/run-crew.tsx'
import { runCrew } from '../domains/crew/run-crew-store.ts'
import { useProjects } from '../domains/projects/project-list.ts'
import { TypedAhead } from '../parts/typed-ahead.tsx'
import { useStore } from '../parts/use-store.ts'

/** The dialog to run a crew, wherever one is. */
export function RunCrewDialog() {
  const wish = useStore(runCrew)
  const projects = useProjects().data
  const [, navigate] = useLocation()
  if (!wish) return null
  if (!projects) return <TypedAhead />
  const close = () => runCrew.set(undefined)
  const started = (crewId: string) => {
    close()
    navigate(`/crews/${crewId}`)
  }
  return <RunCrew wish={wish} projects={projects} close={close} started={started} />
}
