import type { MergeView } from '#contract/thread.ts'
import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { ago } from '../format.ts'
import type { Io } from '../io.ts'
import { baseOf, returnedLine } from '../merge-text.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { type Column, table } from '../table.ts'
import { wrap } from '../wrap.ts'

const words = {
  task: { en: 'Task', ja: 'タスク' },
  place: { en: 'Place', ja: '順番' },
  base: { en: 'Base', ja: 'ベース' },
  since: { en: 'Since', ja: '追加' },
  state: { en: 'State', ja: '状態' },
  stuck: { en: 'waits; see below', ja: '待機中 (下記参照)' },
  turn: { en: 'being merged now', ja: 'マージ中' },
  ended: {
    merged: (merge: MergeView) => ({
      en: `merged as ${merge.commit?.slice(0, 10) ?? ''}${merge.merged_on ? ` into ${baseOf(merge).en}` : ''}`,
      ja: `${merge.merged_on ? `${baseOf(merge).ja} に` : ''}マージ済み (${merge.commit?.slice(0, 10) ?? ''})`,
    }),
    conflict: ({ files }: MergeView) => ({
      en: `conflicts in ${files.map(visibleLine).join(', ')}; went back to its agent`,
      ja: `${files.map(visibleLine).join(', ')} で競合したためエージェントへ差し戻し`,
    }),
    failed: () => ({ en: 'a check failed merged; went back to its agent', ja: 'マージ後のチェック失敗により差し戻し' }),
    withdrawn: () => ({
      en: 'left the queue: its task is not accepted any more',
      ja: '承認の取り消しによりキューから除外',
    }),
  },
  undo: {
    undo: { en: 'undo', ja: '取り消し' },
    redo: { en: 'redo', ja: '取り消しの解除' },
    merged: ({ kind, commit }: MergeView) => ({
      en: `${kind === 'undo' ? 'merge undone' : 'merge brought back'} as ${commit?.slice(0, 10) ?? ''}`,
      ja: `マージを${kind === 'undo' ? '取り消し済み' : '元に戻しました'} (${commit?.slice(0, 10) ?? ''})`,
    }),
    conflict: ({ files }: MergeView) => ({
      en: `not undone: ${files.map(visibleLine).join(', ')} changed since`,
      ja: `取り消し失敗: ${files.map(visibleLine).join(', ')} で競合`,
    }),
    failed: ({ check }: MergeView) => ({
      en: `not undone: check ${visibleLine(check ?? '')} failed`,
      ja: `取り消し失敗: チェック ${visibleLine(check ?? '')} が失敗`,
    }),
    withdrawn: () => ({ en: 'left the queue: nothing to undo', ja: '取り消すものがないためキューから除外' }),
  },
  empty: {
    en: 'Nothing waits to be merged. Accepted work is queued automatically; `toryo task merge <task>` queues it manually.',
    ja: 'マージ待ちのタスクはありません。承認された作業は自動で追加されます。手動で追加するには `toryo task merge <タスク>` を使います。',
  },
}

export default command<[], { project?: string; ended?: boolean }>({
  summary: { en: 'The merge queue, and what each entry waits for', ja: 'マージキューと、それぞれの待ち理由' },
  group: 'work',
  order: 16,
  when: {
    en: 'To see what is being merged, and what waits and why.',
    ja: '何がマージ中で、何がなぜ待っているかを見るときに。',
  },
  options: [
    projectOption,
    { flags: '--ended', text: { en: 'With the last merges that have ended', ja: '終了した最近のマージも表示' } },
  ],
  examples: [['toryo queue --json', { en: 'for a script', ja: 'スクリプト用' }]],
  output: 'merge.list',
  async run(cx, { project, ended }) {
    const { io } = cx
    const hub = await cx.connect()
    const project_id = await projectHere(cx, hub, project)
    const answer = await hub.call('merge.list', { project_id, ended, returned: true })
    // Where they stand in the table with the others that have ended, they are not said twice.
    const back = ended ? [] : answer.merges.filter(({ outcome }) => outcome !== null)
    const shown = answer.merges.filter(merge => !back.includes(merge))
    const nameOf = back.length === 0 ? String : await agentNames(cx, hub)
    const notes = back.map(merge => wrap(returnedLine(merge, nameOf, io), io.width ?? Infinity))
    const columns: Column<MergeView>[] = [
      { title: io.say(words.place), value: row => row.position?.toString() ?? null },
      {
        title: io.say(words.task),
        value: row => (row.kind === 'merge' ? row.handle : `${row.handle} (${io.say(words.undo[row.kind])})`),
      },
      { title: io.say(words.base), value: row => row.base },
      { title: io.say(words.since), value: row => ago(row.queued_at, io.now(), io.lang, 'narrow'), optional: true },
      {
        title: io.say(words.state),
        value: row => stateOf(row, io),
        prose: true,
      },
    ]
    if (shown.length === 0) return { json: answer, text: notes.join('\n'), note: io.say(words.empty) }
    // In full: it says what to do.
    const reasons = answer.merges.flatMap(({ handle, position, waits }) =>
      position === 1 && waits !== null ? [wrap(`${handle}: ${visibleLine(waits)}`, io.width ?? Infinity)] : [],
    )
    return { json: answer, text: () => [table(shown, columns, io), ...reasons, ...notes].join('\n\n') }
  },
})

function stateOf(row: MergeView, io: Io): string {
  if (row.outcome !== null) return io.say(words[row.kind === 'merge' ? 'ended' : 'undo'][row.outcome](row))
  if (row.waits === null) return io.say(words.turn)
  return row.position === 1 ? io.say(words.stuck) : row.waits
}
