import type { CrewRunState } from '#contract/crews.ts'
import type { StoredEvent } from '#contract/events.ts'
import { command } from '../define.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'

/** A run that is asked to end may take its time; what is left after this the hub ends by itself. */
const WAIT_MS = 15_000

const words = {
  stopped: (run: string, status: string) => ({
    en: `${run} has ended: ${status}.`,
    ja: `${run} は終了しました: ${status}`,
  }),
}

export default command<[run: string]>({
  summary: { en: 'End a run and all that it started', ja: '実行とその子プロセスを終了' },
  order: 4,
  arguments: [{ name: '<run>', text: argument.run }],
  examples: [['toryo run stop run_…', { en: 'with all that it started', ja: '起動したものすべてを含む' }]],
  async run(cx, _, runId) {
    const { io } = cx
    const hub = await cx.connect()
    let run = await hub.call('run.stop', { run_id: runId })
    if (run.endedAt === null)
      for await (const event of hub.events(undefined, AbortSignal.timeout(WAIT_MS))) {
        if (event && !isAbout(event, run)) continue
        run = await hub.call('run.show', { run_id: run.agentId })
        if (run.endedAt !== null) break
      }
    const said = run.endedAt === null ? crewTexts.stopping(runId) : words.stopped(runId, run.status)
    return { json: run, text: io.say(said) }
  },
})

function isAbout({ payload }: StoredEvent, run: CrewRunState): boolean {
  return (payload as { runId?: string }).runId === run.agentId
}
