import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { ago } from '../format.ts'
import { idOption, projectOption, repeated } from '../memory-options.ts'
import { limitOption, somewhere } from '../options.ts'
import { memoryTexts } from '../texts-memory.ts'

type Kind = 'topic' | 'log' | 'decision'
type Options = { project?: string; also?: string[]; kind?: Kind[]; topic?: number; limit: number }

export default command<[question: string], Options>({
  summary: { en: 'Find what fits a question, best first', ja: '質問に合うものを良い順に探す' },
  order: 5,
  when: { en: 'When you have a question, not a word to search for.', ja: '検索語ではなく、質問があるときに。' },
  arguments: [{ name: '<question>', text: { en: 'What you want to know', ja: '知りたいこと' } }],
  options: [
    projectOption,
    {
      flags: '--also <phrasing>',
      text: {
        en: 'Another phrasing, e.g. in the other language; may be repeated',
        ja: '別の言い方 (もう一方の言語など、複数指定可)',
      },
      parse: repeated,
    },
    {
      flags: '--kind <kind>',
      text: {
        en: 'Only topic, log or decision; may be repeated',
        ja: 'topic・log・decision のうちこれだけ (複数指定可)',
      },
      parse: repeated,
    },
    idOption('--topic', { en: 'Only in this topic and below', ja: 'このトピックとその下だけ' }),
    { ...limitOption, default: 10 },
  ],
  examples: [
    ['toryo memory recall "how do users sign in" --project shop --also 認証方式', { en: 'best first', ja: '良い順' }],
  ],
  output: 'memory.recall',
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
