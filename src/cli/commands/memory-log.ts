import type { ApiOutput } from '#contract/api.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { moment } from '../format.ts'
import type { Io } from '../io.ts'
import { idOption, number } from '../memory-options.ts'
import { limitOption } from '../options.ts'
import { memoryTexts } from '../texts-memory.ts'

type Shown = ApiOutput<'memory.topic.show'>

const words = {
  supersedes: (id: number) => ({ en: `replaces decision ${id}`, ja: `決定 ${id} を置き換え` }),
}

export default command<[topic: string], { from?: number; limit: number }>({
  summary: { en: 'Read a discussion and its decisions', ja: '議論と決定を読む' },
  order: 3,
  when: { en: 'To read what was said and decided on a topic.', ja: 'トピックの経緯と決定を読むときに。' },
  arguments: [{ name: '<topic>', text: { en: 'The number of a topic', ja: 'トピックの番号' } }],
  options: [idOption('--from', { en: 'Begin with this log', ja: 'このログから' }), limitOption],
  examples: [['toryo memory log 1', { en: 'the discussion and what came of it', ja: '議論とその結果' }]],
  output: 'memory.topic.show',
  async run(cx, { from, limit }, topic) {
    const hub = await cx.connect()
    const shown = await hub.call('memory.topic.show', { topic_id: number('<topic>', topic), start_id: from, limit })
    return { json: shown, text: () => parts(shown, cx.io).join('\n\n') }
  },
})

function parts(shown: Shown, io: Io): string[] {
  const title = `${io.colors.bold(visibleLine(shown.title))} ${io.colors.dim(`#${shown.id} · ${visibleLine(shown.project_name)}`)}`
  const head = shown.description === null ? title : `${title}\n${visible(shown.description)}`
  if (shown.logs.length + shown.decisions.length === 0)
    return [head, io.colors.dim(io.say({ en: 'Nothing has been said here yet.', ja: 'まだ何も話されていません。' }))]
  const logs = shown.logs.map(
    log => `${io.colors.dim(`#${log.id} ${moment(log.created_at, io)}`)}\n${indented(log.content)}`,
  )
  return [head, ...logs, ...shown.decisions.map(decision => decisionText(decision, io))]
}

export function decisionText(decision: Shown['decisions'][number], io: Io): string {
  const { id, created_at, supersedes, superseded_by: by, person } = decision
  const stands = by === undefined
  const mark = stands ? io.colors.green('✓') : io.colors.dim('✗')
  const facts = [
    moment(created_at, io),
    ...(person === undefined ? [] : [visibleLine(person)]),
    ...(supersedes === undefined ? [] : [io.say(words.supersedes(supersedes))]),
    ...(by === undefined ? [] : [io.say(memoryTexts.supersededBy(by))]),
  ]
  const head = `${mark} ${io.say({ en: 'DECISION', ja: '決定' })} ${id} ${io.colors.dim(facts.join(' · '))}`
  const text = stands ? io.colors.bold(indented(decision.decision)) : io.colors.dim(indented(decision.decision))
  return `${head}\n${text}\n${io.colors.dim(`  ${io.say({ en: 'reason', ja: '理由' })}:`)}\n${indented(decision.reason)}`
}

function indented(text: string): string {
  return visible(text.trimEnd()).replaceAll(/^/gm, '  ')
}
