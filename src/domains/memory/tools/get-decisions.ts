import { z } from 'zod'
import { DecisionView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { limit, limitOf, pageFields, startId, TopicId } from '../fields.ts'
import type { Memory } from '../service.ts'
import { decisionView, newestPage, pageById } from '../views.ts'

const MOST = 30

export default tool({
  name: 'get-decisions',
  toolset: 'memory',
  title: 'Get decisions',
  description: 'Read what was decided on a topic, oldest first: the newest decisions, or those from start_id on.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'review', 'tab'],
  input: z.object({ topic_id: TopicId, start_id: startId('the newest'), limit: limit(MOST) }),
  output: z.object({ decisions: z.array(DecisionView), ...pageFields }),
  async run({ memory }: { memory: Memory }, input, call) {
    const most = limitOf(input.limit, MOST)
    const from = input.start_id ?? undefined
    const rows = await memory.listDecisions(input.topic_id, from, from === undefined ? most : most + 1, call.caller)
    const { items, ...page } = from === undefined ? newestPage(rows, decisionView) : pageById(rows, most, decisionView)
    return { decisions: items, ...page }
  },
})
