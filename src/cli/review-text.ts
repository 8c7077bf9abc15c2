// Reported work as a reviewer reads it: what to know first, then evidence, files, comments, and the diff last.
import type { ApiOutput } from '#contract/api.ts'
import { CONFLICT_JA, STAGE_JA } from '#contract/state-words.ts'
import type { CommentView, EvidenceView } from '#contract/thread.ts'
import { checkWords, commandLine } from './check-text.ts'
import { diffText } from './diff-text.ts'
import { visible, visibleLine } from './escape.ts'
import { moment } from './format.ts'
import type { Io } from './io.ts'
import { padEnd } from './width.ts'
import { stateColumn, stateText, stateWord } from './states.ts'
import { table } from './table.ts'
import { wrap } from './wrap.ts'

type Review = ApiOutput<'task.review'>

const words = {
  report: { en: 'Report', ja: '報告' },
  checks: { en: 'Checks', ja: 'チェック' },
  conflicts: (base: string) => ({
    en: `Does not merge with ${visibleLine(base)}`,
    ja: `${visibleLine(base)} とマージできない箇所`,
  }),
  held: { en: 'Stays out', ja: '含めないファイル' },
  flagged: { en: 'Look at', ja: '要確認' },
  files: (count: number) => ({ en: `Changed files (${count})`, ja: `変更されたファイル (${count})` }),
  comments: (count: number) => ({ en: `Comments (${count})`, ja: `コメント (${count})` }),
  verdicts: { en: 'Verdicts', ja: '判定' },
  decisions: { en: 'Decisions cited', ja: '参照した決定' },
  reviewing: (agent: string) => ({
    en: `${agent} was asked to review it; its verdict is not there yet.`,
    ja: `${agent} にレビューを依頼中です。判定はまだありません。`,
  }),
  changedSince: (handle: string, files: string) => ({
    en: `Changed in its workspace after the report, and not merged: ${files}. \`toryo task review ${handle} --retake\` takes it in.`,
    ja: `報告後にワークスペースで変更されており、マージされません: ${files}。\`toryo task review ${handle} --retake\` で含められます。`,
  }),
  draft: { en: 'draft', ja: '下書き' },
  answer: { en: 'answer', ja: '回答' },
  cut: { en: 'The diff was cut at 1 MB.', ja: 'diff は 1 MB で打ち切られています。' },
  next: (handle: string, seen: string) => ({
    en: [
      `Accept it:    toryo task review ${handle} --accept${seen}`,
      `Send it back: toryo task review ${handle} --changes "…"${seen}`,
      `Comment:      toryo task comment ${handle} <file>:<line> "…"`,
    ].join('\n'),
    ja: [
      `承認:     toryo task review ${handle} --accept${seen}`,
      `差し戻し: toryo task review ${handle} --changes "…"${seen}`,
      `コメント: toryo task comment ${handle} <ファイル>:<行> "…"`,
    ].join('\n'),
  }),
}

const HELD_WHY = {
  secret: { en: 'looks like a secret', ja: '秘密情報の可能性' },
  size: { en: 'too large', ja: '大きすぎる' },
  filter: { en: 'needs a filter program', ja: 'フィルターが必要' },
  closed: { en: 'may not be read', ja: '読み取り権限なし' },
  nested: {
    en: 'a repository of its own; what is not committed and pushed there stays out',
    ja: '別のリポジトリ (そこでコミットと push をしていない変更は含まれません)',
  },
}
const FLAG_WHY = {
  check: { en: 'what checks run', ja: 'チェックの実行内容' },
  test: { en: 'test', ja: 'テスト' },
  ci: { en: 'CI', ja: 'CI' },
  lock: { en: 'lock file', ja: 'ロックファイル' },
}

export const RAN_IN = {
  workspace: { en: 'workspace', ja: 'ワークスペース' },
  clean_checkout: { en: 'clean checkout', ja: 'クリーンなチェックアウト' },
}
export const CAUSES = {
  report: { en: 'reported', ja: '報告時' },
  end: { en: 'ended without a report', ja: '報告なしで終了' },
  asked: { en: 'with files let in', ja: 'ファイル追加後' },
}
export const DECISIONS = {
  accept: { en: 'accepted', ja: '承認' },
  changes: { en: 'changes wanted', ja: '差し戻し' },
}

/** A person by name. */
export function authorOf(by: string): string {
  return visibleLine(by.replace(/^operator:/, ''))
}

export function reviewText(review: Review, io: Io): string {
  const { snapshot } = review
  const title = (text: { en: string; ja: string }) => io.colors.bold(io.say(text))
  const part = (head: { en: string; ja: string }, lines: readonly string[]) =>
    lines.length === 0 ? '' : [title(head), ...lines.map(line => `  ${line}`)].join('\n')
  const heading = `${io.colors.bold(visibleLine(review.title))} (${review.handle}) ${stateText(review.stage, io, STAGE_JA)}`
  const untrusted = review.untrusted.map(({ name }) => name).join(', ')
  const notes = [
    ...review.remarks.map(visible),
    ...changedNote(review, io),
    ...agentNote(review, io),
    ...(untrusted === '' ? [] : [io.say(checkWords.untrusted(untrusted, review.project_id, review.handle))]),
  ]
  const parts = [
    [heading, ...notes.map(note => `! ${note}`)].join('\n'),
    part(
      words.report,
      snapshot?.summary ? wrap(visible(snapshot.summary), (io.width ?? Infinity) - 2).split('\n') : [],
    ),
    part(words.checks, evidenceLines(review.evidence, review.handle, io)),
    part(words.conflicts(review.merges_into?.base ?? ''), conflictLines(review, io)),
    part(
      words.held,
      (snapshot?.held ?? []).map(({ path, why }) => `${visibleLine(path)}: ${io.say(HELD_WHY[why])}`),
    ),
    part(
      words.flagged,
      (snapshot?.flagged ?? []).map(({ path, why }) => `${visibleLine(path)}: ${io.say(FLAG_WHY[why])}`),
    ),
    part(words.decisions, review.cites.map(visibleLine)),
    part(
      words.files(review.files.length),
      review.files.map(({ path, status }) => `${padEnd(stateWord(status, io), 8)} ${visibleLine(path)}`),
    ),
    part(
      words.comments(review.comments.length),
      review.comments.flatMap(comment => commentLines(comment, io)),
    ),
    part(
      words.verdicts,
      review.verdicts.map(
        ({ decision, by, at, summary }) =>
          `${io.say(DECISIONS[decision])} · ${authorOf(by)} · ${moment(at, io)}${summary === null ? '' : ` · ${visibleLine(summary)}`}`,
      ),
    ),
    review.diff === '' ? '' : diffText(review.diff, io).replace(/\n$/, ''),
    review.truncated ? io.say(words.cut) : '',
    review.stage === 'review' ? io.colors.dim(io.say(words.next(review.handle, seenIn(review)))) : '',
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Both sides, marked as git marks them. */
function conflictLines({ merges_into: into, handle }: Review, io: Io): string[] {
  return (into?.conflicts ?? []).flatMap(({ path, kind, ours, theirs }) => {
    const side = (mark: string, name: string, text: string | undefined) =>
      text === undefined ? [] : [`  ${mark} ${visibleLine(name)}`, ...indented(text)]
    return [
      `${visibleLine(path)}: ${stateWord(kind, io, CONFLICT_JA)}`,
      ...side('<<<', into?.base ?? '', ours),
      ...side('>>>', handle, theirs),
    ]
  })
}

const indented = (text: string) =>
  visible(text.trimEnd())
    .split('\n')
    .map(line => `    ${line}`)

/** So that a verdict is on what is shown here, and on nothing that came later. */
function seenIn({ snapshot }: Review): string {
  return snapshot?.commit ? ` --commit ${snapshot.commit.slice(0, 12)}` : ''
}

/** By a person or a program, where the agent worked. */
function changedNote({ changed_since: files, handle }: Review, io: Io): string[] {
  return files.length === 0 ? [] : [io.say(words.changedSince(handle, files.map(visibleLine).join(', ')))]
}

/** A verdict stands with the others. */
function agentNote({ review }: Review, io: Io): string[] {
  if (!review || review.state === 'given') return []
  if (review.state === 'ended') return review.problem === null ? [] : [visible(review.problem)]
  return [io.say(words.reviewing(visibleLine(review.agent_id)))]
}

export function evidenceLines(evidence: readonly EvidenceView[], handle: string, io: Io): string[] {
  if (evidence.length === 0) return []
  const seconds = (ms: number | null) =>
    ms === null ? null : `${(ms / 1000).toFixed(1)} ${io.say({ en: 's', ja: '秒' })}`
  // Only of those, people want to read what was printed.
  const failed = evidence.filter(({ outcome }) => outcome !== null && outcome !== 'passed')
  const closer = [...new Set(failed.map(({ check }) => visibleLine(check)))].map(
    check => `${check}: toryo run logs ${handle} --check ${check}`,
  )
  const rows = table(
    evidence,
    [
      { title: io.say({ en: 'CHECK', ja: 'チェック' }), value: row => row.check },
      { title: io.say({ en: 'RESULT', ja: '結果' }), ...stateColumn(io, row => row.outcome ?? 'running') },
      { title: io.say({ en: 'RAN IN', ja: '実行場所' }), value: row => io.say(RAN_IN[row.ran_in]), optional: true },
      {
        title: io.say({ en: 'EXIT', ja: '終了コード' }),
        value: row => row.exit_code?.toString() ?? null,
        optional: true,
      },
      { title: io.say({ en: 'TOOK', ja: '所要' }), value: row => seconds(row.duration_ms), optional: true },
      {
        title: io.say({ en: 'COMMAND', ja: 'コマンド' }),
        value: row => commandLine(row.command),
        prose: true,
        optional: true,
      },
    ],
    { colors: io.colors, width: io.width === undefined ? undefined : io.width - 2 },
  )
  return [...rows.split('\n'), ...closer]
}

export function commentLines(
  { comment_id, path, from_line, to_line, text, by, draft, answer }: CommentView,
  io: Io,
): string[] {
  const lines =
    from_line === null ? '' : `:${from_line}${to_line === null || to_line === from_line ? '' : `-${to_line}`}`
  const place = path === null ? '' : ` ${visibleLine(path)}${lines}`
  const mark = draft ? ` (${io.say(words.draft)})` : ''
  return [
    `${comment_id}${place} · ${authorOf(by)}${mark}`,
    ...visible(text)
      .split('\n')
      .map(line => `  ${line}`),
    ...(answer === null
      ? []
      : visible(`${io.say(words.answer)}: ${answer}`)
          .split('\n')
          .map(line => `  → ${line}`)),
  ]
}
