import { z } from 'zod'
import { tool } from '#kernel/tool.ts'
import { askedRun, startedRun } from '../fields.ts'
import type { Runs } from '../ports.ts'
import type { Crews } from '../service.ts'
import type { Spec, Specs } from '../specs.ts'
import type { Wake } from '../wake.ts'

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
    groupId: z.string().describe('A group made with mode sequential'),
    stages: z.array(z.object({ tasks: z.array(askedRun).max(1000) })).max(100),
    onFailure: z
      .enum(['stop', 'continue'])
      .optional()
      .describe('When an agent of a stage fails: stop (usual) cancels the rest'),
  }),
  output: z.object({
    groupId: z.string(),
    totalStages: z.int(),
    currentStageIndex: z.int(),
    stages: z.array(z.object({ stageIndex: z.int(), agentIds: z.array(z.string()) })),
    agents: z.array(startedRun),
    total: z.int(),
  }),
  prepare: (
    { specs }: { specs: Specs; crews: Crews; members: Runs; launching: Wake },
    input,
    call,
  ): Promise<Spec[][]> => Promise.all(input.stages.map(({ tasks }) => specs.of(tasks, call))),
  async run({ crews, members, launching }, input, call) {
    const { caller: by, connection, prepared } = call
    const asking = { by, opener: connection?.opener ?? by }
    const stages = await crews.submit(input.groupId, prepared, input.onFailure ?? 'stop', asking)
    call.afterCommit(() => launching.wake())
    const agents = await members.states(stages.flat())
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
