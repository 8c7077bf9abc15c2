import { z } from 'zod'
import { iso } from '#kernel/clock.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Runs } from '../service.ts'

export default tool({
  name: 'report_execution_start',
  toolset: 'legacy',
  title: 'Report a start (deprecated)',
  description: 'Record that work on a task begins. Deprecated: get_my_task does it by itself.',
  effect: 'write',
  callers: ['operator', 'agent', 'starter'],
  input: z.object({ session_token: z.string(), task_id: z.string() }),
  output: z.object({ ...success, execution_id: z.string(), started_at: z.string() }),
  async run({ runs }: { runs: Runs }, input, call) {
    const run = await runs.startByToken(input.session_token, input.task_id, call.caller)
    return { ...SUCCESS, execution_id: run.id, started_at: iso(run.startedAt) }
  },
})
