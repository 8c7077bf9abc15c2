import { useSyncExternalStore } from 'react'

const wide = window.matchMedia('(min-width: 768px)')

/** Room for more than one column. */
export function useDesktop(): boolean {
  return useSyncExternalStore(
    listener => {
      wide.addEventListener('change', listener)
      return () => wide.removeEventListener('change', listener)
    },
    () => wide.matches,
  )
}
