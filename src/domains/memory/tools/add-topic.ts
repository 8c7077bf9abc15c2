import { z } from 'zod'
import { ProjectHandle, TopicView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { Id, optionalText, text } from '../fields.ts'
import type { Memory } from '../service.ts'
import { topicView } from '../views.ts'

export default tool({
  name: 'add-topic',
  toolset: 'memory',
  title: 'Add a topic',
  description: 'Open a topic to discuss, at the top of a project or below another topic of it.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({
    project_id: ProjectHandle,
    title: text('What it is about, in a few words'),
    description: optionalText('What is to be settled'),
    parent_topic_id: Id.nullish().describe('The topic it belongs below; none for the top'),
  }),
  output: TopicView.omit({ id: true }).extend({ topic_id: z.int() }),
  async run({ memory }: { memory: Memory }, input, call) {
    const fresh = {
      title: input.title,
      description: input.description ?? null,
      parentId: input.parent_topic_id ?? null,
    }
    const { id, ...view } = topicView(await memory.addTopic(input.project_id, fresh, call.caller))
    return { topic_id: id, ...view }
  },
})
