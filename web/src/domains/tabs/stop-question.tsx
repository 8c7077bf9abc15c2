import type { TabRecord } from '#contract/records.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { stop } from './actions.ts'
import { words as own } from './words.ts'

export function StopQuestion({ tab, close }: { tab: TabRecord; close: () => void }) {
  const words = useOwnWords(own)
  return (
    <Dialog label={words.stop.title(tab.branch)} closeLabel={words.stop.no} close={close}>
      <div className="flex flex-col gap-3 p-5">
        <h2 className="line-clamp-any pr-8 text-lg font-semibold">{words.stop.title(tab.branch)}</h2>
        <p className="text-soft">{words.stop.hint}</p>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button look="quiet" data-autofocus onClick={close}>
            {words.stop.no}
          </Button>
          <Button
            look="danger"
            onClick={() => {
              close()
              void stop(tab)
            }}
          >
            {words.stop.yes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
