import { command } from '../define.ts'
import { pairs } from '../format.ts'
import { about, argument } from '../texts-help.ts'
import { runnerTexts } from '../texts-runner.ts'

export default command<[name: string]>({
  about: about.runnerToken,
  arguments: [{ name: '<name>', text: argument.newRunner }],
  examples: [['toryo runner token build-box', { en: 'for a machine called build-box', ja: 'build-box という機械用' }]],
  async run(cx, _, name) {
    const { io } = cx
    const hub = await cx.connect()
    const added = await hub.call('runner.add', { name })
    const token = pairs([[io.say(runnerTexts.token), added.token]], io)
    const text = [io.say(runnerTexts.added(name)), token, io.colors.yellow(io.say(runnerTexts.tokenOnce))]
    return { json: added, text: text.join('\n') }
  },
})
