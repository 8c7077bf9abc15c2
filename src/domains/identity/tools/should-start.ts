import { z } from 'zod'
import { AgentId, ProjectId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import type { Claims } from '../claims.ts'

export default tool({
  name: 'should_start',
  toolset: 'runner',
  title: 'Should this agent start?',
  description: 'Ask whether to start an agent on a project now. true also claims the start for 120 s, so start it.',
  effect: 'write',
  callers: ['operator', 'runner'],
  input: z.object({ agent_id: AgentId, project_id: ProjectId }),
  output: z.object({
    should_start: z.boolean(),
    ai_type: z.string().optional(),
    agent_name: z.string().optional(),
    ticket: z.string().optional(),
    reason: z.string().optional(),
  }),
  // Our own Runner looks at the folder on its own machine before it starts anything. Any other caller starts it here.
  async prepare({ claims }: { claims: Claims }, input, call): Promise<string | undefined> {
    await claims.lookAtBases(input.agent_id, input.project_id)
    if (call.caller.kind !== 'runner') return claims.whyNotHere(input.project_id)
    await claims.lookAgain(input.project_id, call.caller)
    return undefined
  },
  async readFirst({ claims }: { claims: Claims }, input, call) {
    const reason = (await claims.whyNot(input.agent_id, input.project_id, call.caller)) ?? call.prepared
    return reason === undefined ? undefined : { should_start: false, reason }
  },
  async run({ claims }: { claims: Claims }, input, call) {
    const answer = await claims.claim(input.agent_id, input.project_id, call.caller)
    if (!answer.start) return { should_start: false, reason: answer.reason }
    return { should_start: true, ai_type: answer.agent.engine, agent_name: answer.agent.name, ticket: answer.ticket }
  },
})
