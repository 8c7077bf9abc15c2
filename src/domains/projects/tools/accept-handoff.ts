import { z } from 'zod'
import { AgentId, HandoffId } from '#contract/id-types.ts'
import { HandoffView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Handoffs } from '../handoffs.ts'
import { handoffView } from '../views.ts'

export default tool({
  name: 'accept_handoff',
  toolset: 'projects',
  title: 'Accept a handoff',
  description: 'Take over a task that was handed to you or to no agent in particular.',
  effect: 'write',
  callers: ['operator', 'agent'],
  offeredTo: ['instance'],
  input: z.object({ handoff_id: HandoffId, agent_id: AgentId.describe('Agent that takes it over (agt_…)') }),
  output: z.object({ ...success, handoff: HandoffView }),
  async run({ handoffs }: { handoffs: Handoffs }, input, call) {
    return { ...SUCCESS, handoff: handoffView(await handoffs.accept(input.handoff_id, input.agent_id, call.caller)) }
  },
})
