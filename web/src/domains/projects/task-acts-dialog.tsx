import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { acting, doAct } from './task-acts.ts'
import { taskActsWords } from './task-acts-words.ts'

/** What follows is said before it is done. */
export function TaskActsDialog() {
  const own = useOwnWords(taskActsWords)
  const queries = useQueryClient()
  const wish = useStore(acting)
  if (!wish) return null
  const { act, tasks } = wish
  const close = () => acting.set(undefined)
  const yes = () => {
    close()
    void doAct(queries, wish)
  }
  const title = own[act].title(tasks.length === 1 ? (tasks[0]?.handle ?? '') : own.many(tasks.length))
  return (
    <Dialog label={title} close={close} closeLabel={own.no}>
      <div className="flex flex-col gap-4 p-5" data-task-act={act}>
        <h2 className="pr-8 text-lg font-semibold">{title}</h2>
        <p>
          <Markdown text={own[act].text} />
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close} data-autofocus>
            {own.no}
          </Button>
          <Button look={act === 'delete' ? 'danger' : 'main'} onClick={yes}>
            {own[act].yes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
