import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { findWork } from '../find-work.ts'
import { LAUNCH_PATIENCE_MS, launchedAnswer } from '../launched-tab.ts'
import { slowly } from '../slowly.ts'
import { argument } from '../texts-help.ts'

const words = {
  taking: { en: 'Taking its conversation into a tab …', ja: '会話をタブに引き継いでいます…' },
  isTab: (tab: string) => ({
    en: `${tab} is a tab already. \`toryo tab attach ${tab}\` shows it.`,
    ja: `${tab} は既にタブです。\`toryo tab attach ${tab}\` で画面を開けます。`,
  }),
}

export default command<[run: string]>({
  summary: { en: 'Go on with the conversation of a run in a tab', ja: '実行の会話をタブで続ける' },
  order: 5,
  when: {
    en: 'When you want to ask the agent of an ended run, or go on where it stopped.',
    ja: '終了した実行のエージェントに質問したり、続きを任せたりするときに。',
  },
  about: {
    en: "Opens a terminal with the run's engine in the folder that the run worked in, and lets the engine go on with the same conversation. The run must have ended, on this machine. It counts and is recorded as any other tab.",
    ja: '実行が作業したフォルダーで同じエンジンをターミナルに開き、同じ会話を続けます。実行は終了していて、このマシンで行われたものである必要があります。他のタブと同じように制限と記録の対象になります。',
  },
  arguments: [{ name: '<run>', text: argument.run }],
  examples: [
    ['toryo run take shop-12', { en: 'the last run on a task', ja: 'タスクの最新の実行' }],
    ['toryo run take run_…', { en: 'a run of a crew', ja: 'クルーの実行' }],
  ],
  output: 'run.take',
  async run(cx, _, given) {
    const hub = await cx.connect()
    const run_id = await findWork(hub, given)
    if (run_id.startsWith('tab_')) throw CliError.USAGE({ text: words.isTab(run_id) })
    const tab = await slowly(cx, words.taking, () =>
      hub.call('run.take', { run_id }, { timeoutMs: LAUNCH_PATIENCE_MS }),
    )
    return launchedAnswer(tab, cx.io)
  },
})
