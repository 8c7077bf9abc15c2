// The live screen of a tab that waits, for Needs you: domains do not import each other.
import { Suspense } from 'react'
import type { InboxItem } from '#contract/inbox.ts'
import { Bars } from '../parts/bars.tsx'
import { later } from '../parts/later.tsx'

const WaitingScreen = later(async () => (await import('./waiting-screen.tsx')).WaitingScreen)

export const waitingTab = (item: InboxItem) =>
  item.tab_id !== null && (
    <Suspense fallback={<Bars count={1} height={320} />}>
      <WaitingScreen key={item.tab_id} tabId={item.tab_id} item={item} />
    </Suspense>
  )
