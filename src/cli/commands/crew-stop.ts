import { runTable } from '../crew-text.ts'
import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { slowly } from '../slowly.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'

/** What does not end on request is ended by force within 15 s. */
const LOOKS = 10
const LOOK_MS = 2000

export default command<[crew: string]>({
  arguments: [{ name: '<crew>', text: argument.crew }],
  examples: [
    [
      'toryo crew stop grp-…',
      { en: 'what runs ends, and no further stage begins', ja: '実行を終了し、次の段階へ進まない' },
    ],
  ],
  async run(cx, _, word) {
    const { io } = cx
    const hub = await cx.connect()
    const { crew, runs: asked } = await hub.call('crew.stop', { crew_id: word })
    const crew_id = crew.groupId
    if (asked.length === 0) return { json: { crew, runs: [] }, text: '', note: io.say(crewTexts.nothingRuns(crew_id)) }
    const ids = new Set(asked.map(run => run.agentId))
    const runs = await slowly(cx, crewTexts.stopping(crew_id), async () => {
      let shown = await hub.call('crew.show', { crew_id })
      for (let look = 0; look < LOOKS && shown.runs.some(run => run.endedAt === null); look++)
        shown = await hub.call('crew.show', { crew_id, after_event: shown.last_event, wait_ms: LOOK_MS })
      return shown.runs.filter(run => ids.has(run.agentId))
    })
    const isOver = runs.every(run => run.endedAt !== null)
    return {
      json: { crew, runs },
      text: () => runTable(runs, io),
      ...(!isOver && { note: io.say(crewTexts.stopping(crew_id)) }),
      code: isOver ? EXIT.done : EXIT.failed,
    }
  },
})
