import { command } from '../define.ts'
import { about, argument } from '../texts-help.ts'
import { runnerTexts } from '../texts-runner.ts'

export default command<[engine: string]>({
  about: about.engineResume,
  arguments: [{ name: '<engine>', text: argument.engine }],
  examples: [['toryo engine resume claude', { en: 'after the quota was raised', ja: '利用枠を増やした後に' }]],
  async run(cx, _, engine) {
    const hub = await cx.connect()
    const answer = await hub.call('engine.resume', { engine })
    const text = answer.was_paused ? runnerTexts.resumed : runnerTexts.notPaused
    return { json: answer, text: cx.io.say(text(answer.engine)) }
  },
})
