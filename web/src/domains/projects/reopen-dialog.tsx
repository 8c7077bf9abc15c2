import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useStore } from '../../parts/use-store.ts'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { boardWords } from './board-words.ts'
import { moveNow, reopening } from './moving.ts'

/** What opening a task again takes away is said before, since nothing brings it back. */
export function ReopenDialog() {
  const words = useWords()
  const { reopen } = useOwnWords(boardWords)
  const queries = useQueryClient()
  const wish = useStore(reopening)
  if (!wish) return null
  const { id, handle, stage, to } = wish
  const close = () => reopening.set(undefined)
  const yes = () => {
    close()
    void moveNow(queries, id, to)
  }
  return (
    <Dialog label={reopen.title(handle)} close={close} closeLabel={reopen.no}>
      <div className="flex flex-col gap-4 p-5">
        <h2 className="pr-8 text-lg font-semibold">{reopen.title(handle)}</h2>
        <p>{reopen[stage]}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close} data-autofocus>
            {reopen.no}
          </Button>
          <Button look="main" onClick={yes}>
            {reopen.yes(words.status[to])}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
