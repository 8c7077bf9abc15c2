import { z } from 'zod'
import { CommentId } from '#contract/id-types.ts'
import { ReportResult } from '#contract/projects.ts'
import { say } from '#contract/lang.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Work } from '../work.ts'

const GOODBYE = {
  en: 'The report is stored and the session has ended. You can stop now.',
  ja: '報告を保存し、セッションを終了しました。作業を終えてください。',
}

export default tool({
  name: 'report_completed',
  toolset: 'agent',
  title: 'Report the result',
  description:
    'Report how the task ended and end the session. Always call it last; what does not apply may be left out.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'starter', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object({
    session_token: z.string().describe('From authenticate'),
    result: ReportResult.describe('How the task ended'),
    summary: z.string().optional().describe('What was done, or why not'),
    next_steps: z.string().optional().describe('What remains to be done'),
    answers: z
      .array(
        z.object({
          comment_id: CommentId,
          answer: z.string().max(20_000).describe('What you did, or why not'),
        }),
      )
      .max(200)
      .optional()
      .describe('Answers to comments in `returned`'),
    decisions: z.array(z.int()).max(50).optional().describe('Ids of the decisions that you followed'),
  }),
  output: z.object({ ...success, instruction: z.string() }),
  async run({ work }: { work: Work }, input, call) {
    const { result, summary = null, next_steps: nextSteps = null, decisions: cites = [], answers } = input
    const given = answers?.map(({ comment_id: commentId, answer }) => ({ commentId, answer }))
    const report = { result, summary, nextSteps, cites, ...(given && { answers: given }) }
    await work.report(input.session_token, report, call.caller)
    const { connection } = call
    const next = connection && (await work.signedInOn(connection.secret))
    call.afterCommit(() => connection?.identifyAs(next))
    return { ...SUCCESS, instruction: say(call.lang, GOODBYE) }
  },
})
