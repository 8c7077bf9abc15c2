import { Suspense } from 'react'
import { asked } from '../hub/call.ts'
import { useStore } from './use-store.ts'
import { later } from './later.tsx'
import { Otherwise } from './otherwise.tsx'

const Asked = later(async () => (await import('./asked.tsx')).Asked)

/** What is under way, where there is something: what draws it is loaded then. */
export function AskedLately({ className }: { className: string }) {
  if (useStore(asked).length === 0) return null
  return (
    <Otherwise shown={null}>
      <Suspense>
        <Asked className={className} />
      </Suspense>
    </Otherwise>
  )
}
