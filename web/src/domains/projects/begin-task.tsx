import { Plus } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { useWords } from '../../parts/use-words.ts'
import { create } from './new-task-store.ts'

/** The way on where nothing is to be done. */
export function BeginTask({ project }: { project: string | null }) {
  const words = useWords()
  const cutOff = useCutOff()
  return (
    <Button
      look="main"
      disabled={cutOff !== undefined}
      title={cutOff}
      onClick={() => create.set({ title: '', project })}
      data-begin-task
    >
      <Plus size={16} aria-hidden="true" />
      {words.board.newTask}
    </Button>
  )
}
