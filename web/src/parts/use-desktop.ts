import { useSyncExternalStore } from 'react'

const desktop = window.matchMedia('(min-width: 768px)')
const wide = window.matchMedia('(min-width: 1280px)')

/** Room for more than one column. */
export const useDesktop = (): boolean => useMatch(desktop)

/** Room for a third one. */
export const useWide = (): boolean => useMatch(wide)

function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    listener => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
