import { z } from 'zod'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Handoffs } from './handoffs.ts'
import { handoffView } from './views.ts'

type Services = { handoffs: Handoffs }

export const handoffOperations = [
  operation({
    name: 'handoff.list',
    effect: 'read',
    async run({ handoffs }: Services, input, call) {
      const limit = limitOf(input.limit)
      const filter = { agentId: input.agent_id, projectId: input.project_id, taskId: input.task_id }
      const after = readCursor(input.cursor, z.string()) ?? ''
      const rows = await handoffs.listOpen(filter, after, limit + 1, call.caller)
      const { items, ...page } = pageOf(rows, limit, handoffView, handoff => handoff.id)
      return { handoffs: items, ...page }
    },
  }),
  operation({
    name: 'handoff.add',
    effect: 'write',
    async run({ handoffs }: Services, input, call) {
      const texts = { summary: input.summary, context: input.context ?? null }
      const sides = { fromAgentId: input.from_agent_id, toAgentId: input.to_agent_id ?? null }
      const fresh = { taskId: input.task_id, ...sides, ...texts, recommendations: input.recommendations ?? null }
      return handoffView(await handoffs.create(fresh, call.caller))
    },
  }),
  operation({
    name: 'handoff.accept',
    effect: 'write',
    run: async ({ handoffs }: Services, input, call) =>
      handoffView(await handoffs.accept(input.handoff_id, input.agent_id, call.caller)),
  }),
]
