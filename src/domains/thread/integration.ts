// Checks merged trees before the base moves: in one worktree per project and base that is kept, set up once, and moved from tree to
// tree, so that what its tools keep in ignored files stays warm.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MergeId, ProjectId, WorktreeId } from '#contract/id-types.ts'
import { moveBase } from '#kernel/git/base.ts'
import { changedFiles } from '#kernel/git/changes.ts'
import type { Git } from '#kernel/git/git.ts'
import { commitOf, openRepository } from '#kernel/git/repository.ts'
import { treeOf } from '#kernel/git/snapshot.ts'
import { TORYO_BRANCH, TORYO_WORKTREE } from '#system/environment-names.ts'
import type { Checks } from './checks.ts'
import { type CheckingDeps, runCheck } from './checking.ts'
import type { EvidenceLog } from './evidence.ts'
import { integrationBranch } from './integration-branch.ts'
import { CannotGoOn, notClean, waitsFor } from './merge-model.ts'
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
  /** Names the project in a branch. */
  keyOf: (projectId: ProjectId) => Promise<string>
  checking: () => CheckingDeps
}

const KNOWN = 200
const SLOT_MS = 500

export class Integration implements MergeChecks {
  readonly #deps: Deps
  /** What the setup of each worktree that was made in this life left in its tree. */
  readonly #grounds = new Map<WorktreeId, ReadonlySet<string>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async run(merge: CheckedMerge, signal: AbortSignal): ReturnType<MergeChecks['run']> {
    const due = await this.#due(merge)
    if (due.length === 0) return { outcome: 'passed' }
    const there = await this.#ready(merge, signal)
    for (const { check } of due) {
      const failed = await this.#passes(merge, check, there, signal)
      if (failed) return failed
    }
    return { outcome: 'passed' }
  }

  async isPassed(merge: CheckedMerge): Promise<boolean> {
    return (await this.#due(merge)).length === 0
  }

  async #due({ projectId, taskId, tree }: CheckedMerge) {
    const { checks, evidence } = this.#deps
    // What is stored, whatever the merged configuration proposes.
    const required = (await checks.plan(projectId, [])).filter(check => check.required)
    const known = (await evidence.list(taskId, KNOWN)).reverse()
    return evidenceFor(required, known, tree).filter(one => one.evidence?.outcome !== 'passed')
  }

  async #passes(merge: CheckedMerge, check: Check, { there, ground }: Ready, signal: AbortSignal) {
    const { git, worktrees, evidence, checking } = this.#deps
    const { mergeId, taskId, projectId, tree } = merge
    const subject = { taskId, projectId, snapshotId: null, mergeId, tree }
    const at = {
      place: (await worktrees.home()) ?? '',
      folder: there.folder,
      facts: { [TORYO_WORKTREE]: there.checkout.path, ...(there.branch !== null && { [TORYO_BRANCH]: there.branch }) },
      tree: (stop: AbortSignal) => treeOf(git, there.checkout, { signal: stop, hold: () => holding(ground) }),
      changed: async (stop: AbortSignal) =>
        (await this.#changed(there, merge.commit, stop)).filter(path => !ground.has(path)),
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
      ...{ outcome: 'failed' as const, check: check.name, tail: last?.tail ?? '' },
      unable: last?.outcome === 'not_started',
    }
  }

  /** The worktree with the merged tree, and nothing else but what its setup left. One that something was left in is made again. */
  async #ready(merge: CheckedMerge, signal: AbortSignal): Promise<Ready> {
    const { worktrees, integration, baseOf, keyOf } = this.#deps
    const base = await baseOf(merge.mergeId)
    const branch = integrationBranch({
      home: (await worktrees.home()) ?? '',
      key: await keyOf(merge.projectId),
      base: base.replace(/^refs\/heads\//, ''),
    })
    for (let count = 0; ; count++) {
      const id = await integration.ensure(merge.projectId, branch, base)
      const before = await worktrees.open(id)
      if (count > 0) this.#grounds.set(id, await this.#leftBySetup(merge, before, branch, signal))
      const ground = this.#grounds.get(id) ?? new Set()
      const inTheWay = await this.#move(merge, before, branch, ground, signal)
      // Opened again: the folder of the project may have come with the merge.
      if (inTheWay === undefined) return { there: await worktrees.open(id), ground }
      if (count > 0) throw new CannotGoOn(notClean(before.checkout.path, inTheWay))
      this.#grounds.delete(id)
      await integration.remove(id)
    }
  }

  async #leftBySetup({ repository }: CheckedMerge, there: OpenWorktree, branch: string, signal: AbortSignal) {
    const { git } = this.#deps
    const tip = await commitOf(git, await openRepository(git, repository), `refs/heads/${branch}`)
    return new Set(tip === undefined ? [] : await this.#changed(there, tip, signal))
  }

  /** Undefined when it is there; otherwise the files because of which it is not. */
  async #move(
    merge: CheckedMerge,
    there: OpenWorktree,
    branch: string,
    ground: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<string[] | undefined> {
    const { git } = this.#deps
    const repository = await openRepository(git, merge.repository)
    const ref = `refs/heads/${branch}`
    const from = await commitOf(git, repository, ref)
    if (from === undefined) return []
    const moved = await moveBase(git, repository, { ref, from, to: merge.commit })
    // Nothing that another worktree would mend.
    if (moved !== 'moved' && (moved.waits === 'unclear' || moved.waits === 'gone'))
      throw new CannotGoOn(waitsFor(moved, branch))
    if (moved !== 'moved') return moved.waits === 'dirty' ? moved.files : []
    const tree = await treeOf(git, there.checkout, { signal, hold: () => holding(ground) })
    if (tree === merge.tree) return undefined
    return (await this.#changed(there, merge.commit, signal)).filter(path => !ground.has(path))
  }

  async #changed({ checkout }: OpenWorktree, commit: string, signal: AbortSignal): Promise<string[]> {
    return (await changedFiles(this.#deps.git, checkout, commit, signal)).files.map(({ path }) => path)
  }
}

/** `ground`: files that are as setup left them, and stand as they were merged. */
type Ready = { there: OpenWorktree; ground: ReadonlySet<string> }

function holding(ground: ReadonlySet<string>) {
  return (path: string) => (ground.has(path) ? ('secret' as const) : undefined)
}
