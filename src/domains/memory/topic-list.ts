// Three tools that differ only in which topics they show.
import { z } from 'zod'
import { ProjectHandle, TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, limit, limitOf, pageFields, startId } from './fields.ts'
import type { Memory } from './service.ts'
import { pageById, topicView } from './views.ts'

const MOST = 10

type TopicList = { name: string; title: string; description: string; decided: boolean | undefined }

export function topicList({ decided, ...about }: TopicList) {
  return tool({
    ...about,
    toolset: 'memory',
    effect: 'read',
    callers: ['operator', 'agent', 'run', 'tab'],
    input: z.object({
      project_id: ProjectHandle,
      parent_topic_id: Id.nullish().describe('The topic to look below; none for the top'),
      limit: limit(MOST),
      start_id: startId,
    }),
    output: z.object({ topics: z.array(TopicView), ...pageFields }),
    async run({ memory }: { memory: Memory }, input, call) {
      const most = limitOf(input.limit, MOST)
      const filter = { parentId: input.parent_topic_id ?? null, decided }
      const rows = await memory.listTopics(input.project_id, filter, input.start_id ?? 0, most + 1, call.caller)
      const { items, ...page } = pageById(rows, most, topicView)
      return { topics: items, ...page }
    },
  })
}
