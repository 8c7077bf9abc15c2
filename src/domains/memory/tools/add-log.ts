import { z } from 'zod'
import { EntryView } from '#contract/memory.ts'
import { tool } from '#kernel/tool.ts'
import { text, TopicId } from '../fields.ts'
import type { Memory } from '../service.ts'
import { entryView } from '../views.ts'

export default tool({
  name: 'add-log',
  toolset: 'memory',
  title: 'Add a log',
  description: 'Write down one exchange of a discussion: what was proposed and what was answered to it.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance', 'run', 'tab'],
  input: z.object({ topic_id: TopicId, content: text('The exchange, in Markdown') }),
  output: EntryView.omit({ id: true }).extend({ log_id: z.int() }),
  async run({ memory }: { memory: Memory }, input, call) {
    const { id, ...view } = entryView(await memory.addEntry(input.topic_id, input.content, call.caller))
    return { log_id: id, ...view }
  },
})
