// A decision with what came of it: memory knows the chain, tasks know what they are called.
import { decisionView } from '#domains/memory/views.ts'
import { operation } from '#kernel/operation.ts'
import type { Services } from './services.ts'

export const memoryThreadOperations = [
  operation({
    name: 'memory.decision.show',
    effect: 'read',
    async run({ memory, tasks, taskDecisions }: Services, input, call) {
      const { decision, project, chain } = await memory.chain(input.decision_id, call.caller)
      const links = await taskDecisions.followers(decision.id)
      const ids = links.map(({ task_id }) => task_id)
      const found = ids.length === 0 ? [] : await tasks.list({ ids }, undefined, ids.length, call.caller)
      const known = new Map(found.map(task => [task.id, task]))
      const topic = decision.topicId === null ? undefined : (await memory.topic(decision.topicId, call.caller)).topic
      return {
        ...decisionView(decision),
        topic_title: topic?.title ?? null,
        project_name: project?.name ?? null,
        chain: chain.map(decisionView),
        tasks: links.flatMap(({ task_id, named_at, cited_at }) => {
          const task = known.get(task_id)
          if (!task) return []
          const { handle, title, status } = task
          return [{ task_id, handle, title, status, named: named_at !== null, cited: cited_at !== null }]
        }),
      }
    },
  }),
]
