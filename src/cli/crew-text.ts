import type { CrewRunRecord } from '#contract/records.ts'
import { duration } from './crew-progress.ts'
import { visible, visibleLine } from './escape.ts'
import { pairs } from './format.ts'
import type { Io } from './io.ts'
import { stateColumn, stateText } from './states.ts'
import { table } from './table.ts'
import { crewTexts } from './texts-crew.ts'
import { texts } from './texts.ts'

export function runTable(runs: readonly CrewRunRecord[], io: Io): string {
  const stages = runs.some(run => run.stage !== null)
  return table(
    runs,
    [
      { title: io.say(crewTexts.run), value: run => run.run_id },
      ...(stages ? [{ title: io.say(crewTexts.stage), value: (run: CrewRunRecord) => stageOf(run) }] : []),
      { title: io.say(crewTexts.role), value: run => run.role },
      { title: io.say(texts.status), ...stateColumn(io, run => run.status) },
      {
        title: io.say(crewTexts.time),
        value: run => (run.started_at === null ? null : duration(run.elapsed_ms, io.lang)),
        yields: true,
      },
      { title: io.say(crewTexts.calls), value: run => String(run.tool_calls), optional: true },
      { title: io.say(texts.summary), value: run => run.result?.summary ?? run.last_message, prose: true },
    ],
    io,
  )
}

/** What each has to say, in full. */
export function results(runs: readonly CrewRunRecord[], io: Io): string {
  return runs
    .filter(run => run.result)
    .map(run => {
      const head = `${io.colors.bold(visibleLine(run.role))} ${stateText(run.status, io)} (${run.run_id})`
      const files = [...run.created_files, ...run.edited_files]
      const facts = pairs(
        [
          [io.say(texts.summary), visible(run.result?.summary ?? '')],
          [io.say(crewTexts.problem), visible(run.result?.error ?? '')],
          [io.say(crewTexts.files), files.map(visibleLine).join('\n')],
        ],
        io,
      )
      return `${head}\n${facts}`
    })
    .join('\n\n')
}

function stageOf(run: CrewRunRecord): string | null {
  return run.stage === null ? null : String(run.stage + 1)
}
