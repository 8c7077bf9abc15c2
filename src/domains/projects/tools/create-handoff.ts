import { z } from 'zod'
import { HandoffView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Handoffs } from '../handoffs.ts'
import { handoffView } from '../views.ts'

export default tool({
  name: 'create_handoff',
  toolset: 'projects',
  title: 'Hand a task over',
  description: 'Pass a task on with a summary: to one agent, which gets it at once, or to whoever accepts it.',
  effect: 'write',
  callers: ['operator', 'agent'],
  offeredTo: ['instance'],
  input: z.object({
    task_id: z.string(),
    from_agent_id: z.string(),
    to_agent_id: z.string().nullish(),
    summary: z.string().min(1),
    context: z.string().optional(),
    recommendations: z.string().optional(),
  }),
  output: z.object({ ...success, handoff_id: z.string(), handoff: HandoffView }),
  async run({ handoffs }: { handoffs: Handoffs }, input, call) {
    const fresh = {
      taskId: input.task_id,
      fromAgentId: input.from_agent_id,
      toAgentId: input.to_agent_id ?? null,
      summary: input.summary,
      context: input.context ?? null,
      recommendations: input.recommendations ?? null,
    }
    const handoff = await handoffs.create(fresh, call.caller)
    return { ...SUCCESS, handoff_id: handoff.id, handoff: handoffView(handoff) }
  },
})
