import type { MergeView } from '#contract/thread.ts'
import { command } from '../define.ts'
import { baseOf } from '../merge-text.ts'
import { argument } from '../texts-help.ts'

const words = {
  nothing: {
    en: 'Nothing was changed, so there is nothing to merge.',
    ja: '変更がないため、マージするものはありません。',
  },
  queued: ({ handle, base, position }: MergeView) => ({
    en: `${handle} is number ${position} in the queue of ${base}; \`toryo queue\` shows what it waits for.`,
    ja: `${handle} は ${base} のキューの ${position} 番目です。待ち理由は \`toryo queue\` で確認できます。`,
  }),
  merged: ({ handle, commit, ...at }: MergeView) => ({
    en: `${handle} is merged into ${baseOf(at).en} already${commit === null ? '' : ` (${commit.slice(0, 10)})`}.`,
    ja: `${handle} はすでに ${baseOf(at).ja} にマージ済みです${commit === null ? '' : ` (${commit.slice(0, 10)})`}。`,
  }),
}

export default command<[task: string]>({
  summary: {
    en: 'Queue accepted work for its merge, or try again',
    ja: '承認済みの作業をマージキューに追加、または再試行',
  },
  order: 7,
  when: {
    en: 'When accepted work waits, or its merge failed.',
    ja: '承認済みの作業が待っている、またはマージに失敗したときに。',
  },
  about: {
    en: 'Accepted work is queued automatically. Use this for work that was accepted before, and to try again at once after you have removed what a merge waits for.',
    ja: '承認された作業は自動でキューに追加されます。以前に承認した作業を追加するとき、または待ち理由を取り除いた後すぐに再試行するときに使います。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  examples: [['toryo task merge shop-12', { en: 'into the base of its workspace', ja: 'ワークスペースのベースへ' }]],
  output: 'task.merge',
  async run(cx, _, task) {
    const hub = await cx.connect()
    const answer = await hub.call('task.merge', { task_id: task })
    const { merge } = answer
    const text = merge === null ? words.nothing : merge.outcome === null ? words.queued(merge) : words.merged(merge)
    return { json: answer, text: cx.io.say(text) }
  },
})
