import { lazy, Suspense } from 'react'
import { useRoute } from 'wouter'
import { useWorking } from '../domains/crew/queries.ts'
import { StartDemo } from '../domains/demo/start-demo.tsx'
import { Needs } from '../domains/inbox/needs.tsx'
import { useProjects } from '../domains/projects/queries.ts'
import { useProject } from '../parts/use-project.ts'
import { helpers } from './needs-helpers.tsx'
import { review } from './review.tsx'
import { waitingTab } from './waiting-tab.tsx'

const AnsweredToday = lazy(async () => ({ default: (await import('./answered-today.tsx')).AnsweredToday }))

export function NeedsView() {
  const [project] = useProject()
  const working = useWorking().data ?? 0
  const [, params] = useRoute('/needs/:item?')
  const item = params?.item
  const chosen = item === undefined ? undefined : decodeURIComponent(item)
  const isNew = useProjects().data?.length === 0
  const empty = isNew ? <StartDemo /> : undefined
  return (
    <Needs
      {...{ chosen, project, working, empty, review, helpers }}
      terminal={waitingTab}
      answered={
        <Suspense>
          <AnsweredToday />
        </Suspense>
      }
    />
  )
}
