// For each stage of a task, one sentence: what happens next, and what a person can do about it.
import type { ApiOutput } from '#contract/api.ts'
import type { Text } from '#contract/errors.ts'
import type { Returned } from '#contract/thread.ts'
import { copyCommand } from './copy-command.ts'
import { visibleLine } from './escape.ts'
import { baseOf, notMerging } from './merge-text.ts'

type Task = ApiOutput<'task.show'>

/** Undefined where another line of the task says it already. */
export function nextOf(task: Task): Text | undefined {
  const { handle, merge, not_started: notStarted } = task
  const agent = visibleLine(task.assignee_id ?? '')
  if (task.deleted_at !== undefined) return words.deleted(handle, task.gone_at?.slice(0, 10) ?? '')
  switch (task.stage) {
    case 'planned':
      return joined(
        merge?.kind === 'undo' && merge.outcome === 'merged'
          ? words.undone(handle, visibleLine(merge.base))
          : undefined,
        agent === '' ? words.unassigned(handle) : words.planned(handle, agent),
      )
    case 'waiting':
      return undefined
    case 'working':
      if (agent === '') return words.noOneWorks(handle)
      return joined(task.returned ? words.back(whyBack(task.returned)) : undefined, whoWorks(task, agent))
    case 'checking':
      return words.checking(agent)
    case 'review':
      return joined(
        merge?.kind === 'merge' && merge.outcome === 'conflict'
          ? words.didNotMerge(notMerging(merge.base, merge.files))
          : undefined,
        words.review(handle),
      )
    case 'queued':
      if (task.pull?.state === 'open') return words.pull(handle, visibleLine(task.pull.url ?? ''))
      if (task.pull?.state === 'begun') return undefined
      if (merge?.waits) return words.waits(merge.waits)
      return words.queued(merge?.base ?? task.workspace?.base ?? '')
    case 'merged':
      if (merge?.kind === 'undo' && merge.outcome === null) return words.undoing(visibleLine(merge.base))
      return words.merged(
        handle,
        merge?.outcome === 'merged' ? baseOf(merge) : baseOf({ base: task.workspace?.base ?? '', merged_on: null }),
      )
    case 'blocked':
      return words.blocked(handle)
    case 'cancelled':
      return words.cancelled(handle)
    default:
      if (task.pull?.state === 'closed') return words.pullClosed(handle, visibleLine(task.pull.base))
      return notStarted === null ? words.done : undefined
  }
}

function whoWorks(task: Task, agent: string): Text | undefined {
  const { workspace, executions, failure, not_started: notStarted, agent_busy_with: ahead, handle } = task
  const [run] = executions
  if (workspace?.holder || run?.status === 'running') return words.working(agent, run?.execution_id)
  if (ahead) return words.startsAfter(agent, visibleLine(ahead.handle), copyCommand(agent, handle))
  return failure === null && notStarted === null ? words.starts(agent) : undefined
}

function whyBack({ why, base = '', checks = [], conflicts = [], summary }: Returned): Text {
  const names = (all: readonly string[]) => all.slice(0, 3).map(visibleLine).join(', ') + (all.length > 3 ? ', …' : '')
  if (why === 'changes') {
    const said = summary === null ? '' : `: ${visibleLine(summary)}`
    return { en: `the review wants changes${said}`, ja: `レビューで変更を求められたため${said}` }
  }
  if (why === 'conflict') {
    const files = names(conflicts.map(({ path }) => path))
    return { en: `it conflicts with ${base} in ${files}`, ja: `${base} と競合したため: ${files}` }
  }
  const failed = names(checks.map(({ name }) => name))
  if (base === '') return { en: `check ${failed} failed`, ja: `チェック ${failed} が失敗したため` }
  return {
    en: `check ${failed} failed on its files merged with ${base}, in a clean checkout`,
    ja: `${base} とのマージ結果のクリーンなチェックアウトで、チェック ${failed} が失敗したため`,
  }
}

function joined(first: Text | undefined, second: Text | undefined): Text | undefined {
  if (!first || !second) return first ?? second
  return { en: `${first.en} ${second.en}`, ja: `${first.ja}${second.ja}` }
}

const words = {
  unassigned: (handle: string) => ({
    en: `It has no agent yet: \`toryo task assign ${handle} <agent>\`, then \`toryo task move ${handle} in_progress\`.`,
    ja: `担当がまだ決まっていません。\`toryo task assign ${handle} <エージェント>\` で割り当て、\`toryo task move ${handle} in_progress\` で開始します。`,
  }),
  noOneWorks: (handle: string) => ({
    en: `It has no agent yet: \`toryo task assign ${handle} <agent>\` assigns one and has it started.`,
    ja: `担当がまだ決まっていません。\`toryo task assign ${handle} <エージェント>\` で割り当てると、作業が始まります。`,
  }),
  planned: (handle: string, agent: string) => ({
    en: `\`toryo task move ${handle} in_progress\` has ${agent} started for it.`,
    ja: `\`toryo task move ${handle} in_progress\` で ${agent} を起動できます。`,
  }),
  didNotMerge: (why: Text) => ({
    en: `Its last merge failed: it ${why.en}.`,
    ja: `前回はマージできませんでした: ${why.ja}。`,
  }),
  back: (why: Text) => ({ en: `It came back: ${why.en}.`, ja: `差し戻されました (${why.ja})。` }),
  working: (agent: string, run: string | undefined) => ({
    en: `${agent} works on it${run === undefined ? '' : `; \`toryo run logs ${run}\` shows what it does`}.`,
    ja: `${agent} が作業中です${run === undefined ? '' : ` (\`toryo run logs ${run}\` で様子を確認できます)`}。`,
  }),
  starts: (agent: string) => ({
    en: `${agent} is started for it as soon as a Runner can (\`toryo up\`).`,
    ja: `Runner (\`toryo up\`) が可能になり次第、${agent} を起動します。`,
  }),
  startsAfter: (agent: string, other: string, command: string) => ({
    en: `${agent} is started for it when ${other} is reported; \`${command}\` adds another agent like it, which starts now.`,
    ja: `${other} の報告後に ${agent} を起動します。\`${command}\` で同じ設定のエージェントを追加すると、すぐに開始します。`,
  }),
  checking: (agent: string) => ({
    en: `What ${agent === '' ? 'its agent' : agent} reported is saved and checked now; a failed check sends it back.`,
    ja: `${agent === '' ? 'エージェント' : agent} の報告内容を保存し、チェックを実行しています。失敗すると差し戻します。`,
  }),
  review: (handle: string) => ({
    en: `It waits for your verdict: \`toryo task review ${handle}\` shows the work, --accept accepts it, --changes "…" sends it back.`,
    ja: `あなたの判定を待っています。\`toryo task review ${handle}\` で内容を確認し、--accept で承認、--changes "…" で差し戻します。`,
  }),
  queued: (base: string) => ({
    en: `It is accepted and is merged into ${base} next; \`toryo queue\` shows its place.`,
    ja: `承認済みです。次に ${base} へマージします (\`toryo queue\` で順番を確認できます)。`,
  }),
  pull: (handle: string, url: string) => ({
    en: `It waits for its pull request, ${url}, and is not merged here. When that is merged: \`git fetch\`, or \`toryo task pr ${handle} --merged\`.`,
    ja: `プルリクエスト ${url} のマージを待っています。ここではマージしません。マージされたら \`git fetch\` または \`toryo task pr ${handle} --merged\` を実行してください。`,
  }),
  pullClosed: (handle: string, base: string) => ({
    en: `Its pull request was closed: the work is accepted and is not in ${base}. \`toryo task merge ${handle}\` merges it here.`,
    ja: `プルリクエストはマージされずに終了しました。作業は承認済みですが、${base} には入っていません。\`toryo task merge ${handle}\` でここにマージできます。`,
  }),
  waits: (why: string) => ({
    en: `It is accepted, and its merge waits: ${why}`,
    ja: `承認済みですが、マージは待機中です: ${why}`,
  }),
  merged: (handle: string, base: Text) => ({
    en: `It is merged into ${base.en}. Its branch is gone; its snapshot is kept. \`toryo task undo-merge ${handle}\` takes it out again.`,
    ja: `${base.ja} にマージ済みです。ブランチは削除され、スナップショットは残ります。\`toryo task undo-merge ${handle}\` で取り消せます。`,
  }),
  undoing: (base: string) => ({
    en: `Its merge is being taken out of ${base}; \`toryo queue\` shows how far that is.`,
    ja: `${base} へのマージを取り消しています (状況は \`toryo queue\` で確認できます)。`,
  }),
  undone: (handle: string, base: string) => ({
    en: `Its merge into ${base} was undone; \`toryo task undo-merge ${handle} --redo\` brings it back.`,
    ja: `${base} へのマージは取り消されました。\`toryo task undo-merge ${handle} --redo\` で元に戻せます。`,
  }),
  deleted: (handle: string, day: string) => ({
    en: `It is deleted, and gone for good on ${day}; \`toryo task restore ${handle}\` brings it back.`,
    ja: `削除されています (${day} に完全に削除)。\`toryo task restore ${handle}\` で元に戻せます。`,
  }),
  blocked: (handle: string) => ({
    en: `It waits for you: \`toryo task answer ${handle} "…"\` answers its agent and sends it back to work.`,
    ja: `あなたの回答を待っています。\`toryo task answer ${handle} "…"\` で回答し、作業に戻します。`,
  }),
  cancelled: (handle: string) => ({
    en: `It is cancelled; \`toryo task move ${handle} todo\` reopens it.`,
    ja: `取り消されています。\`toryo task move ${handle} todo\` で再開できます。`,
  }),
  done: { en: 'It is done and accepted; nothing more happens.', ja: '完了し、承認済みです。' },
}
