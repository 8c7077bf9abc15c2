import { command } from '../define.ts'
import { pairs } from '../format.ts'
import { about, argument } from '../texts-help.ts'
import { runnerTexts } from '../texts-runner.ts'
import { tokenTexts } from '../texts-token.ts'

export default command<[name: string]>({
  about: about.tokenCreate,
  arguments: [{ name: '<name>', text: argument.newToken }],
  examples: [['toryo token create laptop', { en: 'for a machine called laptop', ja: 'laptop というマシン用' }]],
  async run(cx, _, name) {
    const { io } = cx
    const hub = await cx.connect()
    const added = await hub.call('token.add', { name })
    const token = pairs([[io.say(runnerTexts.token), added.token]], io)
    const text = [io.say(tokenTexts.created(name)), token, io.colors.yellow(io.say(runnerTexts.tokenOnce))]
    return { json: added, text: text.join('\n') }
  },
})
