// Short words about what happened: of what failed, of what can be undone. They are said to screen readers, too.
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { createStore } from '../hub/store.ts'
import { AskedLately } from './asked-lately.tsx'
import { Button } from './button.tsx'
import { useStore } from './use-store.ts'
import { useWords } from './use-words.ts'

export type Notice = {
  kind: 'done' | 'failed'
  text: string
  detail?: string | undefined
  action?: { label: string; run: () => void } | undefined
}

type Shown = Notice & { id: number }

const SHOWN_MS = { done: 5000, failed: 15_000 }
const MOST = 3

const notices = createStore<readonly Shown[]>([])
let last = 0

export function notify(notice: Notice): void {
  const id = ++last
  notices.set(before => [...before.slice(1 - MOST), { ...notice, id }])
  setTimeout(() => drop(id), SHOWN_MS[notice.kind])
}

/** What is said at this moment, the newest last. */
export const shownNotices = (): readonly Notice[] => notices.get()

function drop(id: number): void {
  notices.set(before => before.filter(one => one.id !== id))
}

export function Notices() {
  const shown = useStore(notices)
  const words = useWords()
  return (
    <div className="pointer-events-none fixed right-4 bottom-12 z-50 flex w-[min(400px,calc(100vw-32px))] flex-col gap-2 max-md:bottom-20">
      <AskedLately className="anim-in pointer-events-auto rounded-lg border border-line bg-sheet px-3 py-2.5 shadow-lg" />
      {shown.map(({ id, kind, text, detail, action }) => {
        const Icon = kind === 'done' ? CircleCheck : CircleAlert
        return (
          <div
            key={id}
            role={kind === 'failed' ? 'alert' : 'status'}
            className="anim-in pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line bg-sheet py-2.5 pr-2 pl-3 shadow-lg"
          >
            <Icon
              size={16}
              aria-hidden="true"
              className={`mt-0.5 shrink-0 ${kind === 'done' ? 'text-matsu' : 'text-shu'}`}
            />
            <div className="min-w-0 flex-1">
              <p className="line-clamp-any font-medium">{text}</p>
              {detail !== undefined && <p className="line-clamp-any text-sm text-soft">{detail}</p>}
            </div>
            {action && (
              <Button
                small
                onClick={() => {
                  drop(id)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <Button small look="quiet" className="!px-1.5" aria-label={words.notice.close} onClick={() => drop(id)}>
              <X size={14} aria-hidden="true" />
            </Button>
          </div>
        )
      })}
    </div>
  )
}
