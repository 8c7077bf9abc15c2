import { type ReactNode, Suspense, useLayoutEffect } from 'react'

/** Enter, ArrowUp, F5. A letter may be more than one unit of its text. */
const NAMED = /^[A-Z][A-Za-z0-9]+$/

let kept = ''
/** One may follow another: of the code, then of the data. */
let waiting = 0

/**
 * Stands where a form is still being loaded. People go on typing once they have pressed its key: what they type is not taken for keys
 * of the view, and is in the form's first field when it comes.
 */
export function TypedAhead() {
  useLayoutEffect(() => {
    waiting++
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || key === 'Escape') return
      if (!NAMED.test(key)) kept += key
      if (key === 'Backspace') kept = kept.slice(0, -1)
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', keep, true)
    return () => {
      document.removeEventListener('keydown', keep, true)
      waiting--
      // Of a form that never came, nothing is left for the next one.
      setTimeout(() => {
        if (waiting === 0) kept = ''
      })
    }
  }, [])
  return null
}

/** What is opened by a key, and may have to be loaded for it. */
export function Opened({ children }: { children: ReactNode }) {
  return <Suspense fallback={<TypedAhead />}>{children}</Suspense>
}

/** Puts what was typed ahead into the field that has the focus now. */
export function takeTyped(field: Element | null): void {
  const typed = kept
  kept = ''
  if (typed === '' || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  field.setRangeText(typed, field.value.length, field.value.length, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
