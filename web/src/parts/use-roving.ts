import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * One stop of the Tab key in a list, however long: the row that had the focus last, else the first. From there arrows lead to the
 * others, and Tab to the buttons of that row. `row`: a selector.
 */
export function useRoving(list: RefObject<HTMLElement | null>, row: string): void {
  const stop = useRef<Element>(null)
  const place = () => {
    const rows = [...(list.current?.querySelectorAll(row) ?? [])]
    const chosen = rows.find(one => one === stop.current) ?? rows[0]
    for (const one of rows)
      for (const part of one.querySelectorAll<HTMLElement>('a, button')) part.tabIndex = one === chosen ? 0 : -1
  }
  const again = useRef(place)
  again.current = place
  // After each drawing: rows come and go.
  useLayoutEffect(place)
  useEffect(() => {
    // Of the page: the list may not be drawn yet.
    const onFocus = ({ target }: FocusEvent) => {
      const found = target instanceof Element ? target.closest(row) : null
      if (!found || found === stop.current || !list.current?.contains(found)) return
      stop.current = found
      again.current()
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [list, row])
}
