import { z } from 'zod'
import { CrewRunSummary, RUN_STATUSES } from '#contract/crews.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { looseEnum, tool } from '#kernel/tool.ts'
import type { CrewRuns } from '../crew-runs.ts'
import { statusFilter } from '../status-filter.ts'

export const crewFilterInput = {
  groupId: z.string().optional().describe('Only those of this group'),
  status: looseEnum([...RUN_STATUSES, 'all']).optional(),
}

export default tool({
  name: 'list_agents',
  toolset: 'crews',
  title: 'List agents',
  description: 'List the agents that were started in groups, newest first.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ ...crewFilterInput, ...pageInput }),
  output: z.object({ agents: z.array(CrewRunSummary), total: z.int(), ...pageOutput }),
  async run({ crewRuns }: { crewRuns: CrewRuns }, input, { caller }) {
    const limit = limitOf(input.limit)
    const filter = { crewId: input.groupId, status: statusFilter(input.status) }
    const rows = await crewRuns.list(filter, readCursor(input.cursor, z.string()), limit + 1, caller)
    const { items, ...page } = pageOf(
      rows,
      limit,
      run => crewRuns.summary(run),
      run => run.id,
    )
    return { agents: items, total: await crewRuns.count(filter, caller), ...page }
  },
})
