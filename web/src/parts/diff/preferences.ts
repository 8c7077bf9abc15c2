// How a person reads diffs: the layout is in the address, so that it can be sent on; wrapping is remembered here.
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { createStore, type Store } from '../../hub/store.ts'
import { useDesktop } from '../use-desktop.ts'
import type { Shape } from './rows.ts'
import { local } from '../../hub/kept.ts'

const KEY = 'toryo.diff.wrap'

/** One value of the address; undefined removes it. */
export function useQueryValue(name: string): [string | undefined, (value: string | undefined) => void] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const set = (value: string | undefined) => {
    const query = new URLSearchParams(search)
    if (value === undefined) query.delete(name)
    else query.set(name, value)
    const text = query.toString()
    navigate(text === '' ? path : `${path}?${text}`, { replace: true })
  }
  return [new URLSearchParams(search).get(name) ?? undefined, set]
}

export function useShape(): { shape: Shape; choose: (shape: Shape) => void; switchShape: () => void } {
  const [view, set] = useQueryValue('view')
  // A phone has no room for two columns of code.
  const shape = useDesktop() && view === 'split' ? ('split' as const) : ('unified' as const)
  const choose = (next: Shape) => set(next === 'split' ? 'split' : undefined)
  return { shape, choose, switchShape: () => choose(shape === 'split' ? 'unified' : 'split') }
}

export function useWrap(): [boolean, (wraps: boolean) => void] {
  const [wraps, set] = useState(() => local.getItem(KEY) !== 'off')
  return [
    wraps,
    next => {
      local.setItem(KEY, next ? 'on' : 'off')
      set(next)
    },
  ]
}

/** Whether the words that are new in a line are marked, and whether lines that differ in blanks alone count as changed. */
export const wordMarking = remembered('toryo.diff.words', true)
export const blanksCount = remembered('toryo.diff.blanks', true)

function remembered(key: string, initial: boolean): Store<boolean> {
  const kept = local.getItem(key)
  const store = createStore(kept === null ? initial : kept === 'on')
  return {
    ...store,
    set: next => {
      store.set(next)
      local.setItem(key, store.get() ? 'on' : 'off')
    },
  }
}
