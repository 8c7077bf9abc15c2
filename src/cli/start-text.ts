// What is said of a task that was added or is to be started.
import type { Text } from '#contract/errors.ts'

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
  unassigned: (task: string): Text => ({
    en: `${task} is in progress, but no agent is to do it: \`toryo task assign ${task} <agent>\`.`,
    ja: `${task} は作業中になりましたが、担当がいません。\`toryo task assign ${task} <エージェント>\` で割り当ててください。`,
  }),
  noRunner: {
    en: 'It starts as soon as `toryo up` runs.',
    ja: '`toryo up` を実行すると作業が始まります。',
  } satisfies Text,
}
