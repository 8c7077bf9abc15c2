import type { WorkView } from '#contract/work.ts'
import { duration } from '../crew-progress.ts'
import { command } from '../define.ts'
import { limitOption } from '../options.ts'
import { projectHere, projectOption } from '../project-here.ts'
import type { Io } from '../io.ts'
import { shortId } from '../short-id.ts'
import { runColumn } from '../run-status.ts'
import { type Column, table } from '../table.ts'
import { option } from '../texts-help.ts'
import { texts } from '../texts.ts'
import { about } from '../up/work-text.ts'
import { cost, inAndOut, usedTitles } from '../used-text.ts'

const words = {
  id: { en: 'RUN', ja: '実行' },
  who: { en: 'WHO', ja: '担当' },
  what: { en: 'WORK', ja: '作業' },
  time: { en: 'TIME', ja: '時間' },
  last: { en: 'LAST', ja: '最後の動作' },
  tokens: { en: 'INPUT → OUTPUT', ja: '入力 → 出力' },
  none: {
    en: 'Nothing runs. `toryo task start <task>` and `toryo up` have an agent work on a task.',
    ja: '動いているものはありません。`toryo task start <タスク>` と `toryo up` でエージェントがタスクに取りかかります。',
  },
  closer: {
    en: '`toryo run logs <run>` shows what one does, `toryo run stop <run>` ends it.',
    ja: '`toryo run logs <実行>` で様子を確認、`toryo run stop <実行>` で終了できます。',
  },
}

export default command<[], { crew?: string; project?: string; status?: string; limit: number; open?: boolean }>({
  summary: {
    en: 'List everything that runs: agents, crews, tabs',
    ja: '動いているものすべての一覧 (担当・クルー・タブ)',
  },
  order: 1,
  when: {
    en: 'To see what works now: agents on tasks, crews and tabs.',
    ja: '今動いているもの (タスク・クルー・タブ) を見るときに。',
  },
  about: {
    en: 'Shows what is at work first, then what ended last.',
    ja: '動作中のもの、最近終了したものの順に表示します。',
  },
  options: [
    projectOption,
    { flags: '--crew <crew>', text: { en: 'Only of this crew', ja: 'このクルーのものだけ' } },
    { flags: '--status <status>', text: option.status },
    { flags: '--open', text: { en: 'Only what has not ended', ja: '終了していないものだけ' } },
    { ...limitOption, text: { en: 'At most this many that have ended', ja: '終了したものの最大件数' }, default: 20 },
  ],
  examples: [
    ['toryo run list', { en: 'what works now, and what ended last', ja: '動作中のものと、最近終了したもの' }],
    ['toryo run list --open --json', { en: 'for a script', ja: 'スクリプト用' }],
  ],
  output: 'work.list',
  async run(cx, { crew, project, status, limit, open }) {
    const { io } = cx
    const hub = await cx.connect()
    const ended = open ? 0 : Math.min(limit, 200)
    const crewId = crew && (await hub.call('crew.show', { crew_id: crew })).crew.crew_id
    const all = await hub.call('work.list', { project_id: await projectHere(cx, hub, project), ended })
    const work = all.work.filter(
      one => (crewId === undefined || one.crew_id === crewId) && (status === undefined || one.status === status),
    )
    if (work.length === 0) return { json: { ...all, work }, text: '', note: io.say(words.none) }
    const columns: Column<WorkView>[] = [
      { title: io.say(words.id), value: row => shortId(row.work_id) },
      { title: io.say(words.who), value: row => row.name, prose: true },
      { title: io.say(texts.engine), value: row => row.engine, optional: true },
      { title: io.say(words.what), value: about, prose: true },
      { title: io.say(texts.status), ...runColumn(io) },
      { title: io.say(words.time), value: row => timeOf(row, io), yields: true },
      { title: io.say(words.last), value: row => row.reason ?? row.last_action, prose: true, optional: true },
      { title: io.say(words.tokens), value: row => inAndOut(row.tokens), optional: true },
      { title: io.say(usedTitles.cost), value: row => cost(row.cost_usd, io), optional: true },
    ]
    return { json: { ...all, work }, text: () => table(work, columns, io), note: io.say(words.closer) }
  },
})

function timeOf({ started_at, ended_at }: WorkView, { now, lang }: Pick<Io, 'now' | 'lang'>): string {
  return duration(Math.max(0, (ended_at === null ? now() : Date.parse(ended_at)) - Date.parse(started_at)), lang)
}
