import { Suspense } from 'react'
import { useRoute } from 'wouter'
import { AtWork } from '../domains/crew/at-work.tsx'
import { useWorking } from '../domains/crew/working.ts'
import { Needs } from '../domains/inbox/needs.tsx'
import { BeginProject } from '../domains/projects/begin-project.tsx'
import { BeginTask } from '../domains/projects/begin-task.tsx'
import { useProjects } from '../domains/projects/project-list.ts'
import { useStatus } from '../domains/status/queries.ts'
import { useProject } from '../parts/use-project.ts'
import { useWords } from '../parts/use-words.ts'
import { fittingDecisions } from './fitting-decisions.tsx'
import { helpers } from './needs-helpers.tsx'
import { changedSince, checkLog, review } from './review.tsx'
import { waitingTab } from './waiting-tab.tsx'
import { decoded } from '../parts/decoded.ts'
import { later } from '../parts/later.tsx'

const StartDemo = later(async () => (await import('./demo.tsx')).DemoStart)
const AnsweredToday = later(async () => (await import('./answered-today.tsx')).AnsweredToday)

export function NeedsView() {
  const [project] = useProject()
  const words = useWords()
  const isGuided = useStatus().data?.demo
  const work = (useWorking().data ?? []).filter(({ project_id }) => project === null || project_id === project)
  const [, params] = useRoute('/needs/:item?')
  const item = params?.item
  const chosen = item === undefined ? undefined : decoded(item)
  const isNew = useProjects().data?.length === 0
  const empty = isNew ? (
    <Suspense>
      <StartDemo />
    </Suspense>
  ) : undefined
  return (
    <Needs
      {...{ chosen, project, working: work.length, isGuided, empty, review, checkLog, changedSince, helpers }}
      first={isNew ? <BeginProject /> : <BeginTask project={project} />}
      cli={isNew ? words.board.noProjectCli : words.board.cli}
      atWork={<AtWork work={work} label={words.bottom.running(work.length)} />}
      terminal={waitingTab}
      decisions={fittingDecisions}
      answered={
        <Suspense>
          <AnsweredToday />
        </Suspense>
      }
    />
  )
}
