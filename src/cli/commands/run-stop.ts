import { command } from '../define.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'

const LOOKS = 60
const PAUSE_MS = 250

export default command<[run: string]>({
  arguments: [{ name: '<run>', text: argument.run }],
  examples: [['toryo run stop run_…', { en: 'with all that it started', ja: '起動したものすべてを含む' }]],
  async run(cx, _, runId) {
    const { io } = cx
    const hub = await cx.connect()
    let run = await hub.call('run.stop', { run_id: runId })
    for (let look = 0; look < LOOKS && run.endedAt === null; look++) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
      run = await hub.call('run.show', { run_id: runId })
    }
    const said = run.endedAt === null ? crewTexts.stopping(runId) : crewTexts.stopped(runId, run.status)
    return { json: run, text: io.say(said) }
  },
})
