import { lazy, Suspense } from 'react'
import { asked } from '../hub/call.ts'
import { useStore } from './use-store.ts'

const Asked = lazy(async () => ({ default: (await import('./asked.tsx')).Asked }))

/** What is under way, where there is something: what draws it is loaded then. */
export function AskedLately({ className }: { className: string }) {
  if (useStore(asked).length === 0) return null
  return (
    <Suspense>
      <Asked className={className} />
    </Suspense>
  )
}
