// An action, as palette, keys and help know it. Views add theirs while they are shown.
import { useEffect } from 'react'
import { createStore } from '../hub/store.ts'
import type { Words } from '../words/en.ts'

export type Command = {
  id: string
  title: (words: Words) => string
  /** `g b`, `mod+k`, `Shift+ArrowDown`. The first is shown. */
  keys?: readonly string[]
  run: () => void
  /** Left out of the palette: moving about makes no sense there. */
  onlyKeys?: boolean
  /** One row in the help for all that have the same, with their first and last key: `1 … 6`. */
  row?: (words: Words) => string
  /** Its key also works while a dialog is open, in which it is offered. */
  inDialog?: boolean
}

export const viewCommands = createStore<readonly Command[]>([])

/** While this view is shown. `commands` must be stable. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    viewCommands.set(before => [...before, ...commands])
    return () => viewCommands.set(before => before.filter(command => !commands.includes(command)))
  }, [commands])
}
