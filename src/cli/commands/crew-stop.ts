import { runTable } from '../crew-text.ts'
import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { followCrew } from '../follow-crew.ts'
import { slowly } from '../slowly.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'

/** What does not end on request is ended by force within 15 s. */
const WAIT_MS = 20_000

const words = {
  nothingRuns: (crew: string) => ({
    en: `No run of ${crew} is under way; nothing to stop.`,
    ja: `${crew} に実行中のものはありません。`,
  }),
}

export default command<[crew: string]>({
  summary: { en: 'End all runs of a crew', ja: 'クルーの実行をすべて終了' },
  order: 4,
  when: { en: 'When a whole crew goes the wrong way.', ja: 'クルー全体が間違った方向へ進んでいるときに。' },
  arguments: [{ name: '<crew>', text: argument.crew }],
  examples: [
    [
      'toryo crew stop grp-…',
      { en: 'what runs ends, and no further stage begins', ja: '実行を終了し、次の段階へ進まない' },
    ],
  ],
  output: 'crew.stop',
  async run(cx, _, word) {
    const { io } = cx
    const hub = await cx.connect()
    const { crew, runs: asked } = await hub.call('crew.stop', { crew_id: word })
    const crew_id = crew.crew_id
    if (asked.length === 0) return { json: { crew, runs: [] }, text: '', note: io.say(words.nothingRuns(crew_id)) }
    const ids = new Set(asked.map(run => run.run_id))
    const runs = await slowly(cx, crewTexts.stopping(crew_id), async () => {
      const shown = await followCrew(hub, crew_id, AbortSignal.timeout(WAIT_MS))
      return shown.runs.filter(run => ids.has(run.run_id))
    })
    const isOver = runs.every(run => run.ended_at !== null)
    return {
      json: { crew, runs },
      text: () => runTable(runs, io),
      ...(!isOver && { note: io.say(crewTexts.stopping(crew_id)) }),
      code: isOver ? EXIT.done : EXIT.failed,
    }
  },
})
