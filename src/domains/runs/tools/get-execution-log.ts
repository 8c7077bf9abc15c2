import { z } from 'zod'
import { ExecutionId } from '#contract/id-types.ts'
import { RunDetail } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { TaskRuns } from '../task-runs.ts'
import { runDetail } from '../task-run-views.ts'

export default tool({
  name: 'get_execution_log',
  toolset: 'projects',
  title: 'Get an execution',
  description: 'Get one execution with its result, why it ended, its files, tokens and cost.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ execution_id: ExecutionId }),
  output: z.object({ ...success, log: RunDetail }),
  async run({ runs }: { runs: TaskRuns }, input, call) {
    return { ...SUCCESS, log: runDetail(await runs.get(input.execution_id, call.caller), call.lang) }
  },
})
