import { createStore } from '../hub/store.ts'
import { useStore } from './use-store.ts'

const EVERY_MS = 2000
const said = createStore('')
let lastAt = 0

/** Says a move of another to screen readers; at most one in two seconds, the others are left out. */
export function announce(text: string): void {
  if (Date.now() - lastAt < EVERY_MS) return
  lastAt = Date.now()
  said.set(text)
}

export function Announcer() {
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {useStore(said)}
    </div>
  )
}
