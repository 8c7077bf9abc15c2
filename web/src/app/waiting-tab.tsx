// The live screen of a tab that waits, for Needs you: domains do not import each other.
import { lazy, Suspense } from 'react'
import type { InboxItem } from '#contract/inbox.ts'
import { Bars } from '../parts/bars.tsx'

const WaitingTab = lazy(async () => ({ default: (await import('../domains/tabs/waiting-tab.tsx')).WaitingTab }))

export const waitingTab = ({ tab_id, title, detail }: InboxItem) =>
  tab_id !== null && (
    <Suspense fallback={<Bars count={1} height={320} />}>
      <WaitingTab key={tab_id} tabId={tab_id} branch={title} lastLines={detail} />
    </Suspense>
  )
