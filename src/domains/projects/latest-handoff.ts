import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { HandoffView } from '#contract/views.ts'
import { tool } from '#kernel/tool.ts'
import type { Handoffs } from './handoffs.ts'
import { handoffView } from './views.ts'

/** Behind the resource `handoff://{taskId}`. */
export const latestHandoff = tool({
  name: 'handoff.latest',
  toolset: 'api',
  title: 'handoff.latest',
  description: 'The newest handoff of a task.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ task_id: TaskId }),
  output: z.object({ handoff: HandoffView.nullable() }),
  async run({ handoffs }: { handoffs: Handoffs }, input, call) {
    const handoff = await handoffs.newest(input.task_id, call.caller)
    return { handoff: handoff ? handoffView(handoff) : null }
  },
})
