import { command } from '../define.ts'

export default command({
  examples: [
    [
      '(umask 077; toryo token > hub.token)',
      { en: 'for --token-file on another machine', ja: '別の機械の --token-file 用' },
    ],
  ],
  async run(cx) {
    const { token } = await cx.ensure()
    return { json: { token }, text: token }
  },
})
