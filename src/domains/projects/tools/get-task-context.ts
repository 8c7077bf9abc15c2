import { z } from 'zod'
import { type NoteId, TaskId } from '#contract/id-types.ts'
import { NoteView } from '#contract/views.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Notes } from '../notes.ts'
import { noteView } from '../views.ts'

export default tool({
  name: 'get_task_context',
  toolset: 'projects',
  title: 'Get saved progress',
  description: 'Get the newest saved context of a task, with include_history all of them, newest first.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object({
    task_id: TaskId,
    include_history: z.boolean().optional().describe('Also list all earlier ones (default: false)'),
    ...pageInput(),
  }),
  output: z.object({
    ...success,
    context: NoteView.nullable(),
    history: z.array(NoteView).optional(),
    ...pageOutput,
  }),
  async run({ notes }: { notes: Notes }, input, call) {
    const newest = await notes.latest(input.task_id, call.caller)
    const answer = { ...SUCCESS, context: newest ? noteView(newest) : null }
    if (!input.include_history) return answer
    const limit = limitOf(input.limit)
    const before = readCursor(input.cursor, z.string()) as NoteId | undefined
    const rows = await notes.list(input.task_id, limit + 1, call.caller, before)
    const { items, ...page } = pageOf(rows, limit, noteView, note => note.id, answer)
    return { ...answer, history: items, ...page }
  },
})
