import { z } from 'zod'
import { TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, optionalText, text } from '../fields.ts'
import type { Memory } from '../service.ts'
import { topicView } from '../views.ts'
import { meant, projectInput } from '../whereabouts.ts'

export default tool({
  name: 'add-topic',
  toolset: 'memory',
  title: 'Add a topic',
  description: 'Open a topic to discuss, at the top of a project or below another topic of it.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({
    ...projectInput,
    title: text('What it is about, in a few words'),
    description: optionalText('What is to be settled'),
    parent_topic_id: Id.nullish().describe('Parent topic (default: none)'),
  }),
  output: TopicView.omit({ id: true }).extend({ topic_id: z.int() }),
  prepare: meant,
  async run({ memory }: { memory: Memory }, input, { prepared, caller }) {
    const fresh = {
      title: input.title,
      description: input.description ?? null,
      parentId: input.parent_topic_id ?? null,
    }
    const { id, ...view } = topicView(await memory.addTopic(prepared, fresh, caller))
    return { topic_id: id, ...view }
  },
})
