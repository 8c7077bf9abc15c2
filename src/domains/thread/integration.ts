// Checks merged trees before the base moves: in one worktree per project and base that is kept, set up once, and moved from tree to
// tree, so that what its tools keep in ignored files stays warm.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MergeId, ProjectId, WorktreeId } from '#contract/id-types.ts'
import { moveBase } from '#kernel/git/base.ts'
import { changedFiles } from '#kernel/git/changes.ts'
import type { Git } from '#kernel/git/git.ts'
import { commitOf, openRepository } from '#kernel/git/repository.ts'
import { treeOf } from '#kernel/git/snapshot.ts'
import type { Checks } from './checks.ts'
import { type CheckingDeps, runCheck } from './checking.ts'
import type { EvidenceLog } from './evidence.ts'
import { type Check, evidenceFor } from './model.ts'
import type { CheckedMerge, MergeChecks } from './merge-ports.ts'
import type { OpenWorktree, ThreadWorktrees } from './ports.ts'

/** What it asks of worktrees. Not for use inside a transaction. */
export interface IntegrationWorktrees {
  /** The worktree of this branch, made from `base` and set up where there is none yet. */
  ensure(projectId: ProjectId, branch: string, base: string): Promise<WorktreeId>
  /** With whatever lies in it. */
  remove(id: WorktreeId): Promise<void>
}

type Deps = {
  git: Git
  worktrees: ThreadWorktrees
  integration: IntegrationWorktrees
  checks: Pick<Checks, 'plan'>
  evidence: Pick<EvidenceLog, 'list' | 'ofMerge'>
  baseOf: (mergeId: MergeId) => Promise<string>
  checking: () => CheckingDeps
}

const KNOWN = 200
const SLOT_MS = 500

export class Integration implements MergeChecks {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async run(merge: CheckedMerge, signal: AbortSignal): ReturnType<MergeChecks['run']> {
    const { checks, evidence } = this.#deps
    // What is stored, whatever the merged configuration proposes.
    const required = (await checks.plan(merge.projectId, [])).filter(check => check.required)
    const known = (await evidence.list(merge.taskId, KNOWN)).reverse()
    const due = evidenceFor(required, known, merge.tree).filter(one => one.evidence?.outcome !== 'passed')
    if (due.length === 0) return { outcome: 'passed' }
    const there = await this.#ready(merge)
    for (const { check } of due) {
      const failed = await this.#passes(merge, check, there, signal)
      if (failed) return failed
    }
    return { outcome: 'passed' }
  }

  async #passes(merge: CheckedMerge, check: Check, there: OpenWorktree, signal: AbortSignal) {
    const { git, worktrees, evidence, checking } = this.#deps
    const { mergeId, taskId, projectId, tree } = merge
    const subject = { taskId, projectId, snapshotId: null, mergeId, tree }
    const at = {
      place: (await worktrees.home()) ?? '',
      folder: there.folder,
      facts: { TORYO_WORKTREE: there.checkout.path, ...(there.branch !== null && { TORYO_BRANCH: there.branch }) },
      tree: (stop: AbortSignal) => treeOf(git, there.checkout, { signal: stop }),
      changed: async (stop: AbortSignal) =>
        (await changedFiles(git, there.checkout, merge.commit, stop)).files.map(({ path }) => path),
    }
    for (;;) {
      const outcome = await runCheck(checking(), subject, check, at, signal)
      signal.throwIfAborted()
      if (outcome === 'passed') return undefined
      if (outcome !== undefined && outcome !== 'stopped') break
      // As many run as may.
      await sleep(SLOT_MS, undefined, { signal })
    }
    const last = (await evidence.ofMerge(mergeId)).findLast(({ name }) => name === check.name)
    return { outcome: 'failed' as const, check: check.name, tail: last?.tail ?? '' }
  }

  /** The worktree with exactly the merged tree. One that something was left in is made anew. */
  async #ready(merge: CheckedMerge): Promise<OpenWorktree> {
    const { worktrees, integration, baseOf } = this.#deps
    const base = await baseOf(merge.mergeId)
    const branch = `toryo/integration-${base.replace(/^refs\/heads\//, '').replace(/[^A-Za-z0-9._-]+/g, '-')}`
    for (let count = 0; ; count++) {
      const id = await integration.ensure(merge.projectId, branch, base)
      const there = await worktrees.open(id)
      if (await this.#moved(merge, there, branch)) return there
      if (count > 0) throw new Error(`the worktree of ${branch} cannot be brought to ${merge.commit}`)
      await integration.remove(id)
    }
  }

  async #moved(merge: CheckedMerge, { checkout }: OpenWorktree, branch: string): Promise<boolean> {
    const { git } = this.#deps
    const repository = await openRepository(git, merge.repository)
    const ref = `refs/heads/${branch}`
    const from = await commitOf(git, repository, ref)
    if (from === undefined) return false
    if ((await moveBase(git, repository, { ref, from, to: merge.commit })) !== 'moved') return false
    return (await treeOf(git, checkout)) === merge.tree
  }
}
