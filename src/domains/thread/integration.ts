// Checks merged trees before the base moves: in a worktree that is made for each of them and set up, so that nothing takes part but
// what is in the tree and what the setup command makes of it. The last one of each base is kept, for people who look for a fault.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MergeId, ProjectId, WorktreeId } from '#contract/id-types.ts'
import type { Git } from '#kernel/git/git.ts'
import type { CheckRemark, MergeNeeds, SetupFailure } from '#contract/why.ts'
import { WatchedFiles } from '#kernel/git/watched-files.ts'
import { TORYO_BRANCH, TORYO_WORKTREE } from '#system/environment-names.ts'
import type { Checks } from './checks.ts'
import { type CheckingDeps, namesOf, runCheck } from './checking.ts'
import type { EvidenceLog } from './evidence.ts'
import { integrationBranch } from './integration-branch.ts'
import { CannotGoOn } from './merge-model.ts'
import { type Check, evidenceFor, type PlannedCheck, ranIn } from './model.ts'
import type { CheckedMerge, MergeChecks } from './merge-ports.ts'
import type { OpenWorktree, ThreadWorktrees } from './ports.ts'

/** What it asks of worktrees. Not for use inside a transaction. */
export interface IntegrationWorktrees {
  /** A worktree of this branch with the files of `commit`, made now. The one before it goes for good. */
  fresh(projectId: ProjectId, branch: string, commit: string): Promise<WorktreeId>
  /** Prepares it as every new worktree; answers why that failed. */
  setUp(id: WorktreeId, signal: AbortSignal): Promise<SetupFailure | undefined>
}

type Deps = {
  git: Git
  worktrees: ThreadWorktrees
  integration: IntegrationWorktrees
  checks: Pick<Checks, 'plan'>
  evidence: Pick<EvidenceLog, 'list' | 'ofMerge'>
  baseOf: (mergeId: MergeId) => Promise<string>
  /** Names the project in a branch. */
  keyOf: (projectId: ProjectId) => Promise<string>
  checking: () => CheckingDeps
}

/** `unfit`: why a check that passed there would say nothing of the tree. */
type Ready = { there: OpenWorktree; unfit: CheckRemark | undefined }

const KNOWN = 200
const SLOT_MS = 500

export class Integration implements MergeChecks {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async run(merge: CheckedMerge, signal: AbortSignal): ReturnType<MergeChecks['run']> {
    if (await this.isPassed(merge)) return { outcome: 'passed' }
    const unseen = (await this.#required(merge)).filter(check => !check.trusted)
    if (unseen.length > 0) throw new CannotGoOn(await this.#unseen(merge, unseen))
    const ready = await this.#fresh(merge, signal)
    // All of them, as in the project's list: one may need what another has built.
    for (const check of await this.#required(merge)) {
      const failed = await this.#passes(merge, check, ready, signal)
      if (failed) return failed
    }
    return { outcome: 'passed' }
  }

  /** What was found in a workspace does not count: files that are not in the tree may have taken part. */
  async isPassed(merge: CheckedMerge): Promise<boolean> {
    const known = await this.#deps.evidence.list(merge.taskId, KNOWN)
    const home = await this.#deps.worktrees.home()
    // Nor does what was found on another machine: what is installed there takes part.
    const clean = known.filter(one => ranIn(one) === 'clean_checkout' && one.place === home).reverse()
    const found = evidenceFor(await this.#required(merge), clean, merge.tree)
    return found.every(({ evidence }) => evidence?.outcome === 'passed')
  }

  /** What is stored, whatever the merged configuration proposes. */
  async #required({ projectId }: CheckedMerge): Promise<PlannedCheck[]> {
    return (await this.#deps.checks.plan(projectId, [])).filter(check => check.required)
  }

  async #unseen({ projectId }: CheckedMerge, checks: readonly Check[]): Promise<MergeNeeds> {
    const seen = checks.map(({ name, command }) => ({ name, command: [...command] }))
    return { kind: 'unseen-checks', project: await this.#deps.keyOf(projectId), checks: seen }
  }

  async #passes(merge: CheckedMerge, check: Check, { there, unfit }: Ready, signal: AbortSignal) {
    const { git, worktrees, evidence, checking } = this.#deps
    const { mergeId, taskId, projectId, tree } = merge
    const subject = { taskId, projectId, snapshotId: null, mergeId, tree }
    const at = {
      place: (await worktrees.home()) ?? '',
      folder: there.folder,
      facts: { [TORYO_WORKTREE]: there.checkout.path, ...(there.branch !== null && { [TORYO_BRANCH]: there.branch }) },
      // What setup left beside the tree is no change of a check.
      watch: (stop: AbortSignal) => WatchedFiles.open(git, there.checkout, { signal: stop }),
      onFailure: { kind: 'clean' } as const,
      unfit,
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
    return {
      ...{ outcome: 'failed' as const, check: check.name },
      ...{ unable: last?.outcome === 'not_started', remark: last?.remark ?? null },
    }
  }

  async #fresh(merge: CheckedMerge, signal: AbortSignal): Promise<Ready> {
    const { git, worktrees, integration, baseOf, keyOf } = this.#deps
    const base = await baseOf(merge.mergeId)
    const branch = integrationBranch({
      home: (await worktrees.home()) ?? '',
      key: await keyOf(merge.projectId),
      base: base.replace(/^refs\/heads\//, ''),
    })
    const id = await integration.fresh(merge.projectId, branch, merge.commit)
    const there = await worktrees.open(id)
    if (there.lacks !== undefined) return { there, unfit: { kind: 'no-folder', folder: there.lacks } }
    // Before setup: what that writes over files of the tree, as `npm install` over its lock file, is not what is merged.
    await using files = await WatchedFiles.open(git, there.checkout, { signal })
    const failed = await integration.setUp(id, signal)
    signal.throwIfAborted()
    if (failed !== undefined) return { there, unfit: { kind: 'setup-failed', why: failed } }
    const changed = await files.putBack()
    return { there, unfit: changed.length === 0 ? undefined : { kind: 'setup-changes', ...namesOf(changed) } }
  }
}
