import { Memory } from '../domains/memory/memory.tsx'
import { words as own } from '../domains/memory/words.ts'
import { useOwnWords } from '../parts/use-words.ts'
import { ProjectNeeded } from './project-needed.tsx'

export function MemoryView() {
  const words = useOwnWords(own)
  return (
    <ProjectNeeded title={words.pickTitle} hint={words.pickHint}>
      {project => <Memory key={project} project={project} />}
    </ProjectNeeded>
  )
}
