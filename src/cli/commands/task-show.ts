import type { ApiOutput } from '#contract/api.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { ago, moment, pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { statusColour } from '../status-colour.ts'
import { table } from '../table.ts'
import { cut } from '../width.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Task = ApiOutput<'task.show'>

export default command<[task: string]>({
  arguments: [{ name: '<task>', text: argument.task }],
  examples: [['toryo task show tsk_…', { en: 'everything about it', ja: 'すべてを表示' }]],
  async run(cx, _, taskId) {
    const hub = await cx.connect()
    const task = await hub.call('task.show', { task_id: taskId })
    const parts = () => [head(task, cx.io), handoff(task, cx.io), notes(task, cx.io), runs(task, cx.io)]
    return { json: task, text: () => parts().filter(Boolean).join('\n\n') }
  },
})

function head(task: Task, io: Io): string {
  const facts = pairs(
    [
      [io.say(texts.status), statusColour(io)(task.status)],
      [io.say(texts.priority), statusColour(io)(task.priority)],
      [io.say(texts.project), visibleLine(task.project_id)],
      [io.say(texts.assignee), task.assignee_id && visibleLine(task.assignee_id)],
      [io.say(texts.blocked), task.blocked_reason && visible(task.blocked_reason)],
      [io.say(texts.failure), failure(task, io)],
      [io.say(texts.notStarted), task.not_started && visible(task.not_started)],
      [io.say(texts.created), moment(task.created_at, io)],
      [io.say(texts.updated), moment(task.updated_at, io)],
      [io.say(texts.description), visible(task.description)],
    ],
    io,
  )
  return `${io.colors.bold(visibleLine(task.title))} (${task.task_id})\n${facts}`
}

const SHORT = 100
/** `toryo run show` has all of it. */
const short = (reason: string | null) => (reason === null ? null : cut(reason, SHORT))

/** In one sentence: what happened, why, what to do, and what the hub does. A blocked task says it in its reason. */
function failure({ failure, blocked_reason, status }: Task, io: Io): string | null {
  if (!failure || (status === 'blocked' && blocked_reason !== null)) return null
  const at = failure.next_at === null ? undefined : moment(failure.next_at, io)
  const next =
    failure.next === 'paused'
      ? texts.pausedUntil(at ?? '')
      : failure.next === 'again'
        ? texts.startsAgain(at)
        : undefined
  return [visible(failure.reason), ...(next ? [io.say(next)] : [])].join(' ')
}

function handoff({ handoff }: Task, io: Io): string {
  if (!handoff) return ''
  const to = handoff.to_agent_id === null ? io.say(texts.anyone) : visibleLine(handoff.to_agent_id)
  const accepted = handoff.accepted_at
    ? `${moment(handoff.accepted_at, io)} ${visibleLine(handoff.accepted_by ?? '')}`
    : io.say(handoff.status === 'superseded' ? texts.superseded : texts.notAccepted)
  const facts = pairs(
    [
      [io.say(texts.fromTo), `${visibleLine(handoff.from_agent_id)} → ${to}`],
      [io.say(texts.created), moment(handoff.created_at, io)],
      [io.say(texts.accepted), accepted],
      [io.say(texts.summary), visible(handoff.summary)],
      [io.say(texts.handoffContext), visible(handoff.context ?? '')],
      [io.say(texts.recommendations), visible(handoff.recommendations ?? '')],
    ],
    io,
  )
  return `${io.colors.bold(io.say(texts.handoff))}\n${facts}`
}

function notes({ notes }: Task, io: Io): string {
  if (notes.length === 0) return ''
  const blocks = notes.map(note => {
    const facts = pairs(
      [
        [io.say(texts.progress), visible(note.progress ?? '')],
        [io.say(texts.findings), visible(note.findings ?? '')],
        [io.say(texts.blockers), visible(note.blockers ?? '')],
        [io.say(texts.nextSteps), visible(note.next_steps ?? '')],
      ],
      io,
    )
    return `  ${moment(note.saved_at, io)} ${visibleLine(note.agent_id ?? '')}`.trimEnd() + (facts ? `\n${facts}` : '')
  })
  return `${io.colors.bold(io.say(texts.notes(notes.length)))}\n${blocks.join('\n')}`
}

function runs({ executions }: Task, io: Io): string {
  if (executions.length === 0) return ''
  const seconds = (value: number | null) => (value === null ? null : `${Math.round(value)} s`)
  const rows = table(
    executions,
    [
      { title: io.say(texts.id), value: row => row.executionId },
      { title: io.say(texts.agent), value: row => row.agentId },
      { title: io.say(texts.status), value: row => row.status, colour: statusColour(io) },
      { title: io.say(texts.result), value: row => row.result ?? short(row.reason), prose: true },
      { title: io.say(texts.exit), value: row => (row.exitCode === null ? null : String(row.exitCode)) },
      { title: io.say(texts.started), value: row => ago(row.startedAt, io.now(), io.lang, 'narrow'), optional: true },
      { title: io.say(texts.took), value: row => seconds(row.durationSeconds) },
    ],
    { colors: io.colors, width: io.width === undefined ? undefined : io.width - 2 },
  )
  return `${io.colors.bold(io.say(texts.runs(executions.length)))}\n${rows.replaceAll(/^/gm, '  ')}`
}
