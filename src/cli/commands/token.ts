import { command } from '../define.ts'

export default command({
  summary: {
    en: "Print the hub's own token; create, list and revoke others",
    ja: 'ハブ自身のトークンを表示。別のトークンの作成・一覧・取り消し',
  },
  group: 'more',
  order: 23,
  when: {
    en: "When a script on this machine calls the hub's API.",
    ja: 'このマシンのスクリプトからハブの API を呼ぶときに。',
  },
  about: {
    en: 'Without a word behind it: the token of the hub that runs, which changes with every start. For other machines create one that lasts: `toryo token create <name>`.',
    ja: 'サブコマンドなしでは、動作中のハブのトークンを表示します。これは起動のたびに変わります。別のマシンには `toryo token create <名前>` で長く使えるトークンを作成してください。',
  },
  examples: [
    ['toryo token', { en: 'valid until this hub stops', ja: 'このハブが停止するまで有効' }],
    [
      '(umask 077; toryo token create laptop --json | jq -r .token > hub.token)',
      { en: 'for --token-file on another machine', ja: '別のマシンの --token-file 用' },
    ],
  ],
  output: 'token',
  async run(cx) {
    const { token } = await cx.ensure()
    return { json: { token }, text: token }
  },
})
