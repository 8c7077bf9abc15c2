import { z } from 'zod'
import { RunDetail } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Runs } from '../service.ts'
import { runDetail } from '../views.ts'

export default tool({
  name: 'get_execution_log',
  toolset: 'projects',
  title: 'Get an execution',
  description: 'Get one execution with its result, why it ended, its files, tokens and cost.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ execution_id: z.string() }),
  output: z.object({ ...success, log: RunDetail }),
  async run({ runs }: { runs: Runs }, input, call) {
    return { ...SUCCESS, log: runDetail(await runs.get(input.execution_id, call.caller), call.lang) }
  },
})
