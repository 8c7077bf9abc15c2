import { z } from 'zod'
import { CoreError } from '#contract/errors.ts'
import { say } from '#contract/lang.ts'
import { MEMORY_KINDS, QUERY_MAX, RecallAnswer } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, limit, limitOf } from '../fields.ts'
import type { Recalling } from '../recalling.ts'
import { meant, projectInput } from '../whereabouts.ts'

const MOST = 50
const USUAL = 10
const Query = z.string().max(QUERY_MAX).regex(/\S/, 'must not be empty')

export default tool({
  name: 'recall',
  toolset: 'memory',
  title: 'Recall',
  description:
    'Search topics, logs and decisions of a project by meaning of their words, best first. Give several phrasings in queries, such as synonyms, and both Japanese and English.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'review', 'tab'],
  input: z.object({
    ...projectInput,
    query: Query.optional().describe('What you want to know; give this or queries'),
    queries: z.array(Query).min(1).max(5).optional().describe('1 to 5 phrasings of one question (default: query)'),
    kinds: z.array(z.enum(MEMORY_KINDS)).min(1).optional().describe('Only these kinds (default: all)'),
    topic_id: Id.optional().describe('Only this topic and those below it (default: all)'),
    limit: limit(MOST).describe(`1 to ${MOST} (default ${USUAL})`),
  }),
  output: RecallAnswer,
  prepare: meant,
  async run({ recalling }: { recalling: Recalling }, input, call) {
    const queries = input.queries ?? (input.query === undefined ? [] : [input.query])
    if (queries.length === 0) throw CoreError.INVALID_ARGUMENT({ reason: NO_QUERY })
    const { results, notice } = await recalling.answer(
      call.prepared,
      {
        queries: input.queries && input.query !== undefined ? [input.query, ...input.queries] : queries,
        kinds: input.kinds,
        topicId: input.topic_id,
        limit: limitOf(input.limit ?? USUAL, MOST),
      },
      call.caller,
    )
    return { results, ...(notice && { notice: say(call.lang, notice) }) }
  },
})

const NO_QUERY = {
  en: 'Give a query, or queries with 1 to 5 phrasings.',
  ja: 'query か、言い換えを 1〜5 個入れた queries を指定してください。',
}
