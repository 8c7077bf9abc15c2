import { command } from '../define.ts'
import { about, argument } from '../texts-help.ts'
import { tokenTexts } from '../texts-token.ts'

export default command<[name: string]>({
  about: about.tokenRevoke,
  arguments: [{ name: '<name>', text: argument.token }],
  examples: [['toryo token revoke laptop', { en: 'when it is lost', ja: '紛失したとき' }]],
  async run(cx, _, name) {
    const hub = await cx.connect()
    const token = await hub.call('token.revoke', { name })
    return { json: token, text: cx.io.say(tokenTexts.revoked(token.name)) }
  },
})
