import { command } from '../define.ts'
import { about, argument } from '../texts-help.ts'
import { runnerTexts } from '../texts-runner.ts'

export default command<[name: string]>({
  about: about.runnerRevoke,
  arguments: [{ name: '<name>', text: argument.runner }],
  examples: [['toryo runner revoke build-box', { en: 'when its token has leaked', ja: 'トークンが漏れたとき' }]],
  async run(cx, _, name) {
    const hub = await cx.connect()
    const runner = await hub.call('runner.revoke', { name })
    return { json: runner, text: cx.io.say(runnerTexts.revoked(runner.name)) }
  },
})
