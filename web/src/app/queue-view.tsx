// Review and queue: the inbox knows what waits for a verdict, the thread the rest.
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { ofProject, useInbox } from '../domains/inbox/queries.ts'
import { useAgents } from '../domains/projects/queries.ts'
import { useProjects } from '../domains/projects/project-list.ts'
import { Queue } from '../domains/thread/queue.tsx'
import { useProject } from '../parts/use-project.ts'
import { decoded } from '../parts/decoded.ts'
import { later } from '../parts/later.tsx'

const ReviewPage = later(async () => (await import('../domains/thread/review-page.tsx')).ReviewPage)

export function QueueView() {
  const [path] = useLocation()
  const [project] = useProject()
  const inbox = useInbox().data
  const projects = useProjects().data
  const agents = useAgents().data
  const task = /^\/tasks\/([^/]+)\/review$/.exec(path)?.[1]
  const waiting = useMemo(
    () =>
      inbox &&
      ofProject(inbox, project).flatMap(({ kind, task_id, handle, title, agent_name, since }) =>
        kind === 'review' && task_id !== null ? [{ task_id, handle, title, who: agent_name, since }] : [],
      ),
    [inbox, project],
  )
  const agentName = (id: string) => agents?.get(id)?.name ?? id
  if (task !== undefined)
    return <ReviewPage key={task} taskId={decoded(task)} nameOf={agentName} engineOf={id => agents?.get(id)?.engine} />
  const nameOf = (id: string) => projects?.find(({ project_id }) => project_id === id)?.name ?? id
  return <Queue project={project} waiting={waiting} nameOf={nameOf} agentName={agentName} />
}
