import { z } from 'zod'
import { ProjectId } from '#contract/id-types.ts'
import { ProjectView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Projects } from '../projects.ts'
import { projectView } from '../views.ts'

export default tool({
  name: 'get_project',
  toolset: 'projects',
  title: 'Get a project',
  description: 'Get a project with its directory and agents.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ project_id: ProjectId }),
  output: z.object({ ...success, project: ProjectView.extend({ agents: z.array(z.string()) }) }),
  async run({ projects }: { projects: Projects }, input) {
    const project = await projects.get(input.project_id)
    return { ...SUCCESS, project: { ...projectView(project), agents: await projects.agentsOf(project.id) } }
  },
})
