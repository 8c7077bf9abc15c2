import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  removed: (name: string) => ({ en: `Removed check ${name}.`, ja: `チェック ${name} を削除しました。` }),
}

export default command<[name: string], { project?: string }>({
  summary: { en: 'Remove a check', ja: 'チェックを削除' },
  order: 4,
  when: { en: 'When reported work need not pass a check any more.', ja: 'チェックが不要になったときに。' },
  about: {
    en: 'One that .toryo/config.json names is a proposal again: it does not run until it is trusted.',
    ja: '.toryo/config.json にあるものは未許可に戻り、再び許可するまで実行しません。',
  },
  arguments: [{ name: '<name>', text: argument.name }],
  options: [projectOption],
  examples: [['toryo project check remove lint', { en: 'its evidence stays', ja: '記録は残る' }]],
  output: 'project.check.remove',
  async run(cx, { project }, name) {
    const hub = await cx.connect()
    const removed = await hub.call('project.check.remove', { ...somewhere(project, cx.io.cwd), name })
    return { json: removed, text: cx.io.say(words.removed(removed.name)) }
  },
})
