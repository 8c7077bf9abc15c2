import { STAGE_JA } from '#contract/state-words.ts'
import type { ApiOutput } from '#contract/api.ts'
import type { MergeKind, MergeOutcome } from '#contract/thread.ts'
import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { ago, moment, pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { baseOf } from '../merge-text.ts'
import { overlapLines } from '../overlap-text.ts'
import { authorOf, CAUSES, DECISIONS, evidenceLines } from '../review-text.ts'
import { runColumn } from '../run-status.ts'
import { shortId } from '../short-id.ts'
import { stateText, stateWord } from '../states.ts'
import { table } from '../table.ts'
import { nextOf } from '../task-next.ts'
import { cut } from '../width.ts'
import { wrap } from '../wrap.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Task = ApiOutput<'task.show'>

const words = {
  startsAgain: (at: string | undefined) => ({
    en: at === undefined ? 'It is started again as soon as a Runner can.' : `It is started again at ${at}.`,
    ja: at === undefined ? 'Runner が可能になり次第、再び開始します。' : `${at} に再び開始します。`,
  }),
  pausedUntil: (at: string) => ({
    en: `Its engine is paused until ${at}.`,
    ja: `エンジンは ${at} まで一時停止しています。`,
  }),
  replacedBy: (id: number) => ({ en: `(replaced by ${id})`, ja: `(決定 ${id} に置き換え済み)` }),
  notes: (count: number) => ({ en: `Notes (${count})`, ja: `メモ (${count})` }),
  files: (count: number) => ({ en: `${count} changed`, ja: `変更 ${count} 件` }),
  held: (count: number) => ({ en: `${count} held back`, ja: `除外 ${count} 件` }),
  reviewing: (agent: string, run: string | null) => ({
    en: run === null ? `${agent} is to review it` : `${agent} reviews it (${run})`,
    ja: run === null ? `${agent} がレビューします` : `${agent} がレビュー中 (${run})`,
  }),
  place: (position: number, base: string) => ({
    en: `number ${position} in the queue of ${base}`,
    ja: `${base} のキューの ${position} 番目`,
  }),
  mergedAs: (commit: string, base: string) => ({
    en: `merged into ${base} as ${commit}`,
    ja: `${base} に ${commit} としてマージ済み`,
  }),
  setupFailed: (error: string, branch: string) => ({
    en: `failed: ${error}. Fix it, then run it again with \`toryo tab setup ${branch}\`.`,
    ja: `失敗: ${error}。原因を直し、\`toryo tab setup ${branch}\` で再実行してください。`,
  }),
  setupUntrusted: (project: string) => ({
    en: `not run, since its command is not trusted: \`toryo project setup ${project}\` shows it.`,
    ja: `コマンドが許可されていないため未実行です (\`toryo project setup ${project}\` で確認できます)。`,
  }),
  undo: (kind: MergeKind, outcome: MergeOutcome, base: string) => {
    const isIn = (kind === 'undo') !== (outcome === 'merged')
    const failed =
      outcome === 'merged' ? { en: '', ja: '' } : { en: ' still; its undo failed', ja: ' (取り消しに失敗)' }
    return isIn
      ? {
          en: `in ${base}${kind === 'undo' ? failed.en : ' again'}`,
          ja: `${base} にマージ済み${kind === 'undo' ? failed.ja : ''}`,
        }
      : {
          en: `undone in ${base}${kind === 'redo' ? failed.en : ''}`,
          ja: `${base} から取り消し済み${kind === 'redo' ? failed.ja : ''}`,
        }
  },
  mergedInto: (base: string) => ({ en: `merged into ${base}`, ja: `${base} にマージ済み` }),
  pullBegun: (handle: string) => ({
    en: `begun, and none was recorded. \`toryo task pr ${handle}\` tries again, \`toryo task merge ${handle}\` merges it here.`,
    ja: `作成の途中で、URL は未記録です。\`toryo task pr ${handle}\` で再実行、\`toryo task merge ${handle}\` でここにマージできます。`,
  }),
  pullBehind: (handle: string) => ({
    en: `open, without the newest work; \`toryo task pr ${handle}\` pushes it`,
    ja: `未完了。最新の作業は未反映です (\`toryo task pr ${handle}\` で push)`,
  }),
  pullStates: {
    open: { en: 'open', ja: '未完了' },
    merged: { en: 'merged', ja: 'マージ済み' },
    closed: { en: 'closed', ja: '終了' },
  },
  runs: (count: number) => ({ en: `Runs (${count})`, ja: `実行 (${count})` }),
}

export default command<[task: string]>({
  summary: { en: 'Show a task, its notes, handoff and runs', ja: 'タスクとメモ・引き継ぎ・実行を表示' },
  order: 3,
  when: {
    en: 'To see all about a task: report, runs, checks, what happens next.',
    ja: 'タスクの詳細 (報告・実行・チェック・次の動き) を見るときに。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  examples: [['toryo task show shop-12', { en: 'everything about it', ja: 'すべてを表示' }]],
  output: 'task.show',
  async run(cx, _, taskId) {
    const hub = await cx.connect()
    const task = await hub.call('task.show', { task_id: taskId })
    const shown = named(task, await agentNames(cx, hub))
    const parts = () => [head, handoff, notes, runs, thread].map(part => part(shown, cx.io))
    return { json: task, text: () => parts().filter(Boolean).join('\n\n') }
  },
})

/** With the names of agents in the places of their ids; they stand in sentences and tables alone. */
function named(task: Task, nameOf: (id: string) => string): Task {
  const name = <T extends string | null>(id: T) => (id === null ? id : nameOf(id)) as T
  const { workspace, review, handoff: given } = task
  return {
    ...task,
    assignee_id: name(task.assignee_id),
    workspace: workspace && { ...workspace, holder: name(workspace.holder) },
    review: review && { ...review, agent_id: name(review.agent_id) },
    handoff: given && {
      ...given,
      from_agent_id: name(given.from_agent_id),
      to_agent_id: name(given.to_agent_id),
      accepted_by: name(given.accepted_by),
    },
    notes: task.notes.map(note => ({ ...note, agent_id: name(note.agent_id) })),
    executions: task.executions.map(run => ({ ...run, agent_id: name(run.agent_id) })),
  }
}

function head(task: Task, io: Io): string {
  const facts = pairs(
    [
      [io.say(texts.status), stateText(task.status, io)],
      [io.say(texts.stage), stateText(task.stage, io, STAGE_JA)],
      [io.say(texts.priority), stateText(task.priority, io)],
      [io.say(texts.project), keyOf(task.handle)],
      [io.say(texts.assignee), task.assignee_id && visibleLine(task.assignee_id)],
      [io.say(texts.labels), task.labels.map(visibleLine).join(', ')],
      [io.say({ en: 'branch', ja: 'ブランチ' }), task.branch && visibleLine(task.branch)],
      [io.say({ en: 'blocked because', ja: '停止の理由' }), task.blocked_reason && visible(task.blocked_reason)],
      [io.say({ en: 'last run failed', ja: '前回の失敗' }), failure(task, io)],
      [io.say({ en: 'part of', ja: '親タスク' }), task.parent && others([task.parent], io)],
      [io.say({ en: 'waits for', ja: '待っている相手' }), others(task.waits_for, io)],
      [io.say({ en: 'sub-tasks', ja: 'サブタスク' }), others(task.children, io)],
      [io.say({ en: 'decisions', ja: '決定' }), decisions(task, io)],
      [io.say({ en: 'not started', ja: '未開始の理由' }), task.not_started && visible(task.not_started)],
      ...workspace(task, io),
      [io.say({ en: 'review', ja: 'レビュー' }), review(task, io)],
      [io.say({ en: 'not accepted', ja: '未承認の理由' }), task.remark && visible(task.remark)],
      [io.say({ en: 'merge', ja: 'マージ' }), merge(task, io)],
      [io.say({ en: 'pull request', ja: 'プルリクエスト' }), pull(task, io)],
      [io.say({ en: 'overlaps with', ja: '重なる作業' }), overlapLines(task.overlaps, io)],
      [io.say({ en: 'id', ja: 'ID' }), task.task_id],
      [io.say(texts.created), moment(task.created_at, io)],
      [io.say(texts.updated), moment(task.updated_at, io)],
      [io.say(texts.description), visible(task.description)],
    ],
    io,
  )
  const next = nextOf(task)
  const said = next && wrap(io.say(next), (io.width ?? Infinity) - 2).replaceAll(/^/gm, '  ')
  return [`${io.colors.bold(visibleLine(task.title))} (${task.handle})`, said, facts].filter(Boolean).join('\n')
}

const keyOf = (handle: string) => handle.replace(/-\d+$/, '')

function workspace({ workspace: place, handle }: Task, io: Io): [string, string | null][] {
  if (!place) return []
  const base = place.base === null ? '' : ` → ${visibleLine(place.base)}`
  const released = place.released ? ` ${io.say({ en: '(in the trash)', ja: '(ゴミ箱)' })}` : ''
  return [
    [io.say({ en: 'workspace', ja: 'ワークスペース' }), `${visibleLine(place.path)}${released}`],
    [io.say({ en: 'open in editor', ja: 'エディターで開く' }), place.released ? null : `toryo task open ${handle}`],
    [io.say({ en: 'branch → base', ja: 'ブランチ → ベース' }), `${visibleLine(place.branch)}${base}`],
    [io.say({ en: 'ports', ja: 'ポート' }), place.released ? null : `${place.ports.from}–${place.ports.to}`],
    [io.say({ en: 'setup', ja: 'セットアップ' }), setup(place, keyOf(handle), io)],
    [io.say({ en: 'at work there', ja: '作業中' }), place.holder && visibleLine(place.holder)],
  ]
}

/** Only what a person should know: agents work there in spite of it. */
function setup(place: NonNullable<Task['workspace']>, project: string, io: Io): string | null {
  if (place.released) return null
  if (place.setup === 'untrusted') return io.say(words.setupUntrusted(project))
  if (place.setup !== 'failed') return null
  return io.colors.yellow(io.say(words.setupFailed(visibleLine(place.setup_error ?? ''), visibleLine(place.branch))))
}

/** A verdict stands with the others below. */
function review({ review: asked }: Task, io: Io): string | null {
  if (!asked || asked.state === 'given') return null
  if (asked.state === 'ended') return asked.problem && visible(asked.problem)
  return io.say(words.reviewing(visibleLine(asked.agent_id), asked.run_id))
}

function merge({ merge: one, stage }: Task, io: Io): string | null {
  if (!one) return null
  const base = visibleLine(one.base)
  if (one.position !== null)
    return [io.say(words.place(one.position, base)), ...(one.waits === null ? [] : [visible(one.waits)])].join(' · ')
  if (one.kind !== 'merge' && one.outcome !== 'withdrawn')
    return io.say(words.undo(one.kind, one.outcome ?? 'failed', base))
  if (one.outcome !== 'merged' || stage !== 'merged') return null
  const where = io.say(baseOf(one))
  return io.say(one.commit === null ? words.mergedInto(where) : words.mergedAs(one.commit.slice(0, 12), where))
}

/** With what is to be done about it. */
function pull({ pull: one, snapshots, handle, stage }: Task, io: Io): string | null {
  if (!one || (one.state === 'closed' && one.url === null)) return null
  if (one.state === 'begun') return io.say(words.pullBegun(handle))
  const newest = snapshots.find(({ cause, commit }) => cause !== 'end' && commit !== null)?.commit
  const isBehind = one.state === 'open' && stage === 'queued' && newest !== undefined && newest !== one.commit
  const state = io.say(isBehind ? words.pullBehind(handle) : words.pullStates[one.state])
  return `${visibleLine(one.url ?? '')} (${state})`
}

/** One line each. */
function others(tasks: Task['children'], io: Io): string {
  return tasks
    .map(({ handle, title, stage }) => `${handle}  ${visibleLine(title)} (${stateWord(stage, io, STAGE_JA)})`)
    .join('\n')
}

function decisions({ decisions, stage }: Task, io: Io): string {
  const isOver = stage === 'done' || stage === 'merged' || stage === 'cancelled'
  const lines = decisions.map(({ decision_id: id, decision, superseded_by: by }) => {
    const flag = by === undefined || isOver ? '' : ` ${io.colors.yellow(io.say(words.replacedBy(by)))}`
    return `${id}  ${visibleLine(decision)}${flag}`
  })
  return lines.join('\n')
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
      ? words.pausedUntil(at ?? '')
      : failure.next === 'again'
        ? words.startsAgain(at)
        : undefined
  return [visible(failure.reason), ...(next ? [io.say(next)] : [])].join(io.lang === 'ja' ? '' : ' ')
}

function handoff({ handoff }: Task, io: Io): string {
  if (!handoff) return ''
  const to = handoff.to_agent_id === null ? io.say({ en: 'anyone', ja: '誰でも' }) : visibleLine(handoff.to_agent_id)
  const accepted = handoff.accepted_at
    ? `${moment(handoff.accepted_at, io)} ${visibleLine(handoff.accepted_by ?? '')}`
    : io.say(
        handoff.status === 'superseded'
          ? { en: 'superseded', ja: '無効 (その後に変更あり)' }
          : { en: 'not yet', ja: '未受領' },
      )
  const facts = pairs(
    [
      [io.say({ en: 'from → to', ja: '元 → 先' }), `${visibleLine(handoff.from_agent_id)} → ${to}`],
      [io.say(texts.created), moment(handoff.created_at, io)],
      [io.say({ en: 'accepted', ja: '受領' }), accepted],
      [io.say(texts.summary), visible(handoff.summary)],
      [io.say({ en: 'context', ja: '背景' }), visible(handoff.context ?? '')],
      [io.say({ en: 'recommendations', ja: '助言' }), visible(handoff.recommendations ?? '')],
    ],
    io,
  )
  return `${io.colors.bold(io.say({ en: 'Handoff', ja: '引き継ぎ' }))}\n${facts}`
}

function notes({ notes }: Task, io: Io): string {
  if (notes.length === 0) return ''
  const blocks = notes.map(note => {
    const facts = pairs(
      [
        [io.say({ en: 'progress', ja: '進捗' }), visible(note.progress ?? '')],
        [io.say({ en: 'findings', ja: '分かったこと' }), visible(note.findings ?? '')],
        [io.say({ en: 'blockers', ja: '障害' }), visible(note.blockers ?? '')],
        [io.say({ en: 'next steps', ja: '次の手順' }), visible(note.next_steps ?? '')],
      ],
      io,
    )
    return (
      `  ${moment(note.saved_at, io)} ${visibleLine(note.agent_id ?? note.person ?? '')}`.trimEnd() +
      (facts ? `\n${facts}` : '')
    )
  })
  return `${io.colors.bold(io.say(words.notes(notes.length)))}\n${blocks.join('\n')}`
}

/** `toryo task review` has all of it. */
function thread({ handle, snapshots, evidence, verdicts }: Task, io: Io): string {
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : [io.colors.bold(title), ...lines.map(line => `  ${line}`)].join('\n')
  const taken = snapshots.map(({ cause, at, changed_files, held, error }) =>
    [
      ...[moment(at, io), io.say(CAUSES[cause])],
      ...(changed_files === null ? [] : [io.say(words.files(changed_files))]),
      ...(held.length === 0 ? [] : [io.say(words.held(held.length))]),
      ...(error === null ? [] : [visibleLine(error)]),
    ].join(' · '),
  )
  const judged = verdicts.map(({ decision, by, at, summary }) =>
    [
      io.say(DECISIONS[decision]),
      authorOf(by),
      moment(at, io),
      ...(summary === null ? [] : [visibleLine(summary)]),
    ].join(' · '),
  )
  return [
    part(io.say({ en: 'Snapshots', ja: 'スナップショット' }), taken),
    part(io.say({ en: 'Checks', ja: 'チェック' }), evidenceLines(evidence, handle, io)),
    part(io.say({ en: 'Verdicts', ja: '判定' }), judged),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function runs({ executions }: Task, io: Io): string {
  if (executions.length === 0) return ''
  const seconds = (value: number | null) =>
    value === null ? null : `${Math.round(value)} ${io.say({ en: 's', ja: '秒' })}`
  const rows = table(
    executions,
    [
      { title: io.say({ en: 'RUN', ja: '実行' }), value: row => shortId(row.execution_id) },
      { title: io.say({ en: 'AGENT', ja: 'エージェント' }), value: row => row.agent_id },
      {
        title: io.say(texts.status),
        ...runColumn(io),
      },
      {
        title: io.say({ en: 'RESULT', ja: '結果' }),
        value: row => (row.result === null ? short(row.reason) : stateWord(row.result, io)),
        prose: true,
      },
      {
        title: io.say({ en: 'EXIT', ja: '終了コード' }),
        value: row => (row.exit_code === null ? null : String(row.exit_code)),
      },
      { title: io.say(texts.started), value: row => ago(row.started_at, io.now(), io.lang, 'narrow'), optional: true },
      { title: io.say({ en: 'TOOK', ja: '所要' }), value: row => seconds(row.duration_seconds) },
    ],
    { colors: io.colors, width: io.width === undefined ? undefined : io.width - 2 },
  )
  return `${io.colors.bold(io.say(words.runs(executions.length)))}\n${rows.replaceAll(/^/gm, '  ')}`
}
