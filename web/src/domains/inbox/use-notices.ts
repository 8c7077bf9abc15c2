import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { announce, announceNow } from '../../parts/announcer.tsx'
import { useWords } from '../../parts/use-words.ts'
import { headline } from './item-words.tsx'
import { groupOf } from './model.ts'
import { fresh, notifyOutside } from './notices.ts'
import type { Inbox } from './queries.ts'

/** Outside of a hidden page, and aloud. `items`: undefined before the first answer, which is no news. */
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
        isUrgent: ['questions', 'failures'].includes(groupOf(item)),
      }))
    for (const notice of fresh(notices, known.current ?? new Set(notices.map(({ id }) => id)))) {
      notifyOutside(notice, () => navigate(`/needs/${encodeURIComponent(notice.id)}`))
      if (notice.isUrgent) announceNow(notice.title)
      else announce(notice.title)
    }
    known.current = new Set(notices.map(({ id }) => id))
  }, [items, words, navigate])
}
