import { Phases } from '../domains/phases/phases.tsx'
import { words as own } from '../domains/phases/words.ts'
import { useOwnWords } from '../parts/use-words.ts'
import { ProjectNeeded } from './project-needed.tsx'

export function PhasesView() {
  const words = useOwnWords(own)
  return (
    <ProjectNeeded title={words.pickTitle} hint={words.pickHint}>
      {project => <Phases key={project} project={project} />}
    </ProjectNeeded>
  )
}
