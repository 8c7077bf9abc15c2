import { z } from 'zod'
import { CoreError } from '#contract/errors.ts'
import { Decision, MOST_COMMENTS, SAID_CHARS } from '#contract/thread.ts'
import { success, SUCCESS, tool } from '#kernel/tool.ts'
import type { AskedReviews } from '../asked-reviews.ts'

type Services = { askedReviews: AskedReviews }

const Said = z.string().max(SAID_CHARS).regex(/\S/, 'must not be empty')
const Line = z.int().min(1).max(10_000_000)

export default tool({
  name: 'submit_review',
  toolset: 'review',
  title: 'Give the verdict of a review',
  description: 'Give your verdict on the work that you were started to review, as your last step. Then end.',
  effect: 'write',
  idempotent: true,
  callers: ['run'],
  offeredTo: ['review'],
  input: z.object({
    decision: Decision.describe('accept: it is merged; changes: it goes back to its agent'),
    summary: Said.describe('What you looked at and found; what must change'),
    comments: z
      .array(
        z.object({
          path: z
            .string()
            .min(1)
            .max(4096)
            .optional()
            .describe('File, from the root of the repository (default: the work as a whole)'),
          from_line: Line.optional().describe('First line, from 1 (default: the whole file)'),
          to_line: Line.optional().describe('Last line (default: the first)'),
          text: Said.describe('What is wrong there, and how to fix it'),
        }),
      )
      .max(MOST_COMMENTS)
      .optional()
      .describe('One for each place that must change (default: none)'),
  }),
  output: z.object({ ...success, verdict_id: z.string(), task_id: z.string(), decision: Decision }),
  async run({ askedReviews }: Services, { decision, summary, comments = [] }, { caller, connection }) {
    const opener = connection?.opener ?? caller
    if (opener.kind !== 'run') throw CoreError.NOT_ALLOWED({ what: ONLY_RUNS })
    const said = comments.map(({ path = null, from_line: from = null, to_line: to = null, text }) => ({
      ...{ path, from, to, text },
    }))
    const verdict = await askedReviews.submit(opener.runId, { decision, summary, comments: said }, caller)
    return { ...SUCCESS, verdict_id: verdict.id, task_id: verdict.taskId, decision: verdict.decision }
  },
})

const ONLY_RUNS = {
  en: 'Verdicts of agents are given by the runs that were started to review.',
  ja: 'エージェントの判定は、レビューのために起動された実行だけが行えます。',
}
