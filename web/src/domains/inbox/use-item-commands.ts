// The keys of the item that is open.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { InboxItem } from '#contract/inbox.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { again, settle, stopTab } from './actions.ts'
import { stepWords } from './step-words.ts'

export function useItemCommands(item: InboxItem): void {
  const queries = useQueryClient()
  const now = useRef(item)
  now.current = item
  // Reported work and terminals have a command of their own for it.
  const hasOwnAnswer = item.kind === 'review' || item.kind === 'tab_waits'
  const commands = useMemo((): Command[] => {
    const press = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click()
    const answer: Command = {
      ...{ id: 'needs.answer', title: w => w.command.answer, keys: ['a'] },
      run: () => document.querySelector<HTMLElement>('[data-answer]')?.focus(),
    }
    return [
      ...(hasOwnAnswer ? [] : [answer]),
      { id: 'needs.snooze', title: w => stepWords[w.code].snooze, keys: ['z'], run: press('[data-snooze]') },
      {
        ...{ id: 'needs.again', title: w => stepWords[w.code].again, keys: ['R'] },
        run: () => void (now.current.kind === 'run_failed' && again(queries, now.current)),
      },
      {
        ...{ id: 'needs.terminal', title: w => stepWords[w.code].openTerminal, keys: ['t'] },
        run: press('[data-open-terminal]'),
      },
      {
        ...{ id: 'needs.stop', title: w => stepWords[w.code].stop, keys: ['s'] },
        run: () => void (now.current.kind === 'tab_waits' && stopTab(queries, now.current)),
      },
      {
        ...{ id: 'needs.settle', title: w => w.command.dismiss, keys: ['e'] },
        run: () => void settle(queries, now.current),
      },
    ]
  }, [queries, hasOwnAnswer])
  useCommands(commands)
}
