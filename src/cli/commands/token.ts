import { command } from '../define.ts'
import { about } from '../texts-help.ts'

export default command({
  about: about.token,
  examples: [
    ['toryo token', { en: 'valid until this hub stops', ja: 'このハブが停止するまで有効' }],
    [
      '(umask 077; toryo token create laptop --json | jq -r .token > hub.token)',
      { en: 'for --token-file on another machine', ja: '別のマシンの --token-file 用' },
    ],
  ],
  async run(cx) {
    const { token } = await cx.ensure()
    return { json: { token }, text: token }
  },
})
