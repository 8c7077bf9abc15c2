// A decision with what came of it: memory knows the chain, tasks know what they are called.
import { agentsTold } from '#domains/memory/told.ts'
import { decisionView } from '#domains/memory/views.ts'
import { operation } from '#kernel/operation.ts'
import type { Services } from './services.ts'

export const memoryThreadOperations = [
  operation({
    name: 'memory.decision.show',
    effect: 'read',
    async run({ memory, tasks, runs, taskDecisions }: Services, input, call) {
      const { decision, project, chain } = await memory.chain(input.decision_id, call.caller)
      const followed = await taskDecisions.followers(chain.map(({ id }) => id))
      const links = followed.filter(({ decision_id }) => decision_id === decision.id)
      const follows = followed.map(({ decision_id: decisionId, task_id: taskId, named_at, cited_at }) => ({
        ...{ decisionId, taskId, since: Math.min(named_at ?? Infinity, cited_at ?? Infinity) },
      }))
      const taken = await runs.listTaken([...new Set(follows.map(({ taskId }) => taskId))])
      const ids = links.map(({ task_id }) => task_id)
      const found = ids.length === 0 ? [] : await tasks.list({ ids }, undefined, ids.length, call.caller)
      const known = new Map(found.map(task => [task.id, task]))
      const topic = decision.topicId === null ? undefined : (await memory.topic(decision.topicId, call.caller)).topic
      return {
        ...decisionView(decision),
        topic_title: topic?.title ?? null,
        project_name: project?.name ?? null,
        chain: chain.map(decisionView),
        told_to: agentsTold(decision.id, chain, follows, taken),
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
