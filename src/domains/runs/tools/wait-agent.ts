import { z } from 'zod'
import { CrewRunSummary, RunResult } from '#contract/crews.ts'
import { CoreError } from '#contract/errors.ts'
import { RunId } from '#contract/id-types.ts'
import { tool } from '#kernel/tool.ts'
import type { CrewRuns } from '../crew-runs.ts'
import type { Waiting } from '../waiting.ts'

const NONE = { en: 'agentIds is empty; name at least one.', ja: 'agentIds が空です。1 件以上指定してください。' }

export default tool({
  name: 'wait_agent',
  toolset: 'crews',
  title: 'Wait for agents',
  description:
    'Wait until all (or any) of these agents have ended, and get their results. It answers within 45 s: when resume is true, call again.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    agentIds: z.array(RunId).max(200).describe('Ids from run_agents or run_sequential'),
    timeout_ms: z
      .number()
      .min(0)
      .optional()
      .describe('Answer after this many milliseconds at the latest (default and maximum 45000)'),
    mode: z.enum(['all', 'any']).optional().describe('all (default): wait for every one; any: for the first'),
  }),
  output: z.object({
    completed: z.array(CrewRunSummary.extend({ result: RunResult.nullable() })).describe('Those that have ended'),
    pending: z.array(CrewRunSummary),
    timedOut: z.boolean(),
    resume: z.boolean().describe('Call again: some have not ended and your time is not up'),
    truncated: z.boolean().optional().describe('Some results are left out; get_agent_status has them'),
  }),
  async run({ waiting }: { waiting: Waiting; crewRuns: CrewRuns }, input, call) {
    if (input.agentIds.length === 0) throw CoreError.INVALID_ARGUMENT({ reason: NONE })
    return waiting.forEnd([...new Set(input.agentIds)], input.mode ?? 'all', input.timeout_ms, call)
  },
})
