import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useWords } from '../../parts/use-words.ts'
import { headline } from './item-words.tsx'
import { fresh, notifyOutside } from './notices.ts'
import type { Inbox } from './queries.ts'

/** `items`: undefined before the first answer, which is no news. */
export function useNotices(items: Inbox | undefined): void {
  const words = useWords()
  const [, navigate] = useLocation()
  const known = useRef<Set<string>>(undefined)
  useEffect(() => {
    if (!items) return
    const notices = items
      .filter(({ quiet }) => !quiet)
      .map(item => ({
        id: item.item_id,
        title: headline(item, words),
        body: item.detail ?? item.title,
      }))
    for (const notice of fresh(notices, known.current ?? new Set(notices.map(({ id }) => id))))
      notifyOutside(notice, () => navigate(`/needs/${encodeURIComponent(notice.id)}`))
    known.current = new Set(notices.map(({ id }) => id))
  }, [items, words, navigate])
}
