import { z } from 'zod'
import { ProjectView } from '#contract/views.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Projects } from '../projects.ts'
import { projectView } from '../views.ts'

export default tool({
  name: 'list_projects',
  toolset: 'projects',
  title: 'List projects',
  description: 'List the projects.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object(pageInput()),
  output: z.object({ ...success, projects: z.array(ProjectView), ...pageOutput }),
  async run({ projects }: { projects: Projects }, input) {
    const limit = limitOf(input.limit)
    const rows = await projects.list(readCursor(input.cursor, z.int()) ?? 0, limit + 1)
    const { items, ...page } = pageOf(rows, limit, projectView, project => project.number)
    return { ...SUCCESS, projects: items, ...page }
  },
})
