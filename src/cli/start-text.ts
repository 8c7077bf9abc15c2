// What is said of a task that was added or is to be started.
import type { ApiOutput } from '#contract/api.ts'
import type { Text } from '#contract/errors.ts'

/** What opening it again would mean. */
const FINISHED: Readonly<Record<string, Text>> = {
  merged: {
    en: 'merged. What is merged stays; an agent would begin again on top of it.',
    ja: 'マージ済みです。マージされた内容は残り、エージェントはその上で作業をやり直します。',
  },
  queued: {
    en: 'accepted and waits to be merged. Started again, it leaves the merge queue.',
    ja: '承認済みでマージを待っています。再開するとマージキューから外れます。',
  },
  review: {
    en: 'reported and waits for review. Started again, that report no longer counts.',
    ja: '報告済みでレビューを待っています。再開すると報告は取り消されます。',
  },
  checking: {
    en: 'reported and is being checked. Started again, that report no longer counts.',
    ja: '報告済みでチェック中です。再開すると報告は取り消されます。',
  },
  done: { en: 'done already.', ja: '完了しています。' },
}

export const startWords = {
  // A title begins with a verb: without quotes it would read "Added Add a cart".
  added: (title: string, handle: string): Text => ({
    en: `Added "${title}" (${handle}).`,
    ja: `「${title}」を追加しました (${handle})。`,
  }),
  does: (agent: string): Text => ({ en: ` ${agent} does it.`, ja: `担当は ${agent} です。` }),
  started: (task: string, agent: string): Text => ({
    en: `${task} is in progress; ${agent} is started for it as soon as a Runner can.`,
    ja: `${task} を開始しました。Runner が可能になり次第、${agent} を起動します。`,
  }),
  /** Undefined where it was not begun on another machine. */
  afresh: ({ from, commit, machine }: ApiOutput<'task.here'>): Text | undefined => {
    const there = { en: machine ?? 'the other machine', ja: machine ?? '元のマシン' }
    if (from === 'snapshot')
      return {
        en: `It begins here with its last snapshot (${commit?.slice(0, 8)}). What lies on ${there.en} stays there.`,
        ja: `最後のスナップショット (${commit?.slice(0, 8)}) から、ここで始めます。${there.ja}にあるものは残ります。`,
      }
    if (from === 'branch')
      return {
        en: `It begins here with its branch, as this repository has it. What lies on ${there.en} stays there.`,
        ja: `このリポジトリにあるブランチから、ここで始めます。${there.ja}にあるものは残ります。`,
      }
    if (from === 'base')
      return {
        en: `It begins here from the base: what was done on ${there.en} is not in this repository, and stays there.`,
        ja: `ベースから、ここで始めます。${there.ja}での作業はこのリポジトリになく、そのマシンに残ります。`,
      }
    return undefined
  },
  unassigned: (task: string): Text => ({
    en: `${task} is in progress, but no agent is to do it: \`toryo task assign ${task} <agent>\`.`,
    ja: `${task} は作業中になりましたが、担当がいません。\`toryo task assign ${task} <エージェント>\` で割り当ててください。`,
  }),
  finished: (task: string, stage: string): Text => ({
    en: `${task} is ${FINISHED[stage]?.en ?? 'done already.'} To have an agent work on it once more: \`toryo task start ${task} --again\`.`,
    ja: `${task} は${FINISHED[stage]?.ja ?? '完了しています。'}もう一度作業させるには: \`toryo task start ${task} --again\``,
  }),
  noRunner: {
    en: 'It starts as soon as `toryo up` runs.',
    ja: '`toryo up` を実行すると作業が始まります。',
  } satisfies Text,
}
