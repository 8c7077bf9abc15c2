import { z } from 'zod'
import { AgentId, TaskId } from '#contract/id-types.ts'
import { HandoffView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Handoffs } from '../handoffs.ts'
import type { Passes } from '../passes.ts'
import { handoffView } from '../views.ts'

type Needs = { handoffs: Handoffs; passes: Passes }

export default tool({
  name: 'create_handoff',
  toolset: 'projects',
  title: 'Hand a task over',
  description: 'Pass a task on with a summary: to one agent, which gets it at once, or to the agent that accepts it.',
  effect: 'write',
  callers: ['operator', 'agent'],
  offeredTo: ['instance'],
  input: z.object({
    task_id: TaskId,
    from_agent_id: AgentId.describe('Agent that hands it over (agt_…)'),
    to_agent_id: AgentId.nullish().describe('Receiver (agt_…; default: any agent)'),
    summary: z.string().min(1).describe('What is done and what is left'),
    context: z.string().optional().describe('Background that the receiver needs (default: none)'),
    recommendations: z.string().optional().describe('How you would go on (default: none)'),
  }),
  output: z.object({ ...success, handoff_id: z.string(), handoff: HandoffView }),
  prepare: ({ passes }: Needs, input, call) => passes.treeOf(input.task_id, call.caller),
  async run({ handoffs }: Needs, input, call) {
    const fresh = {
      taskId: input.task_id,
      fromAgentId: input.from_agent_id,
      toAgentId: input.to_agent_id ?? null,
      summary: input.summary,
      context: input.context ?? null,
      recommendations: input.recommendations ?? null,
    }
    const handoff = await handoffs.create(fresh, call.caller, call.prepared)
    return { ...SUCCESS, handoff_id: handoff.id, handoff: handoffView(handoff) }
  },
})
