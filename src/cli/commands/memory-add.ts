import { command } from '../define.ts'
import { idOption, projectOption } from '../memory-options.ts'
import { somewhere, textOrFile } from '../options.ts'
import { option } from '../texts-help.ts'

type Options = {
  project?: string
  topic?: number
  parent?: number
  description?: string
  reason?: string
  supersedes?: number
  task?: string[]
}

const words = {
  addedTopic: (id: number) => ({ en: `Added topic ${id}.`, ja: `トピック ${id} を追加しました。` }),
  addedLog: (id: number) => ({ en: `Added log ${id}.`, ja: `ログ ${id} を追加しました。` }),
  addedDecision: (id: number) => ({ en: `Added decision ${id}.`, ja: `決定 ${id} を追加しました。` }),
}

export default command<[text: string], Options>({
  summary: { en: 'Add a topic, a log or a decision', ja: 'トピック・ログ・決定を追加' },
  order: 1,
  when: {
    en: 'When agents should remember something: a topic, entry or decision.',
    ja: 'エージェントに覚えておいてほしいことがあるときに。',
  },
  about: {
    en: 'With --reason it is a decision, else with --topic a log of that topic, else the title of a new topic of the project. A decision with neither --topic nor --project holds in every project.',
    ja: '--reason があれば決定、--topic だけならそのトピックのログ、どちらもなければプロジェクトの新しいトピックになります。--topic も --project もない決定は全プロジェクトに適用されます。',
  },
  arguments: [{ name: '<text>', text: { en: 'The text, or @file', ja: '文章または @ファイル' } }],
  options: [
    projectOption,
    idOption('--topic', { en: 'The topic it belongs to', ja: '属するトピック' }),
    idOption('--parent', { en: 'The topic that the new one belongs below', ja: '親のトピック' }),
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    {
      flags: '--reason <text | @file>',
      text: { en: 'Why it was decided so: text, or @file', ja: '決定の理由: 文章または @ファイル' },
    },
    idOption('--supersedes', { en: 'The decision that it replaces', ja: '置き換える決定' }),
    {
      flags: '--task <task>',
      text: {
        en: 'A task that the decision is about (may be given several times)',
        ja: '決定の対象となるタスク (複数回指定可)',
      },
      parse: (value, before) => [...((before as string[] | undefined) ?? []), value],
    },
  ],
  examples: [
    ['toryo memory add "How users sign in" --project shop', { en: 'a new topic', ja: '新しいトピック' }],
    ['toryo memory add "AI: JWT? User: yes" --topic 1', { en: 'a log of it', ja: 'そのログ' }],
    ['toryo memory add "Use JWT" --topic 1 --reason "no session store"', { en: 'its decision', ja: 'その決定' }],
  ],
  output: 'memoryAdded',
  async run(cx, options, given) {
    const { io } = cx
    const text = textOrFile(given, io.cwd) as string
    const reason = textOrFile(options.reason, io.cwd)
    const { topic, project, supersedes } = options
    const description = textOrFile(options.description, io.cwd)
    const hub = await cx.connect()
    if (reason !== undefined) {
      const fresh = { decision: text, reason, topic_id: topic, project_id: project, supersedes, task_ids: options.task }
      const decision = await hub.call('memory.decision.add', fresh)
      return { json: { decision_id: decision.id, ...decision }, text: io.say(words.addedDecision(decision.id)) }
    }
    if (topic !== undefined) {
      const log = await hub.call('memory.log.add', { topic_id: topic, content: text })
      return { json: { log_id: log.id, ...log }, text: io.say(words.addedLog(log.id)) }
    }
    const fresh = { ...somewhere(project, io.cwd), title: text, description, parent_topic_id: options.parent }
    const added = await hub.call('memory.topic.add', fresh)
    return { json: { topic_id: added.id, ...added }, text: io.say(words.addedTopic(added.id)) }
  },
})
