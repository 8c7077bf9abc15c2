import { expect, test } from 'vitest'
import type { AgentId, TaskId } from '#contract/id-types.ts'
import { agentsTold } from './told.ts'

const chain = [
  { id: 4, createdAt: 100 },
  { id: 12, createdAt: 200 },
  { id: 15, createdAt: 300 },
]
const follows = (decisionId: number, taskId: string, since: number) => ({ decisionId, taskId: taskId as TaskId, since })
const takes = (taskId: string, agentId: string, takenAt: number) => ({
  ...{ taskId: taskId as TaskId, agentId: agentId as AgentId, takenAt },
})

test('an agent is told the decision that stood when it took a task that follows it or one that it replaced', () => {
  const links = [follows(4, 'a', 100), follows(15, 'b', 350)]
  const taken = [
    ...[takes('a', 'early', 150), takes('a', 'middle', 200), takes('a', 'middle', 260), takes('a', 'late', 300)],
    ...[takes('b', 'before', 340), takes('b', 'after', 350), takes('c', 'other', 400)],
  ]
  expect(agentsTold(4, chain, links, taken)).toEqual(['early'])
  expect(agentsTold(12, chain, links, taken)).toEqual(['middle'])
  expect(agentsTold(15, chain, links, taken)).toEqual(['after', 'late'])
  expect(agentsTold(99, chain, links, taken)).toEqual([])
})
