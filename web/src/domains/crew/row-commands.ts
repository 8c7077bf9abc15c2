// The keys of a list of work: move, stop, repeat, log. They are about the row that has the focus.
import { useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import type { WorkView } from './work.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { stopWork } from '../../parts/interrupt.ts'
import { repeatRun, takeRun } from './actions.ts'
import { isOpen } from './model.ts'
import { hrefOf } from './queries.ts'
import { crewWords } from './words.ts'

export const ROWS = ':is([data-work], [data-crew])'

/** `acts`: false where the keys are about something else than a row. */
export function useRowCommands(work: readonly WorkView[], acts = true): void {
  const [, navigate] = useLocation()
  const now = useRef(work)
  now.current = work
  const commands = useMemo((): Command[] => {
    const current = () => {
      const id = document.activeElement?.closest<HTMLElement>('[data-work]')?.dataset['work']
      return now.current.find(one => one.id === id)
    }
    const step = (by: number) => () => {
      const rows = [...document.querySelectorAll<HTMLElement>(`[data-crew-body] ${ROWS}`)]
      const at = rows.findIndex(row => row.contains(document.activeElement))
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
      next?.querySelector('a')?.focus()
      next?.scrollIntoView({ block: 'nearest' })
    }
    const stop = () => {
      const row = current()
      if (row && row.kind !== 'tab' && isOpen(row)) void stopWork(row.id)
    }
    const repeat = async () => {
      const row = current()
      if (row?.kind !== 'run' || isOpen(row)) return
      const crew = await repeatRun(row.id)
      if (crew !== undefined) navigate(`/crews/${crew}`)
    }
    const take = async () => {
      const row = current()
      if (!row || row.kind === 'tab' || isOpen(row)) return
      const terminal = await takeRun(row.id)
      if (terminal !== undefined) navigate(terminal)
    }
    const log = () => {
      const row = current()
      if (row) navigate(hrefOf(row))
    }
    const title =
      (key: 'stop' | 'repeat' | 'log' | 'take'): Command['title'] =>
      w =>
        crewWords[w.code].keys[key]
    return [
      { id: 'crew.down', title: w => w.command.down, keys: ['j', 'ArrowDown'], run: step(1), onlyKeys: true },
      { id: 'crew.up', title: w => w.command.up, keys: ['k', 'ArrowUp'], run: step(-1), onlyKeys: true },
      { id: 'crew.log', title: title('log'), keys: ['o'], run: log, onlyKeys: true },
      ...(acts
        ? [
            { id: 'crew.stop', title: title('stop'), keys: ['s'], run: stop, onlyKeys: true },
            { id: 'crew.take', title: title('take'), keys: ['T'], run: () => void take(), onlyKeys: true },
            { id: 'crew.repeat', title: title('repeat'), keys: ['R'], run: () => void repeat(), onlyKeys: true },
          ]
        : []),
    ]
  }, [navigate, acts])
  useCommands(commands)
}
