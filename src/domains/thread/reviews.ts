// The verbs of those who review reported work: comments, which are gathered, and the verdict that they go out with.
import { type Caller, callerName } from '#contract/caller.ts'
import { CoreError, cut, type Lang } from '#contract/errors.ts'
import type { CommentId, TaskId } from '#contract/id-types.ts'
import type { Decision, Returned } from '#contract/thread.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { CommentAdded, CommentAnswered, TaskReturned, VerdictGiven } from '#contract/thread-events.ts'
import type { Tx } from '#kernel/db/db.ts'
import { EvidenceStore } from './evidence-store.ts'
import { baseName } from './merge-model.ts'
import type { MergeWorkspaces } from './merge-ports.ts'
import { MergeStore } from './merges-store.ts'
import { type Comment, counts, type Evidence, isTooMany, ranIn, type Snapshot, type Verdict } from './model.ts'
import type { ThreadTabs, ThreadTask, ThreadTasks, Writing } from './ports.ts'
import { ReviewStore } from './review-store.ts'
import { awaits, type Settling } from './settling.ts'
import { tailIn } from './views.ts'
import { SnapshotStore } from './snapshot-store.ts'

/** `commit`: what its author has seen, or how that begins. Its lines are lines of that. */
export type CommentText = {
  path: string | null
  from: number | null
  to: number | null
  text: string
  commit?: string | undefined
}

type Given = {
  task: ThreadTask
  snapshot: Snapshot | undefined
  decision: Decision
  summary: string | null
  author: string
}

type Deps = Writing & {
  tasks: ThreadTasks
  settling: Pick<Settling, 'accept'>
  tabs: ThreadTabs
  workspaces: Pick<MergeWorkspaces, 'repositoryOf'>
}

export class Reviews {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Oldest first; drafts of others are not shown. */
  async comments(taskId: TaskId, by: Caller): Promise<Comment[]> {
    await this.#deps.tasks.get(taskId, by)
    const author = callerName(by)
    const all = await new ReviewStore(this.#deps.db).comments(taskId)
    return all.filter(comment => comment.verdictId !== null || comment.author === author)
  }

  /** Accepted work can be taken back from a machine that may be away for days; it looks at this before it merges. Here it is soon merged. */
  async #mergesElsewhere(tx: Tx, taskId: TaskId): Promise<boolean> {
    const store = new MergeStore(tx)
    const workspace = (await store.findOpen(taskId)) && (await store.workspaceOf(taskId))
    if (!workspace) return false
    return (await this.#deps.workspaces.repositoryOf(workspace.worktree_id))?.here === false
  }

  /** Newest first. */
  verdicts(taskId: TaskId, limit: number): Promise<Verdict[]> {
    return new ReviewStore(this.#deps.db).verdicts(taskId, limit)
  }

  /** A draft, until its author gives a verdict. */
  comment(
    taskId: TaskId,
    { path, from, to, text, commit }: CommentText,
    by: Caller,
    author = callerName(by),
  ): Promise<Comment> {
    return this.#deps.db.tx(async tx => {
      const { tasks, ids, clock, events } = this.#deps
      const task = await tasks.get(taskId, by)
      if ((from !== null && path === null) || (to !== null && (from === null || to < from)))
        throw CoreError.INVALID_ARGUMENT({ reason: LINES })
      const snapshot = await new SnapshotStore(tx).current(taskId)
      if (commit !== undefined && !snapshot?.commit?.startsWith(commit))
        throw ThreadError.REVIEW_OUTDATED({ handle: task.handle })
      const comment: Comment = {
        id: ids.next('cmt'),
        taskId,
        snapshotId: snapshot?.id ?? null,
        path,
        from,
        to: from === null ? null : (to ?? from),
        text,
        author,
        at: clock.now(),
        verdictId: null,
        answer: null,
        answeredAt: null,
      }
      await new ReviewStore(tx).insertComment(comment)
      await events.publish(tx, CommentAdded, { taskId, commentId: comment.id }, by, task.projectId)
      return comment
    })
  }

  /** Only a draft, and only by its author. */
  uncomment(id: CommentId, by: Caller): Promise<Comment> {
    return this.#deps.db.tx(async tx => {
      const store = new ReviewStore(tx)
      const comment = await store.findComment(id)
      if (comment?.verdictId !== null || comment.author !== callerName(by))
        throw ThreadError.COMMENT_NOT_FOUND({ commentId: id })
      await store.removeComment(id)
      return comment
    })
  }

  /** `commit`: what its author has seen, or how that begins. It holds for that, whatever is written into the folder later. */
  verdict(
    taskId: TaskId,
    { decision, summary, commit }: { decision: Decision; summary: string | null; commit: string | undefined },
    by: Caller,
  ): Promise<Verdict> {
    return this.#deps.db.tx(async tx => {
      const task = await this.#deps.tasks.get(taskId, by)
      const snapshot = await new SnapshotStore(tx).current(taskId)
      const { handle, stage } = task
      const isUp = isReviewable(task, snapshot)
      const isOther = commit !== undefined && !snapshot?.commit?.startsWith(commit)
      // Also while the new one is being taken.
      if (isOther && (isUp || awaits(task))) throw ThreadError.REVIEW_OUTDATED({ handle })
      const isTakenBack = decision === 'changes' && stage === 'queued' && (await this.#mergesElsewhere(tx, taskId))
      if (!isUp && !isTakenBack) throw ThreadError.NOTHING_TO_REVIEW({ handle, stage })
      return this.give(tx, { task, snapshot, decision, summary, author: callerName(by) }, by)
    })
  }

  /** By a caller that may. What the author has written goes out with it. */
  async give(tx: Tx, given: Given, by: Caller): Promise<Verdict> {
    const { task, snapshot, decision, summary, author } = given
    if (decision === 'changes') return this.#wantChanges(tx, given, by)
    const verdict = await this.#deps.settling.accept(tx, task, snapshot, author, summary, by)
    await new ReviewStore(tx).send(task.id, author, verdict.id, verdict.snapshotId)
    return verdict
  }

  async #wantChanges(tx: Tx, { task, snapshot, summary, author }: Given, by: Caller): Promise<Verdict> {
    const { ids, clock, events, tasks, tabs } = this.#deps
    const store = new ReviewStore(tx)
    const now = clock.now()
    const drafts = (await store.comments(task.id)).filter(one => one.verdictId === null && one.author === author)
    if (summary === null && drafts.length === 0) throw CoreError.INVALID_ARGUMENT({ reason: NOTHING_SAID })
    const snapshotId = snapshot?.id ?? null
    const verdict: Verdict = {
      id: ids.next('vrd'),
      taskId: task.id,
      snapshotId,
      commit: snapshot?.commit ?? null,
      decision: 'changes',
      summary,
      author,
      at: now,
    }
    await store.insertVerdict(verdict)
    await store.send(task.id, author, verdict.id, snapshotId)
    if (snapshot) await new SnapshotStore(tx).save({ ...snapshot, settledAt: snapshot.settledAt ?? now })
    const fact = { taskId: task.id, verdictId: verdict.id, decision: verdict.decision }
    await events.publish(tx, VerdictGiven, fact, by, task.projectId)
    const byAgents = await store.changesByAgents(task.id)
    if (byAgents > 0 && isTooMany(byAgents)) {
      await tasks.block(task.id, { kind: 'sent-back', count: byAgents }, by)
      return verdict
    }
    await tasks.giveBack(task.id, by)
    const before = await store.verdicts(task.id, 1000)
    const count = before.filter(({ decision }) => decision === 'changes').length
    const returned = { taskId: task.id, why: 'changes' as const, count }
    await events.publish(tx, TaskReturned, returned, by, task.projectId)
    await tabs.tell(task.id, toldInTab(task, author, summary, drafts), by)
    return verdict
  }

  /** What the agent says to the comments. What is not one of this task is an error: it would be lost. */
  answer(taskId: TaskId, answers: readonly { commentId: CommentId; answer: string }[], by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, tasks } = this.#deps
      const store = new ReviewStore(tx)
      for (const { commentId, answer } of answers) {
        const comment = await store.findComment(commentId)
        if (comment?.taskId !== taskId || comment.verdictId === null) throw ThreadError.COMMENT_NOT_FOUND({ commentId })
        await store.saveComment({ ...comment, answer, answeredAt: clock.now() })
        const task = await tasks.find(taskId)
        await events.publish(tx, CommentAnswered, { taskId, commentId }, by, task?.projectId)
      }
    })
  }

  /** Why the task is with its agent again; undefined for one that never was reported, or that a person sent back without a word. */
  async returned(taskId: TaskId, lang: Lang): Promise<Returned | undefined> {
    const { db } = this.#deps
    const snapshot = await new SnapshotStore(db).current(taskId)
    if (!snapshot) return undefined
    const store = new ReviewStore(db)
    const [verdict] = await store.verdicts(taskId, 1)
    if (verdict?.decision === 'changes' && verdict.snapshotId === snapshot.id) {
      const comments = (await store.comments(taskId)).filter(({ verdictId }) => verdictId === verdict.id)
      return { why: 'changes', summary: verdict.summary, comments: comments.map(commentFor) }
    }
    const latest = await new MergeStore(db).findLatest(taskId)
    // An undo that failed is no failure of its agent.
    const merge = latest?.kind === 'merge' && latest.snapshotId === snapshot.id ? latest : undefined
    if (merge?.outcome === 'conflict') {
      const conflicts = (merge.details.conflicts ?? []).map(conflict => ({ ...conflict }))
      return { why: 'conflict', summary: null, base: baseName(merge.baseRef), conflicts }
    }
    const evidence = new EvidenceStore(db)
    if (merge?.outcome === 'failed') {
      const checks = failedIn(await evidence.ofMerge(merge.id), lang)
      return { why: 'checks', summary: null, base: baseName(merge.baseRef), checks }
    }
    const checks = failedIn(await evidence.ofSnapshot(snapshot.id), lang)
    return checks.length === 0 ? undefined : { why: 'checks', summary: null, checks }
  }
}

function failedIn(evidence: readonly Evidence[], lang: Lang): NonNullable<Returned['checks']> {
  const newest = new Map(evidence.filter(counts).map(one => [one.name, one]))
  return [...newest.values()]
    .filter(({ required, outcome }) => required && outcome !== 'passed')
    .map(one => ({
      name: one.name,
      command: [...one.command],
      ran_in: ranIn(one),
      outcome: one.outcome ?? '',
      exit_code: one.exitCode,
      tail: tailIn(lang, one),
    }))
}

/** Reported and not accepted; or blocked with work that was taken, which a person may accept in spite of its checks. */
function isReviewable(task: ThreadTask, snapshot: Snapshot | undefined): boolean {
  if (snapshot && snapshot.worktreeId !== null && snapshot.takenAt === null) return false
  return awaits(task) || (task.status === 'blocked' && snapshot?.commit !== undefined && snapshot.commit !== null)
}

function commentFor({ id, path, from, to, text }: Comment) {
  return { comment_id: id, path, lines: linesOf(from, to), text }
}

const TOLD_CHARS = 3000

/** One line of text, as it is typed into a terminal. */
function toldInTab(
  { handle }: ThreadTask,
  author: string,
  summary: string | null,
  comments: readonly Pick<Comment, 'path' | 'from' | 'to' | 'text'>[],
): string {
  const places = comments.map(({ path, from, to, text }) => {
    const lines = linesOf(from, to)
    return `${path === null ? '' : `${path}${lines === null ? '' : `:${lines}`}: `}${text}`
  })
  const said = [...(summary === null ? [] : [summary]), ...places].join(' | ')
  return cut(`${author} wants changes on ${handle}: ${said}`, TOLD_CHARS)
}

function linesOf(from: number | null, to: number | null): string | null {
  if (from === null) return null
  return to === null || to === from ? `${from}` : `${from}-${to}`
}

const LINES = {
  en: 'Lines need a path, and the last must not be before the first: src/a.ts:40-44.',
  ja: '行を指定するにはパスが必要です。終わりの行は始まりの行以降にしてください (例: src/a.ts:40-44)。',
}
const NOTHING_SAID = {
  en: 'Say what should change: give a summary, or write comments first.',
  ja: '変更してほしい内容を summary で伝えるか、先にコメントを書いてください。',
}
