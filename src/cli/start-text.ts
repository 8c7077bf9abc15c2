// What is said of a task that is to be started.
import type { Text } from '#contract/errors.ts'

export const startWords = {
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
    en: 'No Runner is there: `toryo up` brings one along and starts it.',
    ja: 'Runner が動いていません。`toryo up` で起動すると作業が始まります。',
  } satisfies Text,
}
