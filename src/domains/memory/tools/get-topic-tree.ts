import { z } from 'zod'
import { TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, limit, limitOf } from '../fields.ts'
import { type TopicNode, treeOf } from '../model.ts'
import type { Memory } from '../service.ts'
import { fitting, topicView } from '../views.ts'
import { meant, projectInput } from '../whereabouts.ts'

const MOST = 100

const Node = TopicView.extend({
  get children() {
    return z.array(Node)
  },
})

export default tool({
  name: 'get-topic-tree',
  toolset: 'memory',
  title: 'Get a tree of topics',
  description:
    'A topic with everything below it, level by level. When truncated, call again for a topic of the lowest level.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({ ...projectInput, topic_id: Id.describe('Topic at the root of the tree'), limit: limit(MOST) }),
  output: z.object({ tree: Node, truncated: z.boolean() }),
  prepare: meant,
  async run({ memory }: { memory: Memory }, input, { prepared, caller }) {
    const most = limitOf(input.limit, MOST)
    const topics = await memory.listTree(prepared, input.topic_id, most, caller)
    const shown = fitting(topics.slice(0, most))
    return { tree: nodeView(treeOf(shown) as TopicNode), truncated: shown.length < topics.length }
  },
})

function nodeView({ children, ...topic }: TopicNode): z.input<typeof Node> {
  return { ...topicView(topic), children: children.map(nodeView) }
}
