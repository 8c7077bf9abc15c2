// What this browser keeps for the page. Where it keeps nothing, because its storage is blocked or full, the page does, until it is closed.

export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { keys(): string[] }

/** For all tabs of this browser. */
export const local = keeper(() => localStorage)
/** For this tab alone: what is being written. */
export const session = keeper(() => sessionStorage)

export function keeper(storage: () => Storage): Kept {
  /** What the browser refused. */
  const own = new Map<string, string>()
  const attempt = <T>(act: (there: Storage) => T): T | undefined => {
    try {
      return act(storage())
    } catch {
      return undefined // Blocked, or full.
    }
  }
  return {
    getItem: key => own.get(key) ?? attempt(there => there.getItem(key)) ?? null,
    setItem: (key, value) => {
      own.set(key, value)
      attempt(there => {
        there.setItem(key, value)
        own.delete(key)
      })
      // An older value must not come back after a reload.
      if (own.has(key)) attempt(there => there.removeItem(key))
    },
    removeItem: key => {
      own.delete(key)
      attempt(there => there.removeItem(key))
    },
    keys: () => [...new Set([...own.keys(), ...(attempt(there => Object.keys(there)) ?? [])])],
  }
}
