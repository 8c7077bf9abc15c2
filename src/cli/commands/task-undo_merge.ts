import type { MergeView } from '#contract/thread.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const words = {
  queued: ({ kind, handle, base, position }: MergeView) => ({
    en: `${kind === 'undo' ? 'Taking' : 'Bringing'} the merge of ${handle} ${kind === 'undo' ? 'out of' : 'back into'} ${visibleLine(base)}: number ${position} in its queue. \`toryo queue\` shows how far it is.`,
    ja: `${visibleLine(base)} ${kind === 'undo' ? `から ${handle} のマージを取り消します` : `に ${handle} のマージを戻します`} (キューの ${position} 番目)。状況は \`toryo queue\` で確認できます。`,
  }),
  done: ({ kind, handle, base, commit }: MergeView) => ({
    en: `The merge of ${handle} is ${kind === 'undo' ? 'undone in' : 'back in'} ${visibleLine(base)} already (${commit?.slice(0, 10) ?? ''}).`,
    ja: `${handle} のマージは ${visibleLine(base)} ${kind === 'undo' ? 'ですでに取り消されています' : 'にすでに戻っています'} (${commit?.slice(0, 10) ?? ''})。`,
  }),
}

export default command<[task: string], { redo?: boolean }>({
  summary: { en: 'Take the merge of a task out of its base again', ja: 'タスクのマージを取り消す' },
  order: 8,
  when: {
    en: 'When merged work should not be in the base after all.',
    ja: 'マージした作業をベースから取り除きたいときに。',
  },
  about: {
    en: 'A commit that reverts it goes through the merge queue, with the checks of the project; later work stays. The task is back in todo then, and tasks that depend on it wait for it again. When the revert conflicts or a check fails, the base stays as it is, and `toryo inbox` says so.',
    ja: 'マージを打ち消すコミットを、プロジェクトのチェックとともにマージキューに通します。後からの作業は残ります。完了するとタスクは未着手に戻り、依存するタスクは再び待ちます。競合やチェック失敗の場合はベースを変えず、`toryo inbox` に表示します。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [{ flags: '--redo', text: { en: 'Bring back what was undone', ja: '取り消したマージを元に戻す' } }],
  examples: [
    ['toryo task undo-merge shop-12', { en: 'out of the base', ja: 'ベースから取り除く' }],
    ['toryo task undo-merge shop-12 --redo', { en: 'into it again', ja: '元に戻す' }],
  ],
  output: 'task.undo_merge',
  async run(cx, { redo }, task_id) {
    const hub = await cx.connect()
    const answer = await hub.call('task.undo_merge', { task_id, redo })
    const { merge } = answer
    return { json: answer, text: cx.io.say(merge.outcome === null ? words.queued(merge) : words.done(merge)) }
  },
})
