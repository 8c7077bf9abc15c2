import { z } from 'zod'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Runners } from '../ports.ts'
import type { Projects } from '../projects.ts'

export default tool({
  name: 'list_active_projects_with_agents',
  toolset: 'runner',
  title: 'List projects to serve',
  description: 'List active projects with the agents assigned to each.',
  effect: 'read',
  callers: ['operator', 'runner'],
  input: z.object(pageInput(200)),
  output: z.object({
    ...success,
    projects: z.array(
      z.object({
        project_id: z.string(),
        project_name: z.string(),
        working_directory: z.string().nullable(),
        agents: z.array(z.string()),
      }),
    ),
    ...pageOutput,
  }),
  async run({ projects, runners }: { projects: Projects; runners: Runners }, input, { caller }) {
    const limit = limitOf(input.limit, 200)
    const rows = await projects.listStartable(readCursor(input.cursor, z.int()) ?? 0, limit + 1)
    const { items, ...page } = pageOf(
      rows,
      limit,
      ({ project, agents }) => ({
        project_id: project.id,
        project_name: project.name,
        working_directory: project.directory,
        agents,
      }),
      ({ project }) => project.number,
    )
    return { ...SUCCESS, projects: await runners.offered(items, caller), ...page }
  },
})
