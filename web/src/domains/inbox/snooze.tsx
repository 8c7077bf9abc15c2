import { useQueryClient } from '@tanstack/react-query'
import { AlarmClock } from 'lucide-react'
import { useId, useRef } from 'react'
import type { InboxItem } from '#contract/inbox.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { snooze } from './actions.ts'
import { stepWords } from './step-words.ts'

/** Away for now. It is back when its time has come, or earlier when something about it changes. */
export function Snooze({ item }: { item: InboxItem }) {
  const words = useOwnWords(stepWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  const choose = (until: () => Date | undefined) => () => {
    menu.current?.hidePopover()
    void snooze(queries, item, until())
  }
  return (
    <>
      <Button look="quiet" disabled={cutOff !== undefined} title={cutOff} popoverTarget={id} data-snooze>
        <AlarmClock size={16} aria-hidden="true" /> {words.snooze} <KeyHint keys="z" />
      </Button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        aria-label={words.snooze}
        // Opened by a key, the focus is still on the list.
        onToggle={event => event.newState === 'open' && menu.current?.querySelector('button')?.focus()}
        className="m-auto w-64 rounded-xl border border-line bg-sheet p-2 text-ink shadow-lg"
      >
        <div className="flex flex-col">
          <Choice label={words.hour} run={choose(() => new Date(Date.now() + 3_600_000))} />
          <Choice label={words.tomorrow} run={choose(tomorrow)} />
          <Choice label={words.change} run={choose(() => undefined)} />
        </div>
      </div>
    </>
  )
}

function Choice({ label, run }: { label: string; run: () => void }) {
  return (
    <Button look="quiet" className="!justify-start" onClick={run}>
      {label}
    </Button>
  )
}

function tomorrow(): Date {
  const morning = new Date()
  morning.setDate(morning.getDate() + 1)
  morning.setHours(9, 0, 0, 0)
  return morning
}
