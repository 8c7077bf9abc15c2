import { createStore } from '../hub/store.ts'
import { useStore } from './use-store.ts'

const EVERY_MS = 2000
const said = createStore('')
const urgent = createStore('')
let lastAt = 0

/** Says what happened to screen readers; at most one in two seconds, the others are left out. */
export function announce(text: string): void {
  if (Date.now() - lastAt < EVERY_MS) return
  lastAt = Date.now()
  said.set(text)
}

/** A question or a failure: said at once, whatever is being read. */
export function announceNow(text: string): void {
  urgent.set(text)
}

export function Announcer() {
  return (
    <>
      <div role="status" aria-live="polite" data-said className="sr-only">
        {useStore(said)}
      </div>
      <div role="alert" aria-live="assertive" data-said-now className="sr-only">
        {useStore(urgent)}
      </div>
    </>
  )
}
