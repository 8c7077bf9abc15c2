import type { ApiOutput } from '#contract/api.ts'
import { duration } from '../crew-progress.ts'
import { agentNames } from '../agent-names.ts'
import { commandLine } from '../check-text.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { moment, pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { RAN_IN } from '../review-text.ts'
import { shortId } from '../short-id.ts'
import { runText } from '../run-status.ts'
import { stateText, stateWord } from '../states.ts'
import { findWork } from '../find-work.ts'
import { crewTexts } from '../texts-crew.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'
import { spentPairs } from '../used-text.ts'
import tabShow from './tab-show.ts'

const words = {
  engine: { en: 'Engine', ja: 'エンジン' },
  ended: { en: 'Ended', ja: '終了' },
  why: { en: 'Why it ended', ja: '終了の理由' },
  denied: { en: 'Refused tools', ja: '拒否されたツール' },
  exit: { en: 'Exit code', ja: '終了コード' },
  log: { en: 'Log', ja: 'ログ' },
  lastMessage: { en: 'Last message', ja: '最後の発言' },
  result: { en: 'Result', ja: '結果' },
  exited: (code: number) => ({ en: `, exit ${code}`, ja: ` (終了コード ${code})` }),
}

/** Who said so: the run itself, or the hub from what it saw. */
const SOURCES = { report: { en: 'report', ja: '報告' }, hub: { en: 'hub', ja: 'ハブ' } }

export default command<[run: string]>({
  summary: { en: 'Show a run in full', ja: '実行の詳細を表示' },
  order: 2,
  when: {
    en: 'To see how a run ended, what it cost and what it changed.',
    ja: '実行の終わり方・費用・変更を確認するときに。',
  },
  arguments: [{ name: '<run>', text: argument.run }],
  examples: [
    ['toryo run show shop-12', { en: 'the last run on a task', ja: 'タスクの最新の実行' }],
    ['toryo run show run_…', { en: 'a run of a crew', ja: 'クルーの実行' }],
    ['toryo run show exec_…', { en: "a run of a task's agent", ja: 'タスクのエージェントの実行' }],
  ],
  output: ['execution.show', 'run.show', 'evidence.show', 'tab.show'],
  async run(cx, _, given) {
    const hub = await cx.connect()
    const runId = await findWork(hub, given)
    if (runId.startsWith('tab_')) return tabShow.run(cx, {}, runId)
    if (runId.startsWith('exec_')) {
      const execution = await hub.call('execution.show', { execution_id: runId })
      const task = await hub.call('task.show', { task_id: execution.task_id })
      const name = (await agentNames(cx, hub))(execution.agent_id)
      const of = { name, handle: task.handle, folder: task.workspace?.path ?? null }
      return { json: execution, text: () => ofTask(execution, of, cx.io) }
    }
    if (runId.startsWith('evd_')) {
      const check = await hub.call('evidence.show', { evidence_id: runId })
      return { json: check, text: () => ofCheck(check, cx.io) }
    }
    const run = await hub.call('run.show', { run_id: runId })
    return { json: run, text: () => ofCrew(run, cx.io) }
  },
})

function ofCheck(check: ApiOutput<'evidence.show'>, io: Io): string {
  const { outcome, exit_code, duration_ms } = check
  return `${io.colors.bold(visibleLine(check.check))}\n${pairs(
    [
      [io.say(words.result), stateWord(outcome ?? 'running', io)],
      [io.say(words.exit), exit_code === null ? null : String(exit_code)],
      [io.say({ en: 'Command', ja: 'コマンド' }), commandLine(check.command)],
      [io.say({ en: 'Ran in', ja: '実行場所' }), io.say(RAN_IN[check.ran_in])],
      [io.say({ en: 'Tree', ja: 'ツリー' }), check.tree],
      [io.say(texts.started), moment(check.started_at, io)],
      [io.say(crewTexts.time), duration_ms === null ? null : duration(duration_ms, io.lang)],
      [io.say(words.log), check.log_file],
      [io.say({ en: 'Last lines', ja: '最後の出力' }), visible(check.tail)],
    ],
    io,
  )}`
}

function ofCrew(run: ApiOutput<'run.show'>, io: Io): string {
  const exit = run.exit_code === null ? '' : io.say(words.exited(run.exit_code))
  const files = [...run.created_files, ...run.edited_files]
  return `${io.colors.bold(visibleLine(run.role))} (${run.run_id})\n${pairs(
    [
      [io.say(texts.status), stateText(run.status, io)],
      [io.say({ en: 'Ended as', ja: '終了の種別' }), run.end_reason && `${visibleLine(run.end_reason)}${exit}`],
      [io.say(words.why), run.reason && visible(run.reason)],
      [io.say(crewTexts.crew), run.crew_id],
      [io.say(crewTexts.stage), run.stage === null ? null : String(run.stage + 1)],
      [io.say(words.engine), `${visibleLine(run.engine)} (${visibleLine(run.model)})`],
      [io.say({ en: 'Folder', ja: 'フォルダー' }), visibleLine(run.directory)],
      [io.say(texts.created), `${moment(run.created_at, io)}, ${visibleLine(run.started_by)}`],
      [io.say(crewTexts.time), run.started_at === null ? null : duration(run.elapsed_ms, io.lang)],
      [io.say(words.ended), run.ended_at && moment(run.ended_at, io)],
      [io.say(crewTexts.calls), String(run.tool_calls)],
      [io.say(words.denied), run.denied_tools.map(visibleLine).join(', ')],
      ...spentPairs(run.usage, run.cost_usd, io),
      [io.say({ en: 'Session', ja: 'セッション' }), run.session_id && visibleLine(run.session_id)],
      [io.say(words.log), run.log_file],
      [io.say(crewTexts.files), files.map(visibleLine).join('\n')],
      [io.say({ en: 'Prompt', ja: 'プロンプト' }), visible(run.prompt)],
      [io.say(words.lastMessage), run.result ? null : visible(run.last_message ?? '')],
      [
        io.say(words.result),
        run.result && `${stateWord(run.result.status, io)} (${io.say(SOURCES[run.result.source])})`,
      ],
      [io.say(texts.summary), visible(run.result?.summary ?? '')],
      [io.say(crewTexts.problem), visible(run.result?.error ?? '')],
    ],
    io,
  )}`
}

type Of = { name: string; handle: string; folder: string | null }

function ofTask(run: ApiOutput<'execution.show'>, { name, handle, folder }: Of, io: Io): string {
  const { engine, model, duration_seconds: seconds } = run
  const paths = [...run.created_files, ...run.edited_files, ...run.deleted_files]
  // In the task's own folder their names say where they are.
  const files = paths.map(file =>
    folder !== null && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file,
  )
  const by = run.runner === null ? '' : `, Runner ${visibleLine(run.runner)}`
  return `${io.colors.bold(visibleLine(name))} (${shortId(run.execution_id)})\n${pairs(
    [
      [io.say(texts.status), runText(run, io)],
      [io.say(words.why), run.reason && visible(run.reason)],
      [io.say({ en: 'Task', ja: 'タスク' }), visibleLine(handle)],
      [io.say(words.engine), engine && `${visibleLine(engine)}${model ? ` (${visibleLine(model)})` : ''}`],
      [io.say(texts.started), `${moment(run.started_at, io)}${by}`],
      [io.say(crewTexts.time), seconds === null ? null : duration(seconds * 1000, io.lang)],
      [io.say(words.ended), run.ended_at && moment(run.ended_at, io)],
      [io.say(words.exit), run.exit_code === null ? null : String(run.exit_code)],
      [io.say(crewTexts.calls), run.tool_calls === null ? null : String(run.tool_calls)],
      [io.say(words.denied), run.denied_tools.map(visibleLine).join(', ')],
      ...spentPairs(run.usage, run.cost_usd, io),
      [io.say(crewTexts.files), files.map(visibleLine).join('\n')],
      [io.say(words.result), run.result && stateWord(run.result, io)],
      [io.say(texts.summary), visible(run.summary ?? '')],
      [io.say(words.lastMessage), run.summary === null ? visible(run.last_message ?? '') : null],
      [io.say(words.log), run.log_file && visibleLine(run.log_file)],
      ['id', run.execution_id],
    ],
    io,
  )}`
}
