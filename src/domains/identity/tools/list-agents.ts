import { z } from 'zod'
import { AgentView } from '#contract/views.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Agents } from '../agents.ts'
import { agentView } from '../views.ts'

export default tool({
  name: 'list_agents',
  toolset: 'projects',
  title: 'List agents',
  description: 'List the registered agents, for example to find one to hand a task to.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object(pageInput),
  output: z.object({ ...success, agents: z.array(AgentView), total: z.int(), ...pageOutput }),
  async run({ agents }: { agents: Agents }, input) {
    const limit = limitOf(input.limit)
    const rows = await agents.list(readCursor(input.cursor, z.string()) ?? '', limit + 1)
    const { items, ...page } = pageOf(rows, limit, agentView, agent => agent.id)
    return { ...SUCCESS, agents: items, total: await agents.count(), ...page }
  },
})
