import { z } from 'zod'
import { ProjectHandle, TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, limit, limitOf } from '../fields.ts'
import { type TopicNode, treeOf } from '../model.ts'
import type { Memory } from '../service.ts'
import { fitting, topicView } from '../views.ts'

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
  input: z.object({ project_id: ProjectHandle, topic_id: Id.describe('Where the tree begins'), limit: limit(MOST) }),
  output: z.object({ tree: Node, truncated: z.boolean() }),
  async run({ memory }: { memory: Memory }, input, call) {
    const most = limitOf(input.limit, MOST)
    const topics = await memory.listTree(input.project_id, input.topic_id, most, call.caller)
    const shown = fitting(topics.slice(0, most))
    return { tree: nodeView(treeOf(shown) as TopicNode), truncated: shown.length < topics.length }
  },
})

function nodeView({ children, ...topic }: TopicNode): z.input<typeof Node> {
  return { ...topicView(topic), children: children.map(nodeView) }
}
