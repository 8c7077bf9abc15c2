import { command } from '../define.ts'
import { pairs } from '../format.ts'
import { runnerTexts } from '../texts-runner.ts'

const words = {
  created: (name: string) => ({ en: `Created the token ${name}.`, ja: `トークン ${name} を作成しました。` }),
}

export default command<[name: string]>({
  summary: {
    en: 'Create a token that outlives the hub; prints it once',
    ja: 'ハブを再起動しても使えるトークンを作成 (一度だけ表示)',
  },
  order: 1,
  when: { en: 'When you use the hub from another machine.', ja: '別のマシンからハブを使うときに。' },
  about: {
    en: "It has the operator's rights, over --url with --token-file: for the CLI and `toryo mcp` on another machine. It is shown once, and valid until `toryo token revoke`.",
    ja: 'オペレーターの権限を持ち、別のマシンの CLI や `toryo mcp` から --url と --token-file で使います。一度しか表示されません。`toryo token revoke` で取り消すまで有効です。',
  },
  arguments: [
    {
      name: '<name>',
      text: { en: 'A name that was never used before', ja: 'トークンの名前 (一度使った名前は使えません)' },
    },
  ],
  examples: [['toryo token create laptop', { en: 'for a machine called laptop', ja: 'laptop というマシン用' }]],
  output: 'token.add',
  async run(cx, _, name) {
    const { io } = cx
    const hub = await cx.connect()
    const added = await hub.call('token.add', { name })
    const token = pairs([[io.say(runnerTexts.token), added.token]], io)
    const text = [io.say(words.created(name)), token, io.colors.yellow(io.say(runnerTexts.tokenOnce))]
    return { json: added, text: text.join('\n') }
  },
})
