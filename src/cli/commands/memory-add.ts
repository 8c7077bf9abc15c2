import { command } from '../define.ts'
import { idOption, projectOption } from '../memory-options.ts'
import { somewhere, textOrFile } from '../options.ts'
import { option } from '../texts-help.ts'
import { memoryHelp, memoryTexts } from '../texts-memory.ts'

type Options = {
  project?: string
  topic?: number
  parent?: number
  description?: string
  reason?: string
  supersedes?: number
}

export default command<[text: string], Options>({
  about: memoryHelp.add,
  arguments: [{ name: '<text>', text: memoryHelp.text }],
  options: [
    projectOption,
    idOption('--topic', memoryHelp.topic),
    idOption('--parent', memoryHelp.parent),
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    { flags: '--reason <text | @file>', text: memoryHelp.reason },
    idOption('--supersedes', memoryHelp.supersedes),
  ],
  examples: [
    ['toryo memory add "How users sign in" --project shop', { en: 'a new topic', ja: '新しいトピック' }],
    ['toryo memory add "AI: JWT? User: yes" --topic 1', { en: 'a log of it', ja: 'そのログ' }],
    ['toryo memory add "Use JWT" --topic 1 --reason "no session store"', { en: 'its decision', ja: 'その決定' }],
  ],
  async run(cx, options, given) {
    const { io } = cx
    const text = textOrFile(given, io.cwd) as string
    const reason = textOrFile(options.reason, io.cwd)
    const { topic, project, supersedes } = options
    const description = textOrFile(options.description, io.cwd)
    const hub = await cx.connect()
    if (reason !== undefined) {
      const fresh = { decision: text, reason, topic_id: topic, project_id: project, supersedes }
      const decision = await hub.call('memory.decision.add', fresh)
      return { json: { decision_id: decision.id, ...decision }, text: io.say(memoryTexts.addedDecision(decision.id)) }
    }
    if (topic !== undefined) {
      const log = await hub.call('memory.log.add', { topic_id: topic, content: text })
      return { json: { log_id: log.id, ...log }, text: io.say(memoryTexts.addedLog(log.id)) }
    }
    const fresh = { ...somewhere(project, io.cwd), title: text, description, parent_topic_id: options.parent }
    const added = await hub.call('memory.topic.add', fresh)
    return { json: { topic_id: added.id, ...added }, text: io.say(memoryTexts.addedTopic(added.id)) }
  },
})
