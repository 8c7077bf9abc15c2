import { z } from 'zod'
import { EntryView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { limit, limitOf, pageFields, startId, TopicId } from '../fields.ts'
import type { Memory } from '../service.ts'
import { entryView, newestPage, pageById } from '../views.ts'

const MOST = 30

export default tool({
  name: 'get-logs',
  toolset: 'memory',
  title: 'Get logs',
  description: 'Read the discussion of a topic, oldest first: the newest logs, or those from start_id on.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'review', 'tab'],
  input: z.object({ topic_id: TopicId, start_id: startId('the newest'), limit: limit(MOST) }),
  output: z.object({ logs: z.array(EntryView), ...pageFields }),
  async run({ memory }: { memory: Memory }, input, call) {
    const most = limitOf(input.limit, MOST)
    const from = input.start_id ?? undefined
    const rows = await memory.listEntries(input.topic_id, from, from === undefined ? most : most + 1, call.caller)
    const { items, ...page } = from === undefined ? newestPage(rows, entryView) : pageById(rows, most, entryView)
    return { logs: items, ...page }
  },
})
