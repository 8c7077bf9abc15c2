import { useRoute } from 'wouter'
import { Needs } from '../domains/inbox/needs.tsx'
import { useStatus } from '../domains/status/queries.ts'
import { useProject } from '../parts/use-project.ts'
import { review } from './review.tsx'
import { waitingTab } from './waiting-tab.tsx'

export function NeedsView() {
  const [project] = useProject()
  const working = useStatus().data?.instances ?? 0
  const [, params] = useRoute('/needs/:item?')
  const item = params?.item
  const chosen = item === undefined ? undefined : decodeURIComponent(item)
  return <Needs chosen={chosen} project={project} working={working} review={review} terminal={waitingTab} />
}
