// The review of a task, for views of other domains: none imports another.
import { Suspense } from 'react'
import { Bars } from '../parts/bars.tsx'
import { later } from '../parts/later.tsx'

const ReviewPanel = later(async () => (await import('../domains/thread/review-panel.tsx')).ReviewPanel)

const EvidenceLog = later(async () => (await import('../domains/thread/evidence-log.tsx')).EvidenceLog)

const ChangedSinceReport = later(async () => (await import('../domains/thread/changed-since.tsx')).ChangedSinceReport)

export const changedSince = (taskId: string) => (
  <Suspense>
    <ChangedSinceReport key={taskId} taskId={taskId} />
  </Suspense>
)

export const checkLog = (evidence: { evidence_id: string; check: string }) => (
  <Suspense>
    <EvidenceLog evidence={evidence} />
  </Suspense>
)

export const review = (taskId: string) => (
  <Suspense fallback={<Bars count={3} height={48} />}>
    <ReviewPanel key={taskId} taskId={taskId} />
  </Suspense>
)
