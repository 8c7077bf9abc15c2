import { z } from 'zod'
import { AgentId } from '#contract/id-types.ts'
import { HandoffView } from '#contract/views.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Handoffs } from '../handoffs.ts'
import { handoffView } from '../views.ts'

export default tool({
  name: 'get_pending_handoffs',
  toolset: 'projects',
  title: 'List open handoffs',
  description: 'List handoffs that were not accepted yet: those to an agent or to no agent in particular, or all.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object({
    agent_id: AgentId.optional().describe('Only what this agent may accept (agt_…; default: all)'),
    ...pageInput(),
  }),
  output: z.object({ ...success, handoffs: z.array(HandoffView), ...pageOutput }),
  async run({ handoffs }: { handoffs: Handoffs }, input, call) {
    const limit = limitOf(input.limit)
    const rows = await handoffs.listOpen(
      { agentId: input.agent_id },
      readCursor(input.cursor, z.string()) ?? '',
      limit + 1,
      call.caller,
    )
    const { items, ...page } = pageOf(rows, limit, handoffView, handoff => handoff.id)
    return { ...SUCCESS, handoffs: items, ...page }
  },
})
