import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { iso } from '#kernel/clock.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { TaskRuns } from '../task-runs.ts'

export default tool({
  name: 'report_execution_start',
  toolset: 'legacy',
  title: 'Report a start (deprecated)',
  description: 'Record that work on a task begins. Deprecated: get_my_task does it automatically.',
  effect: 'write',
  callers: ['operator', 'agent', 'starter'],
  input: z.object({ session_token: z.string().describe('session_token from authenticate'), task_id: TaskId }),
  output: z.object({ ...success, execution_id: z.string(), started_at: z.string() }),
  async run({ runs }: { runs: TaskRuns }, input, call) {
    const run = await runs.startByToken(input.session_token, input.task_id, call.caller)
    return { ...SUCCESS, execution_id: run.id, started_at: iso(run.startedAt) }
  },
})
