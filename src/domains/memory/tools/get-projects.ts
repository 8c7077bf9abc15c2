import { z } from 'zod'
import { tool } from '#kernel/tool.ts'
import { limit, limitOf, pageFields, startId } from '../fields.ts'
import type { Memory } from '../service.ts'
import { pageById, projectFields } from '../views.ts'

const MOST = 30

export default tool({
  name: 'get-projects',
  toolset: 'memory',
  title: 'Get projects',
  description: 'List the projects with the numbers that the other memory tools take.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ limit: limit(MOST), start_id: startId('the first page') }),
  output: z.object({
    projects: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        description: z.string().nullable(),
        asana_url: z.string().nullable(),
        created_at: z.string(),
      }),
    ),
    ...pageFields,
  }),
  async run({ memory }: { memory: Memory }, input, call) {
    const most = limitOf(input.limit, MOST)
    const projects = await memory.listProjects(input.start_id ?? 0, most + 1, call.caller)
    const rows = projects.map(project => ({ id: project.number, ...projectFields(project) }))
    const { items, ...page } = pageById(rows, most, row => row)
    return { projects: items, ...page }
  },
})
