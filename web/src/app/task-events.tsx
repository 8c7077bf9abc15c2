// What happened to a task, for its sheet: none of the domains imports another.
import { Suspense } from 'react'
import { Bars } from '../parts/bars.tsx'
import { later } from '../parts/later.tsx'

const TaskEvents = later(async () => (await import('../domains/activity/task-events.tsx')).TaskEvents)

export const taskEvents = (taskId: string, version: string) => (
  <Suspense fallback={<Bars count={3} height={20} />}>
    <TaskEvents taskId={taskId} version={version} />
  </Suspense>
)
