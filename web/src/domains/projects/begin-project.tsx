import { FolderPlus } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { ADD_PROJECT, addingProject } from './setup-store.ts'

/** The way on where nothing can be shown without a project. */
export function BeginProject() {
  const text = useOwnWords(ADD_PROJECT)
  const cutOff = useCutOff()
  return (
    <Button look="main" disabled={cutOff !== undefined} title={cutOff} onClick={() => addingProject.set(true)}>
      <FolderPlus size={16} aria-hidden="true" /> {text}
    </Button>
  )
}
