// The keys of the view. In a terminal every key is its program's: these work after it was left with Ctrl+\.
import { useMemo, useRef } from 'react'
import { type Command, useCommands } from '../../parts/command.ts'
import type { Words } from '../../words/en.ts'
import { type Layout, LAYOUTS } from './model.ts'
import { words } from './words.ts'
import { local } from '../../hub/kept.ts'

type Actions = {
  tiles: readonly string[]
  /** The terminal before or after this one, which is put there if it has no place. */
  step: (by: 1 | -1) => void
  setLayout: (layout: Layout) => void
  launch: () => void
  broadcast: () => void
  messages: () => void
  stop: (id: string) => void
  /** The tile that has the focus, by one place. */
  move: (by: 1 | -1) => void
}

export function useTerminalCommands(actions: Actions): void {
  const now = useRef(actions)
  now.current = actions
  const commands = useMemo((): Command[] => {
    const said = (w: Words) => words[w.code].command
    /** In a terminal its own key handler does it; from anywhere else it leads to the first tile. */
    const leave = () => focusTile(tileInFocus() ?? now.current.tiles[0], false)
    const focusRow = (w: Words) => said(w).focusOne
    return [
      ...Array.from({ length: 9 }, (_, index) => ({
        ...{ id: `terminals.focus.${index + 1}`, keys: [String(index + 1)], onlyKeys: true },
        title: (w: Words) => said(w).focus(index + 1),
        row: focusRow,
        run: () => focusTile(now.current.tiles[index], true),
      })),
      {
        id: 'terminals.next',
        title: w => w.command.nextItem,
        keys: [']'],
        run: () => now.current.step(1),
        onlyKeys: true,
      },
      {
        id: 'terminals.previous',
        title: w => w.command.previousItem,
        keys: ['['],
        run: () => now.current.step(-1),
        onlyKeys: true,
      },
      { id: 'terminals.leave', title: w => said(w).leave, keys: ['mod+\\'], run: leave, onlyKeys: true },
      {
        ...{ id: 'terminals.moveBack', title: w => said(w).moveBack, keys: ['Shift+ArrowLeft', 'Shift+ArrowUp'] },
        ...{ run: () => now.current.move(-1), onlyKeys: true },
      },
      {
        ...{ id: 'terminals.moveOn', title: w => said(w).moveOn, keys: ['Shift+ArrowRight', 'Shift+ArrowDown'] },
        ...{ run: () => now.current.move(1), onlyKeys: true },
      },
      ...LAYOUTS.map(layout => ({
        id: `terminals.layout.${layout}`,
        title: (w: Words) => said(w).layout(words[w.code].layouts[layout]),
        run: () => now.current.setLayout(layout),
      })),
      { id: 'terminals.broadcast', title: w => said(w).broadcast, keys: ['b'], run: () => now.current.broadcast() },
      { id: 'terminals.messages', title: w => said(w).messages, keys: ['m'], run: () => now.current.messages() },
      {
        id: 'terminals.stop',
        title: w => said(w).stop,
        keys: ['S'],
        run: () => {
          const id = tileInFocus() ?? (now.current.tiles.length === 1 ? now.current.tiles[0] : undefined)
          if (id !== undefined) now.current.stop(id)
        },
      },
      { id: 'terminals.reader', title: w => said(w).reader, run: () => void toggleReader() },
    ]
  }, [])
  useCommands(commands)
}

export function tileInFocus(): string | undefined {
  const tile = document.activeElement?.closest('[data-tab]')
  return tile instanceof HTMLElement ? tile.dataset['tab'] : undefined
}

/** By the clock: how long a frame takes differs from machine to machine. */
const DRAWN_MS = 10_000

/** Into the terminal itself, or on its tile. It may have to be drawn first. */
export function focusTile(id: string | undefined, isInside: boolean, until = performance.now() + DRAWN_MS): void {
  if (id === undefined) return
  const tile = document.querySelector(`[data-tab="${CSS.escape(id)}"]`)
  const inside = tile?.querySelector('.xterm-helper-textarea')
  const target = isInside ? inside : tile
  if (target instanceof HTMLElement) return target.focus()
  if (performance.now() < until) requestAnimationFrame(() => focusTile(id, isInside, until))
  else if (tile instanceof HTMLElement) tile.focus()
}

async function toggleReader(): Promise<void> {
  const { readerMode } = await import('./terminal-screen.ts')
  readerMode.set(before => !before)
  local.setItem('toryo.terminal.reader', readerMode.get() ? 'on' : 'off')
}
