import { duration } from '../crew-progress.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { moment, pairs } from '../format.ts'
import { statusColour } from '../status-colour.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[run: string]>({
  arguments: [{ name: '<run>', text: argument.run }],
  examples: [['toryo run show run_…', { en: 'everything about it', ja: 'すべてを表示' }]],
  async run(cx, _, runId) {
    const { io } = cx
    const hub = await cx.connect()
    const run = await hub.call('run.show', { run_id: runId })
    const { usage } = run
    const exit = run.exitCode === null ? '' : `, exit ${run.exitCode}`
    const files = [...run.createdFiles, ...run.editedFiles]
    const text = () =>
      `${io.colors.bold(visibleLine(run.role))} (${run.agentId})\n${pairs(
        [
          [io.say(texts.status), statusColour(io)(run.status)],
          [io.say(crewTexts.reason), run.endReason && `${visibleLine(run.endReason)}${exit}`],
          [io.say(crewTexts.crew), run.groupId],
          [io.say(crewTexts.stage), run.stageIndex === null ? null : String(run.stageIndex + 1)],
          [io.say(crewTexts.engine), `${visibleLine(run.engine)} (${visibleLine(run.model)})`],
          [io.say(crewTexts.folder), visibleLine(run.workingDirectory)],
          [io.say(texts.created), `${moment(run.createdAt, io)}, ${visibleLine(run.started_by)}`],
          [io.say(crewTexts.time), run.startedAt === null ? null : duration(run.elapsed_ms)],
          [io.say(crewTexts.ended), run.endedAt && moment(run.endedAt, io)],
          [io.say(crewTexts.calls), String(run.toolCallCount)],
          [io.say(crewTexts.tokens), usage && `${usage.input} → ${usage.output} (${usage.cached})`],
          [io.say(crewTexts.cost), run.cost_usd === null ? null : `$${run.cost_usd.toFixed(4)}`],
          [io.say(crewTexts.session), run.sessionId && visibleLine(run.sessionId)],
          [io.say(crewTexts.log), run.log_file],
          [io.say(crewTexts.files), files.map(visibleLine).join('\n')],
          [io.say(crewTexts.prompt), visible(run.prompt)],
          [io.say(crewTexts.lastMessage), run.result ? null : visible(run.lastMessage ?? '')],
          [io.say(crewTexts.result), run.result && `${run.result.status} (${run.result.source})`],
          [io.say(texts.summary), visible(run.result?.summary ?? '')],
          [io.say(crewTexts.problem), visible(run.result?.errorMessage ?? '')],
        ],
        io,
      )}`
    return { json: run, text }
  },
})
