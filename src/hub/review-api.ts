// Operations for reviewing reported work. They need tasks, the thread and git together.
import type { Lang, Text } from '#contract/errors.ts'
import { HubError } from '#contract/errors.ts'
import type { AgentId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { AcceptPolicy } from '#contract/projects.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { stageOf, type Task } from '#domains/projects/model.ts'
import { taskView } from '#domains/projects/views.ts'
import { baseName } from '#domains/thread/merge-model.ts'
import type { PlannedCheck, Snapshot } from '#domains/thread/model.ts'
import type { ThreadFolders } from '#domains/thread/ports.ts'
import { whyNotByChecks } from '#domains/thread/checks.ts'
import { proposedChecks } from '#domains/thread/proposed-checks.ts'
import { checkView, commentView, evidenceView, snapshotView, verdictView } from '#domains/thread/views.ts'
import { tipOf } from '#kernel/git/base.ts'
import { baseCheckouts } from '#kernel/git/base-checkouts.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { mergeTrees } from '#kernel/git/merge.ts'
import { openRepository, withMain } from '#kernel/git/repository.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { changesOf, diffOf, pathsOf } from './changes-of.ts'
import { HUB } from './own-caller.ts'
import { reviewOf } from './review-of.ts'
import type { Services } from './services.ts'

type Deps = { git: Git; folders: ThreadFolders }

const DIFF_BYTES = 1024 * 1024
const MOST_SNAPSHOTS = 200

export function reviewOperations({ git, folders }: Deps) {
  return [
    operation({
      name: 'task.review',
      effect: 'read',
      async run(services: Services, { task_id, since }, { caller, lang }) {
        const { tasks, projects, snapshots, evidence, reviews, checks, taskDecisions } = services
        const task = await tasks.get(task_id, caller)
        const snapshot = await snapshots.current(task.id)
        if (!snapshot) throw ThreadError.NOTHING_TO_REVIEW({ handle: task.handle, stage: stageOf(task) })
        const proposed = await proposedIn(folders, snapshot)
        const plan = await checks.plan(task.projectId, proposed)
        const verdicts = await reviews.verdicts(task.id, 50)
        const untrusted = plan.filter(check => !check.trusted)
        const { accept } = await projects.get(task.projectId)
        const elsewhere = await elsewhereOf(services, snapshot)
        const comments = await reviews.comments(task.id, caller)
        const review = await reviewOf(services, task.id, lang)
        return {
          ...taskView(task, lang),
          snapshot: snapshotView(snapshot, lang),
          evidence: (await evidence.ofSnapshot(snapshot.id)).map(one => evidenceView(one, lang)),
          untrusted: untrusted.map(check => checkView(task.projectId, check)),
          ...(await changesOf(git, services.worktrees, snapshot, DIFF_BYTES, {
            since: await commitOf(services, task, since),
            isCounted: true,
          })),
          comments: comments.map(commentView),
          verdicts: verdicts.map(verdictView),
          review,
          cites: [...snapshot.cites],
          decisions: await taskDecisions.ofTask(task.id),
          snapshots: await snapshotsOf(services, task.id),
          merges_into: await mergesInto(services, git, { snapshot, plan, task }),
          elsewhere,
          changed_since: await changedSince(services, task),
          remarks: [...(elsewhere ? [elsewhereText(elsewhere)[lang]] : []), ...remarksOn(snapshot, plan, accept, lang)],
          names: await namesOf(services, [
            ...[task.assigneeId, review?.agent_id ?? null],
            ...[...comments, ...verdicts].map(({ author }) => /^agent:(.+)$/.exec(author)?.[1] ?? null),
          ]),
        }
      },
    }),
    operation({
      name: 'task.diff',
      effect: 'read',
      async run(services: Services, { task_id, path, since, commit, context }, { caller }) {
        const { tasks, snapshots, worktrees } = services
        const task = await tasks.get(task_id, caller)
        const snapshot = await snapshots.current(task.id)
        if (!snapshot) throw ThreadError.NOTHING_TO_REVIEW({ handle: task.handle, stage: stageOf(task) })
        if (commit !== undefined && !snapshot.commit?.startsWith(commit))
          throw ThreadError.REVIEW_OUTDATED({ handle: task.handle })
        const part = { path, context, since: await commitOf(services, task, since) }
        return diffOf(git, worktrees, snapshot, DIFF_BYTES, part)
      },
    }),
    operation({
      name: 'task.review.ask',
      effect: 'write',
      async run(services: Services, { task_id, agent_id }, { caller, lang }) {
        const asked = await services.askedReviews.ask(task_id, agent_id, caller)
        const task = taskView(await services.tasks.get(asked.taskId, caller), lang)
        const review = await reviewOf(services, asked.taskId, lang)
        if (!review) throw ThreadError.NOTHING_TO_REVIEW({ handle: task.handle, stage: task.stage })
        return { ...task, review }
      },
    }),
    operation({
      name: 'task.include',
      effect: 'write',
      run: async ({ snapshots }: Services, { task_id, paths }, { caller, lang }) =>
        snapshotView(await snapshots.include(task_id, paths, caller), lang),
    }),
    operation({
      name: 'task.comment',
      effect: 'write',
      async run({ reviews }: Services, input, { caller }) {
        const { task_id, path = null, from_line: from = null, to_line: to = null, text, commit } = input
        return commentView(await reviews.comment(task_id, { path, from, to, text, commit }, caller))
      },
    }),
    operation({
      name: 'task.comments',
      effect: 'read',
      run: async ({ reviews }: Services, { task_id }, { caller }) => ({
        comments: (await reviews.comments(task_id, caller)).map(commentView),
      }),
    }),
    operation({
      name: 'task.uncomment',
      effect: 'write',
      run: async ({ reviews }: Services, { comment_id }, { caller }) =>
        commentView(await reviews.uncomment(comment_id, caller)),
    }),
    operation({
      name: 'task.verdict',
      effect: 'write',
      async run({ reviews, tasks }: Services, { task_id, decision, summary = null, commit }, { caller, lang }) {
        const verdict = await reviews.verdict(task_id, { decision, summary, commit }, caller)
        return { ...taskView(await tasks.get(verdict.taskId, caller), lang), verdict: verdictView(verdict) }
      },
    }),
    operation({
      name: 'evidence.show',
      effect: 'read',
      async run({ evidence, tasks }: Services, { evidence_id }, { caller, lang }) {
        const found = await evidence.find(evidence_id)
        if (!found) throw ThreadError.EVIDENCE_NOT_FOUND({ evidenceId: evidence_id })
        await tasks.get(found.taskId, caller)
        return evidenceView(found, lang)
      },
    }),
  ]
}

/** In its workspace, by a person or a program that went on after the report. */
async function changedSince({ workspaces }: Services, task: Task): Promise<string[]> {
  if (!['review', 'blocked'].includes(stageOf(task))) return []
  return workspaces.unreported(task.id).catch((error: unknown) => {
    if (error instanceof HubError || error instanceof GitError) return [] // Gone, or broken: there is nothing to take in.
    throw error
  })
}

/** Those that do not exist any more are missing. */
async function namesOf({ agents }: Services, ids: readonly (string | null)[]): Promise<Record<string, string>> {
  const names: Record<string, string> = {}
  for (const id of new Set(ids)) {
    const agent = id === null ? undefined : await agents.find(id as AgentId)
    if (agent) names[agent.id] = agent.name
  }
  return names
}

/** Of the snapshot that is compared with; undefined: the base is. */
async function commitOf({ snapshots }: Services, task: Pick<Task, 'id' | 'handle'>, since: SnapshotId | undefined) {
  if (since === undefined) return undefined
  const snapshot = await snapshots.find(since)
  if (snapshot?.taskId !== task.id || snapshot.commit === null)
    throw ThreadError.SNAPSHOT_NOT_FOUND({ snapshotId: since, handle: task.handle })
  return snapshot.commit
}

type Elsewhere = { path: string; machine: string | null }

/** Another hub on the same database made it, in a folder of its own, perhaps on another machine. */
async function elsewhereOf({ worktrees, runs }: Services, snapshot: Snapshot): Promise<Elsewhere | null> {
  if (snapshot.worktreeId === null) return null
  const { home, path } = await worktrees.get(snapshot.worktreeId)
  if (home === (await worktrees.home())) return null
  const [last] = await runs.list({ taskId: snapshot.taskId }, undefined, 1, HUB)
  return { path, machine: last?.runner?.split(':')[0] ?? null }
}

function elsewhereText({ path, machine }: Elsewhere): Text {
  return {
    en: `Its files are not with this hub, so no diff is shown: they are in ${path}${machine === null ? ', kept by another hub' : ` on ${machine}, kept by the hub there`}. Review it on the page of that hub, or with \`toryo task review\` there.`,
    ja: `ファイルはこのハブにないため、diff を表示できません。場所は ${machine === null ? '別のハブ' : `${machine} のハブ`}にある ${path} です。そのハブのページ、またはそこで実行する \`toryo task review\` でレビューしてください。`,
  }
}

async function snapshotsOf({ snapshots }: Services, taskId: TaskId) {
  const all = (await snapshots.list(taskId, MOST_SNAPSHOTS)).filter(({ cause }) => cause !== 'end')
  return all.map(({ id, at, commit }, index) => ({
    ...{ snapshot_id: id, number: all.length - index, at: iso(at), commit },
  }))
}

type Merging = { snapshot: Snapshot; plan: readonly PlannedCheck[]; task: Task }

async function mergesInto(services: Services, git: Git, merging: Merging) {
  const { snapshot, plan } = merging
  if (snapshot.commit === null || snapshot.changedFiles === 0) return null
  const workspace = await services.workspaces.find(snapshot.taskId)
  if (!workspace || workspace.baseRef === null) return null
  const checks = plan.filter(({ required, trusted }) => required && trusted).map(({ name }) => name)
  const checkouts = await checkoutsOf(services, git, merging, workspace.baseRef)
  const conflicts = await conflictsOf(services, git, merging, workspace.baseRef)
  return { base: baseName(workspace.baseRef), checks, conflicts, checkouts }
}

/** With the base as it is now: a person sees them before the queue, and its agent, meet them again. */
async function conflictsOf({ worktrees }: Services, git: Git, { snapshot, task }: Merging, ref: string) {
  if (snapshot.worktreeId === null || snapshot.commit === null || stageOf(task) === 'merged') return []
  const { repository, home } = await worktrees.get(snapshot.worktreeId)
  if (home !== (await worktrees.home())) return []
  try {
    const there = await openRepository(git, repository)
    const ours = await tipOf(git, there, ref)
    const merged = ours === undefined ? undefined : await mergeTrees(git, there, { ours, theirs: snapshot.commit })
    return merged && 'conflicts' in merged ? merged.conflicts : []
  } catch (error) {
    if (error instanceof GitError) return [] // A repository that is gone or broken: the queue says so when it comes to it.
    throw error
  }
}

/** As they are now; the queue looks for itself when it moves the base. */
async function checkoutsOf({ worktrees, projects }: Services, git: Git, { snapshot, task }: Merging, ref: string) {
  if (snapshot.worktreeId === null || stageOf(task) === 'merged') return null
  const files = await pathsOf(git, worktrees, snapshot)
  if (!files) return null
  const { repository: commonDir, objectFormat } = await worktrees.get(snapshot.worktreeId)
  try {
    const { directory } = await projects.get(task.projectId)
    const repository = await withMain(git, { commonDir, objectFormat, checkout: undefined }, directory)
    const found = await baseCheckouts(git, repository, ref, files)
    return found.map(({ path, isClean, inTheWay, operation = null }) => ({
      ...{ path, clean: isClean, files: inTheWay, operation },
    }))
  } catch (error) {
    if (error instanceof GitError) return null // A folder that is gone or broken: the queue says so when it comes to it.
    throw error
  }
}

/** What its branch names; nothing where that cannot be seen. */
async function proposedIn(folders: ThreadFolders, { taskId, worktreeId }: Snapshot) {
  if (worktreeId === null) return []
  const folder = await folders.ofTask(taskId).catch((error: unknown) => {
    if (error instanceof HubError) return undefined // Gone, or on another machine.
    throw error
  })
  return folder === undefined ? [] : proposedChecks(folder)
}

function remarksOn(snapshot: Snapshot, plan: readonly PlannedCheck[], accept: AcceptPolicy, lang: Lang): string[] {
  const { worktreeId, takenAt, error, changedFiles, result, held, flagged } = snapshot
  const said: (Text | false | undefined)[] = [
    worktreeId === null && NO_WORKSPACE,
    worktreeId !== null && takenAt === null && error === null && NOT_TAKEN,
    error !== null && { en: `It could not be read: ${error.en}`, ja: `読み取れませんでした: ${error.ja}` },
    result !== 'success' &&
      result !== null && {
        en: `Its agent reported: ${result}.`,
        ja: `エージェントの報告: ${RESULT_JA[result] ?? result}。`,
      },
    changedFiles === 0 && NO_CHANGE,
    held.length > 0 && HELD,
    worktreeId !== null && plan.length === 0 && NO_CHECKS,
    worktreeId !== null && whyNotByChecks(accept, plan, flagged),
  ]
  return said.flatMap(text => (text ? [text[lang]] : []))
}

/** As far as this release knows them. */
const RESULT_JA: Readonly<Partial<Record<string, string>>> = { failed: '失敗', blocked: 'ブロック' }

const NO_WORKSPACE = {
  en: 'It was not done in a workspace, so it has no snapshot, and nothing was checked.',
  ja: 'ワークスペースでの作業ではないため、スナップショットもチェックもありません。',
}
const NOT_TAKEN = { en: 'Its snapshot is still being taken.', ja: 'スナップショットを作成中です。' }
const NO_CHANGE = { en: 'The report came without any change to the files.', ja: 'ファイルの変更がない報告です。' }
const HELD = {
  en: 'Some files stay out of it, and are not merged. Let one in with `toryo task review <task> --include <path>`.',
  ja: '含めていないファイルがあり、マージされません。`toryo task review <タスク> --include <パス>` で含められます。',
}
const NO_CHECKS = {
  en: 'The project has no checks, so nothing was checked.',
  ja: 'このプロジェクトにはチェックがないため、何も確認していません。',
}
