import { z } from 'zod'
import { AsanaUrl } from '#contract/projects.ts'
import { tool } from '#kernel/tool.ts'
import { optionalText } from '../fields.ts'
import type { Memory } from '../service.ts'
import { projectFields } from '../views.ts'

export default tool({
  name: 'add-project',
  toolset: 'memory',
  title: 'Add a project',
  description: 'Add a project to remember things for. Its name must not be taken.',
  effect: 'write',
  callers: ['operator'],
  input: z.object({
    name: z.string().trim().min(1, 'must not be empty').max(200).describe('Name, unique among all projects'),
    description: optionalText('What the project is about'),
    asana_url: AsanaUrl.nullish().describe('Address of the project in Asana (default: none)'),
  }),
  output: z.object({
    project_id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    asana_url: z.string().nullable(),
    created_at: z.string(),
  }),
  async run({ memory }: { memory: Memory }, input, call) {
    const fresh = { name: input.name, description: input.description ?? '', asanaUrl: input.asana_url ?? null }
    const project = await memory.addProject(fresh, call.caller)
    return { project_id: project.number, ...projectFields(project) }
  },
})
