import { lazy, Suspense } from 'react'
import { useRoute } from 'wouter'
import { AtWork } from '../domains/crew/at-work.tsx'
import { useWorking } from '../domains/crew/queries.ts'
import { Needs } from '../domains/inbox/needs.tsx'
import { useProjects } from '../domains/projects/queries.ts'
import { useProject } from '../parts/use-project.ts'
import { useWords } from '../parts/use-words.ts'
import { helpers } from './needs-helpers.tsx'
import { review } from './review.tsx'
import { waitingTab } from './waiting-tab.tsx'

const StartDemo = lazy(async () => ({ default: (await import('../domains/demo/start-demo.tsx')).StartDemo }))
const AnsweredToday = lazy(async () => ({ default: (await import('./answered-today.tsx')).AnsweredToday }))

export function NeedsView() {
  const [project] = useProject()
  const words = useWords()
  const work = useWorking().data ?? []
  const [, params] = useRoute('/needs/:item?')
  const item = params?.item
  const chosen = item === undefined ? undefined : decodeURIComponent(item)
  const isNew = useProjects().data?.length === 0
  const empty = isNew ? (
    <Suspense>
      <StartDemo />
    </Suspense>
  ) : undefined
  return (
    <Needs
      {...{ chosen, project, working: work.length, empty, review, helpers }}
      atWork={<AtWork work={work} label={words.bottom.running(work.length)} />}
      terminal={waitingTab}
      answered={
        <Suspense>
          <AnsweredToday />
        </Suspense>
      }
    />
  )
}
