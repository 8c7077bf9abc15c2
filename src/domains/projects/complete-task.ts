import { z } from 'zod'
import { OPERATOR_AND_WORKERS } from '#contract/caller.ts'
import { tool } from '#kernel/tool.ts'
import type { Tasks } from './tasks.ts'

export const completeTask = tool({
  name: 'task.complete',
  toolset: 'api',
  title: 'task.complete',
  description: 'Handles and ids of tasks that begin so.',
  effect: 'read',
  callers: OPERATOR_AND_WORKERS,
  input: z.object({ prefix: z.string() }),
  output: z.object({ values: z.array(z.string()) }),
  async run({ tasks }: { tasks: Tasks }, input, call) {
    return { values: await tasks.namesStartingWith(input.prefix, 100, call.caller) }
  },
})
