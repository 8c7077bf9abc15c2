import { z } from 'zod'
import { CREW_MODES, CrewView } from '#contract/crews.ts'
import { tool } from '#kernel/tool.ts'
import type { Crews } from '../crews.ts'
import type { Specs } from '../specs.ts'
import { crewView } from '../crew-views.ts'

export default tool({
  name: 'create_group',
  toolset: 'crews',
  title: 'Make a group',
  description: 'Make a group for agents that you start for one purpose. Then call run_agents or run_sequential.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    description: z.string().max(10_000).describe('What the group is for, in a few words'),
    mode: z
      .enum(CREW_MODES)
      .optional()
      .describe('concurrent (default): side by side, with run_agents; sequential: in stages, with run_sequential'),
  }),
  output: CrewView.omit({ agentIds: true }),
  prepare: (services: { specs: Specs; crews: Crews }, _input, call) => services.specs.projectOf(call),
  async run({ crews }, input, { caller, prepared }) {
    const crew = await crews.create(input.description, input.mode ?? 'concurrent', prepared, caller)
    const { agentIds: _, ...view } = crewView(crew, [])
    return view
  },
})
