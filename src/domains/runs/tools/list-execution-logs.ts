import { z } from 'zod'
import { AgentId, TaskId } from '#contract/id-types.ts'
import { RunView } from '#contract/views.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { TaskRuns } from '../task-runs.ts'
import { runView } from '../task-run-views.ts'

export default tool({
  name: 'list_execution_logs',
  toolset: 'projects',
  title: 'List executions',
  description: 'List executions of tasks, newest first.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    task_id: TaskId.optional().describe('Only executions of this task (tsk_…; default: all)'),
    agent_id: AgentId.optional().describe('Only executions by this agent (agt_…; default: all)'),
    ...pageInput(20),
  }),
  output: z.object({ ...success, logs: z.array(RunView), ...pageOutput }),
  async run({ runs }: { runs: TaskRuns }, input, call) {
    const limit = limitOf(input.limit, 20)
    const before = readCursor(input.cursor, z.string())
    const rows = await runs.list({ taskId: input.task_id, agentId: input.agent_id }, before, limit + 1, call.caller)
    const { items, ...page } = pageOf(
      rows,
      limit,
      run => runView(run, call.lang),
      run => run.id,
    )
    return { ...SUCCESS, logs: items, ...page }
  },
})
