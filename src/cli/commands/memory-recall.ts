import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { ago } from '../format.ts'
import { idOption, projectOption, repeated } from '../memory-options.ts'
import { limitOption, somewhere } from '../options.ts'
import { memoryHelp, memoryTexts } from '../texts-memory.ts'

type Kind = 'topic' | 'log' | 'decision'
type Options = { project?: string; also?: string[]; kind?: Kind[]; topic?: number; limit: number }

export default command<[question: string], Options>({
  arguments: [{ name: '<question>', text: memoryHelp.question }],
  options: [
    projectOption,
    { flags: '--also <phrasing>', text: memoryHelp.also, parse: repeated },
    { flags: '--kind <kind>', text: memoryHelp.kind, parse: repeated },
    idOption('--topic', memoryHelp.onlyTopic),
    { ...limitOption, default: 10 },
  ],
  examples: [
    ['toryo memory recall "how do users sign in" --project shop --also 認証方式', { en: 'best first', ja: '良い順' }],
  ],
  async run(cx, { project, also = [], kind, topic, limit }, question) {
    const { io } = cx
    const hub = await cx.connect()
    const answer = await hub.call('memory.recall', {
      ...somewhere(project, io.cwd),
      queries: [question, ...also],
      // An unknown one is refused by the hub, which says which there are.
      kinds: kind,
      topic_id: topic,
      limit,
    })
    const note = answer.notice ?? (answer.results.length === 0 ? io.say(memoryTexts.nothingFound) : undefined)
    const text = () =>
      answer.results
        .map(hit => {
          const where = [`${hit.kind} ${hit.id}`, visibleLine(hit.topic_path), ago(hit.created_at, io.now(), io.lang)]
          const replaced = hit.superseded_by === undefined ? [] : [io.say(memoryTexts.supersededBy(hit.superseded_by))]
          const line = [...where.filter(Boolean), ...replaced].join(' · ')
          return `${io.colors.bold(visibleLine(hit.title))}\n  ${visible(hit.snippet)}\n  ${io.colors.dim(line)}`
        })
        .join('\n\n')
    return { json: answer, text, ...(note && { note }) }
  },
})
