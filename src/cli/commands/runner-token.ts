import { command } from '../define.ts'
import { pairs } from '../format.ts'
import { runnerTexts } from '../texts-runner.ts'

const words = {
  added: (name: string) => ({ en: `Added the Runner ${name}.`, ja: `Runner ${name} を追加しました。` }),
}

export default command<[name: string]>({
  summary: { en: 'Let a Runner in; prints its token once', ja: 'Runner を登録 (トークンは一度だけ表示)' },
  order: 1,
  when: { en: 'Before you start a Runner on another machine.', ja: '別のマシンで Runner を起動する前に。' },
  about: {
    en: 'The token is shown once. It lets a Runner ask what to start and report how it went, and nothing else.',
    ja: 'トークンは一度しか表示されません。開始すべきものを尋ね、結果を伝えることだけができます。',
  },
  arguments: [
    {
      name: '<name>',
      text: { en: 'A name for it; never one that was used before', ja: '名前 (一度使った名前は使えません)' },
    },
  ],
  examples: [
    ['toryo runner token build-box', { en: 'for a machine called build-box', ja: 'build-box というマシン用' }],
  ],
  output: 'runner.add',
  async run(cx, _, name) {
    const { io } = cx
    const hub = await cx.connect()
    const added = await hub.call('runner.add', { name })
    const token = pairs([[io.say(runnerTexts.token), added.token]], io)
    const text = [io.say(words.added(name)), token, io.colors.yellow(io.say(runnerTexts.tokenOnce))]
    return { json: added, text: text.join('\n') }
  },
})
