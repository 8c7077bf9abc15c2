import { z } from 'zod'
import { CrewId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import { askedRun, startedRun } from '../crew-fields.ts'
import type { CrewRuns } from '../crew-runs.ts'
import type { Crews } from '../crews.ts'
import type { RunProcesses } from '../processes.ts'
import type { Spec, Specs } from '../specs.ts'

type Services = { specs: Specs; crews: Crews; crewRuns: CrewRuns; processes: Pick<RunProcesses, 'wake'> }

export default tool({
  name: 'run_agents',
  toolset: 'crews',
  title: 'Start agents',
  description: 'Start one or more agents side by side in a group. Returns at once; call wait_agent to wait for them.',
  effect: 'write',
  openWorld: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    groupId: CrewId,
    agents: z.array(askedRun).max(1000).describe('The agents to start, at least one: all of them start, or none'),
  }),
  output: z.object({ agents: z.array(startedRun), total: z.int() }),
  prepare: ({ specs }: Services, input, call): Promise<Spec[]> => specs.of(input.agents, call),
  async run({ crews, crewRuns, processes }, input, call) {
    const { caller: by, connection, prepared } = call
    const ids = await crews.start(input.groupId, prepared, { by, opener: connection?.opener ?? by })
    call.afterCommit(() => processes.wake())
    const agents = await crewRuns.states(ids)
    return { agents, total: agents.length }
  },
})
