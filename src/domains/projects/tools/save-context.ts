import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { NoteView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Notes } from '../notes.ts'
import { noteView } from '../views.ts'

export default tool({
  name: 'save_context',
  toolset: 'projects',
  title: 'Save progress',
  description:
    'Save where a task stands, so that you or the next agent can go on from there. Any part may be left out.',
  effect: 'write',
  callers: ['operator', 'agent'],
  offeredTo: ['instance'],
  input: z.object({
    task_id: TaskId,
    progress: z.string().optional().describe('What is done so far'),
    findings: z.string().optional().describe('What you learned'),
    blockers: z.string().optional().describe('What stands in the way'),
    next_steps: z.string().optional().describe('What to do next'),
  }),
  output: z.object({ ...success, context: NoteView }),
  async run({ notes }: { notes: Notes }, input, call) {
    const text = {
      progress: input.progress ?? null,
      findings: input.findings ?? null,
      blockers: input.blockers ?? null,
      nextSteps: input.next_steps ?? null,
    }
    return { ...SUCCESS, context: noteView(await notes.save(input.task_id, text, call.caller)) }
  },
})
