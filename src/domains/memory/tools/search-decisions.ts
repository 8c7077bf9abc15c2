import { z } from 'zod'
import { DecisionView, ProjectHandle } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import type { ExactSearch } from '../exact.ts'
import { beforeId, Keyword, limit, limitOf, searchFields } from '../fields.ts'
import type { Memory } from '../service.ts'
import { decisionView, searchPage } from '../views.ts'

const MOST = 30

export default tool({
  name: 'search-decisions',
  toolset: 'memory',
  title: 'Search decisions',
  description:
    'Find every decision whose text or reason contains the keyword, newest first. Those that hold in every project are among them.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ project_id: ProjectHandle, keyword: Keyword, limit: limit(MOST), before_id: beforeId }),
  output: z.object({ decisions: z.array(DecisionView), ...searchFields }),
  async run({ memory, exact }: { memory: Memory; exact: ExactSearch }, input, call) {
    const project = await memory.project(input.project_id, call.caller)
    const most = limitOf(input.limit, MOST)
    const query = { project: project.number, keyword: input.keyword, before: input.before_id ?? undefined }
    const { items, ...page } = searchPage(await exact.decisions({ ...query, limit: most + 1 }), most, decisionView)
    return { decisions: items, ...page }
  },
})
