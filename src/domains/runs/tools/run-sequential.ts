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
  name: 'run_sequential',
  toolset: 'crews',
  title: 'Start agents in stages',
  description:
    'Start agents in stages: a stage begins when all of the one before have ended, and gets their summaries. Returns at once; call wait_agent to wait.',
  effect: 'write',
  openWorld: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    groupId: CrewId.describe('A group made with mode sequential (grp-…)'),
    stages: z
      .array(z.object({ tasks: z.array(askedRun).max(1000).describe('The agents of this stage, at least one') }))
      .max(100)
      .describe('The stages in order, at least one'),
    onFailure: z
      .enum(['stop', 'continue'])
      .optional()
      .describe('When an agent fails: stop (default) cancels the later stages, continue goes on'),
  }),
  output: z.object({
    groupId: z.string(),
    totalStages: z.int(),
    currentStageIndex: z.int(),
    stages: z.array(z.object({ stageIndex: z.int(), agentIds: z.array(z.string()) })),
    agents: z.array(startedRun),
    total: z.int(),
  }),
  prepare: ({ specs }: Services, input, call): Promise<Spec[][]> =>
    Promise.all(input.stages.map(({ tasks }) => specs.of(tasks, call))),
  async run({ crews, crewRuns, processes }, input, call) {
    const { caller: by, connection, prepared } = call
    const asking = { by, opener: connection?.opener ?? by }
    const stages = await crews.submit(input.groupId, prepared, input.onFailure ?? 'stop', asking)
    call.afterCommit(() => processes.wake())
    const agents = await crewRuns.states(stages.flat())
    return {
      groupId: input.groupId,
      totalStages: stages.length,
      currentStageIndex: 0,
      stages: stages.map((agentIds, stageIndex) => ({ stageIndex, agentIds })),
      agents,
      total: agents.length,
    }
  },
})
