import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { InboxItem } from '#contract/inbox.ts'

const FOLD_MS = 160

type Gone = { item: InboxItem; index: number }

/** The items as rows; one that was dealt with stays for a moment, to be seen leaving. `list`: another list folds nothing. */
export function useFolding(items: readonly InboxItem[], list: string): { item: InboxItem; isLeaving: boolean }[] {
  const before = useRef({ items, list })
  const [gone, setGone] = useState<readonly Gone[]>([])
  useLayoutEffect(() => {
    const { items: known, list: same } = before.current
    before.current = { items, list }
    if (same !== list || matchMedia('(prefers-reduced-motion: reduce)').matches) return setGone([])
    const ids = new Set(items.map(({ item_id }) => item_id))
    const left = known.map((item, index) => ({ item, index })).filter(({ item }) => !ids.has(item.item_id))
    if (left.length > 0) setGone(left)
  }, [items, list])
  useEffect(() => {
    if (gone.length === 0) return undefined
    const timer = setTimeout(() => setGone([]), FOLD_MS)
    return () => clearTimeout(timer)
  }, [gone])
  const rows = items.map(item => ({ item, isLeaving: false }))
  for (const { item, index } of gone)
    if (!items.some(({ item_id }) => item_id === item.item_id)) rows.splice(index, 0, { item, isLeaving: true })
  return rows
}
