// Three tools that differ only in which topics they show.
import { z } from 'zod'
import { TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, limit, limitOf, pageFields, startId } from './fields.ts'
import type { Memory } from './service.ts'
import { pageById, topicView } from './views.ts'
import { meant, projectInput } from './whereabouts.ts'

const MOST = 10

type TopicList = { name: string; title: string; description: string; decided: boolean | undefined }

export function topicList({ decided, ...about }: TopicList) {
  return tool({
    ...about,
    toolset: 'memory',
    effect: 'read',
    callers: ['operator', 'agent', 'run', 'tab'],
    input: z.object({
      ...projectInput,
      parent_topic_id: Id.nullish().describe('Topic to look below (default: the top)'),
      limit: limit(MOST),
      start_id: startId('the first page'),
    }),
    output: z.object({ topics: z.array(TopicView), ...pageFields }),
    prepare: meant,
    async run({ memory }: { memory: Memory }, input, { prepared, caller }) {
      const most = limitOf(input.limit, MOST)
      const filter = { parentId: input.parent_topic_id ?? null, decided }
      const rows = await memory.listTopics(prepared, filter, input.start_id ?? 0, most + 1, caller)
      const { items, ...page } = pageById(rows, most, topicView)
      return { topics: items, ...page }
    },
  })
}
