import { z } from 'zod'
import { FittingDecision } from '#contract/memory.ts'
import { AnswerView, HandoffView, NoteView } from '#contract/views.ts'
import { say } from '#contract/lang.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import { answerView, handoffView, noteView } from '../views.ts'
import type { Work } from '../work.ts'

const WORK = {
  en: 'Work in working_directory. Save progress with save_context. When you are finished, call report_completed.',
  ja: 'working_directory で作業し、途中経過は save_context で保存してください。終わったら report_completed を呼び出してください。',
}
const NOTHING = {
  en: 'No task is assigned to you now. Call report_completed with result "success" to end the session.',
  ja: '現在、割り当てられたタスクはありません。result に "success" を指定して report_completed を呼び出し、セッションを終えてください。',
}

export default tool({
  name: 'get_my_task',
  toolset: 'agent',
  title: 'Get my task',
  description: 'Get the task to work on, with saved progress, handoff notes and earlier decisions that concern it.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'starter', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object({ session_token: z.string().describe('session_token from authenticate') }),
  output: z.object({
    ...success,
    has_task: z.boolean(),
    task: z
      .object({
        task_id: z.string(),
        title: z.string(),
        description: z.string(),
        priority: z.string(),
        working_directory: z.string().nullable(),
        context: NoteView.nullable(),
        answer: AnswerView.nullable().describe('What a person said last while it was blocked'),
        handoff: HandoffView.nullable(),
      })
      .optional(),
    decisions: z.array(FittingDecision).optional().describe('What was decided before that concerns this task'),
    instruction: z.string(),
  }),
  async run({ work }: { work: Work }, input, call) {
    const assignment = await work.take(input.session_token, call.caller)
    if (!assignment) return { ...SUCCESS, has_task: false, instruction: say(call.lang, NOTHING) }
    const { task, directory, note, answer, handoff, decisions } = assignment
    return {
      ...SUCCESS,
      has_task: true,
      task: {
        task_id: task.id,
        title: task.title,
        description: task.description,
        priority: task.priority,
        working_directory: directory,
        context: note ? noteView(note) : null,
        answer: answer ? answerView(answer) : null,
        handoff: handoff ? handoffView(handoff) : null,
      },
      ...(decisions.length > 0 && { decisions }),
      instruction: say(call.lang, WORK),
    }
  },
})
