import { command } from '../define.ts'
import { somewhere, textOrFile } from '../options.ts'
import { argument, option } from '../texts-help.ts'

const words = {
  restarted: (round: number, phase: string) => ({
    en: `Round ${round} has begun; ${phase} is in progress.`,
    ja: `${round} 周目を開始しました。${phase} が進行中です。`,
  }),
}

export default command<[project?: string], { reason?: string }>({
  summary: { en: 'Begin another round of a finished project', ja: '完了したプロジェクトの次の周回を始める' },
  order: 5,
  when: {
    en: 'When a project should go through its phases once more.',
    ja: 'プロジェクトのフェーズを最初から始めるときに。',
  },
  about: {
    en: 'For a project whose last phase is completed. The rounds before stay on record; `toryo phase history` shows them.',
    ja: '最後のフェーズまで完了したプロジェクトで使います。これまでの周回の記録は残り、`toryo phase history` で確認できます。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [{ flags: '--reason <text | @file>', text: option.phaseReason }],
  examples: [['toryo phase restart shop --reason "version 2"', { en: 'the second round', ja: '2 周目を始める' }]],
  output: 'phase.restart',
  async run(cx, { reason }, project) {
    const text = textOrFile(reason, cx.io.cwd)
    const hub = await cx.connect()
    const begun = await hub.call('phase.restart', { ...somewhere(project, cx.io.cwd), reason: text })
    return { json: begun, text: cx.io.say(words.restarted(begun.round, begun.phase)) }
  },
})
