import { z } from 'zod'
import { tool } from '#kernel/tool.ts'
import type { Identity } from '../service.ts'

export default tool({
  name: 'should_start',
  toolset: 'runner',
  title: 'Should this agent start?',
  description: 'Ask whether to start an agent on a project now. true also claims the start for 120 s, so start it.',
  effect: 'write',
  callers: ['operator', 'runner'],
  input: z.object({ agent_id: z.string(), project_id: z.string() }),
  output: z.object({
    should_start: z.boolean(),
    ai_type: z.string().optional(),
    agent_name: z.string().optional(),
    ticket: z.string().optional(),
    reason: z.string().optional(),
  }),
  async glance({ identity }: { identity: Identity }, input, call) {
    const reason = await identity.glanceAtStart(input.agent_id, input.project_id, call.caller)
    return reason === undefined ? undefined : { should_start: false, reason }
  },
  async run({ identity }: { identity: Identity }, input, call) {
    const answer = await identity.claimStart(input.agent_id, input.project_id, call.caller)
    if (!answer.start) return { should_start: false, reason: answer.reason }
    return { should_start: true, ai_type: answer.agent.engine, agent_name: answer.agent.name, ticket: answer.ticket }
  },
})
