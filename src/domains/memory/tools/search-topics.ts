import { z } from 'zod'
import { TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import type { ExactSearch } from '../exact.ts'
import { beforeId, Keyword, limit, limitOf, searchFields } from '../fields.ts'
import type { Memory } from '../service.ts'
import { searchPage, topicView } from '../views.ts'
import { meant, projectInput } from '../whereabouts.ts'

const MOST = 30

export default tool({
  name: 'search-topics',
  toolset: 'memory',
  title: 'Search topics',
  description: 'Find every topic whose title or description contains the keyword, newest first.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ ...projectInput, keyword: Keyword, limit: limit(MOST), before_id: beforeId }),
  output: z.object({ topics: z.array(TopicView), ...searchFields }),
  prepare: meant,
  async run({ memory, exact }: { memory: Memory; exact: ExactSearch }, input, { prepared, caller }) {
    const project = await memory.project(prepared, caller)
    const most = limitOf(input.limit, MOST)
    const query = { project: project.number, keyword: input.keyword, before: input.before_id ?? undefined }
    const { items, ...page } = searchPage(await exact.topics({ ...query, limit: most + 1 }), most, topicView)
    return { topics: items, ...page }
  },
})
