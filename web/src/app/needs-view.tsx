import { useRoute } from 'wouter'
import { useWorking } from '../domains/crew/queries.ts'
import { Needs } from '../domains/inbox/needs.tsx'
import { useProject } from '../parts/use-project.ts'
import { review } from './review.tsx'

export function NeedsView() {
  const [project] = useProject()
  const working = useWorking().data ?? 0
  const [, params] = useRoute('/needs/:item?')
  const item = params?.item
  const chosen = item === undefined ? undefined : decodeURIComponent(item)
  return <Needs chosen={chosen} project={project} working={working} review={review} />
}
