import { z } from 'zod'
import { ExecutionId } from '#contract/id-types.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import { iso } from '#kernel/clock.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import { statusOf } from '../model.ts'
import type { TaskRuns } from '../task-runs.ts'

export default tool({
  name: 'report_execution_complete',
  toolset: 'legacy',
  title: 'Report an end (deprecated)',
  description: 'Record how an execution ended. Deprecated: use report_completed.',
  effect: 'write',
  callers: ['operator', 'agent', 'starter'],
  input: z.object({
    session_token: z.string().describe('session_token from authenticate'),
    execution_id: ExecutionId.describe('Execution id, as report_execution_start answered it (exec_…)'),
    exit_code: z.int().min(-2147483648).max(2147483647).describe('Exit code of the program; 0 means success'),
    duration_seconds: z.number().min(0).max(1e9).describe('How long it ran, in seconds, such as 12.5'),
    log_file_path: z.string().max(4096).describe('Path of the log file; it is stored, not read'),
  }),
  output: z.object({
    ...success,
    execution_id: z.string(),
    completed_at: z.string(),
    status: z.enum(['completed', 'failed', 'error', 'running']),
  }),
  async run({ runs }: { runs: TaskRuns }, input, call) {
    const ending = {
      exitCode: input.exit_code,
      durationMs: Math.round(input.duration_seconds * 1000),
      logPath: withoutSecrets(input.log_file_path),
    }
    const run = await runs.endByToken(input.session_token, input.execution_id, ending, call.caller)
    return { ...SUCCESS, execution_id: run.id, completed_at: iso(run.endedAt ?? 0), status: statusOf(run) }
  },
})
