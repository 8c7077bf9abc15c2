// The projects, for the frame of the page: apart from what only views of tasks ask for, which loads with them.
import { useQuery } from '@tanstack/react-query'
import type { ProjectView } from '#contract/views.ts'
import { call } from '../../hub/call.ts'

export const PROJECTS_KEY = ['projects'] as const
const PAGE = 200

const projects = { queryKey: PROJECTS_KEY, queryFn: ({ signal }: { signal: AbortSignal }) => loadProjects(signal) }
const onlyActive = (all: readonly ProjectView[]) => all.filter(({ status }) => status === 'active')
export const useProjects = () => useQuery({ ...projects, select: onlyActive })
/** With the archived ones. */
export const useAllProjects = () => useQuery(projects)

async function loadProjects(signal: AbortSignal): Promise<ProjectView[]> {
  const projects: ProjectView[] = []
  let cursor: string | undefined
  do {
    const { value } = await call('project.list', { limit: PAGE, ...(cursor && { cursor }) }, { signal })
    projects.push(...value.projects)
    cursor = value.next_cursor
  } while (cursor !== undefined)
  return projects
}
