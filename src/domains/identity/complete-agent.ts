import { z } from 'zod'
import { OPERATOR_AND_WORKERS } from '#contract/caller.ts'
import { tool } from '#kernel/tool.ts'
import type { Agents } from './agents.ts'

export const completeAgent = tool({
  name: 'agent.complete',
  toolset: 'api',
  title: 'agent.complete',
  description: 'Ids of agents that begin so.',
  effect: 'read',
  callers: OPERATOR_AND_WORKERS,
  input: z.object({ prefix: z.string() }),
  output: z.object({ values: z.array(z.string()) }),
  async run({ agents }: { agents: Agents }, input) {
    return { values: await agents.idsStartingWith(input.prefix, 100) }
  },
})
