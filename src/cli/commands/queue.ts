import type { MergeView } from '#contract/thread.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { type Column, table } from '../table.ts'
import { option } from '../texts-help.ts'

const words = {
  task: { en: 'Task', ja: 'タスク' },
  place: { en: 'Place', ja: '順番' },
  base: { en: 'Base', ja: 'ベース' },
  since: { en: 'Since', ja: '追加' },
  waits: { en: 'Waits for', ja: '待っているもの' },
  turn: { en: 'its turn is now', ja: 'マージ中' },
  empty: {
    en: 'Nothing waits to be merged. Accepted work is queued automatically; `toryo task merge <task>` queues it manually.',
    ja: 'マージ待ちのタスクはありません。承認された作業は自動で追加されます。手動で追加するには `toryo task merge <タスク>` を使います。',
  },
}

export default command<[], { project?: string; ended?: boolean }>({
  summary: { en: 'The merge queue, and what each entry waits for', ja: 'マージキューと、それぞれの待ち理由' },
  group: 'work',
  order: 16,
  options: [
    { flags: '--project <project>', text: option.project },
    { flags: '--ended', text: { en: 'With the last merges that have ended', ja: '終了した最近のマージも表示' } },
  ],
  examples: [['toryo queue --json', { en: 'for a script', ja: 'スクリプト用' }]],
  async run(cx, { project, ended }) {
    const { io } = cx
    const hub = await cx.connect()
    const answer = await hub.call('merge.list', { project_id: project, ended })
    const columns: Column<MergeView>[] = [
      { title: io.say(words.place), value: row => (row.position === null ? row.outcome : String(row.position)) },
      { title: io.say(words.task), value: row => row.handle },
      { title: io.say(words.base), value: row => row.base },
      { title: io.say(words.since), value: row => ago(row.queued_at, io.now(), io.lang, 'narrow'), optional: true },
      {
        title: io.say(words.waits),
        value: row => row.waits ?? (row.position === null ? (row.commit?.slice(0, 10) ?? null) : io.say(words.turn)),
        prose: true,
      },
    ]
    if (answer.merges.length === 0) return { json: answer, text: '', note: io.say(words.empty) }
    return { json: answer, text: () => table(answer.merges, columns, io) }
  },
})
