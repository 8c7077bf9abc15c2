// How long something has been going on, to the second, while it is looked at.
import { useSyncExternalStore } from 'react'
import { useWords } from '../../parts/use-words.ts'
import { durationText } from './model.ts'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    if (document.visibilityState !== 'visible') return
    for (const one of listeners) one()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The same for all that asks within it. */
const second = () => Math.floor(Date.now() / 1000) * 1000

/** The moment, once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, second)
}

export function Elapsed({ from, to }: { from: string; to: string | null }) {
  return to === null ? <Going from={from} /> : <Took ms={Date.parse(to) - Date.parse(from)} />
}

function Going({ from }: { from: string }) {
  return <Took ms={useNow() - Date.parse(from)} />
}

function Took({ ms }: { ms: number }) {
  const { code } = useWords()
  return <span className="tabular-nums whitespace-nowrap">{durationText(ms, code)}</span>
}
