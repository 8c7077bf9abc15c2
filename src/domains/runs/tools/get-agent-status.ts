import { z } from 'zod'
import { CrewRunState } from '#contract/crews.ts'
import { RunId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import type { CrewRuns } from '../crew-runs.ts'

export default tool({
  name: 'get_agent_status',
  toolset: 'crews',
  title: 'Look at an agent',
  description: 'Show how an agent that was started in a group stands: status, tool calls, files, and its result.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ agentId: RunId }),
  output: CrewRunState,
  async run({ crewRuns }: { crewRuns: CrewRuns }, { agentId }, { caller }) {
    return crewRuns.state(await crewRuns.get(agentId, caller))
  },
})
