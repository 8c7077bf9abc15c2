import { z } from 'zod'
import { DecisionView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import type { ExactSearch } from '../exact.ts'
import { beforeId, Keyword, limit, limitOf, searchFields } from '../fields.ts'
import type { Memory } from '../service.ts'
import { decisionView, searchPage } from '../views.ts'
import { meant, projectInput } from '../whereabouts.ts'

const MOST = 30

export default tool({
  name: 'search-decisions',
  toolset: 'memory',
  title: 'Search decisions',
  description:
    'Find every decision whose text or reason contains the keyword, newest first. Those that hold in every project are among them.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ ...projectInput, keyword: Keyword, limit: limit(MOST), before_id: beforeId }),
  output: z.object({ decisions: z.array(DecisionView), ...searchFields }),
  prepare: meant,
  async run({ memory, exact }: { memory: Memory; exact: ExactSearch }, input, { prepared, caller }) {
    const project = await memory.project(prepared, caller)
    const most = limitOf(input.limit, MOST)
    const query = { project: project.number, keyword: input.keyword, before: input.before_id ?? undefined }
    const { items, ...page } = searchPage(await exact.decisions({ ...query, limit: most + 1 }), most, decisionView)
    return { decisions: items, ...page }
  },
})
