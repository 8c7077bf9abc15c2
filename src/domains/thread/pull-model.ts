// A pull request of a person for a task: what is pushed for it, and what it says.
import type { MergeId, ProjectId, PullId, SnapshotId, TaskId } from '#contract/id-types.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import type { PullView } from '#contract/thread.ts'
import { iso } from '#kernel/clock.ts'
import { baseName, type Merge } from './merge-model.ts'
import { counts, type Evidence } from './model.ts'

export type Pull = {
  id: PullId
  taskId: TaskId
  projectId: ProjectId
  snapshotId: SnapshotId
  /** The repository's git folder. */
  repository: string
  baseRef: string
  remote: string
  branch: string
  commit: string
  author: string
  at: number
  url: string | null
  endedAt: number | null
  outcome: 'merged' | 'closed' | null
}

export type PullPlan = {
  snapshotId: SnapshotId
  repository: string
  baseRef: string
  branch: string
  commit: string
  /** Earlier states of this work. */
  earlier: string[]
  directory: string
  title: string
  body: string
  accepts: boolean
}

/** There, more than the commit may have taken part. */
const PASSED = 'Passed in the worktree that this commit was taken from:'

/** Whole lines that a person can change: what the agent said, and what was checked. */
export function titleOf(title: string): string {
  return withoutSecrets(title.replace(/\s+/g, ' ').trim())
}

export function bodyOf(handle: string, summary: string | null, evidence: readonly Evidence[]): string {
  const newest = new Map(evidence.filter(counts).map(one => [one.name, one]))
  const passed = [...newest.values()]
    .filter(({ outcome }) => outcome === 'passed')
    .map(({ command }) => `- \`${command.join(' ')}\``)
  const parts = [
    summary?.trim() ?? '',
    passed.length === 0 ? '' : `${PASSED}\n${[...new Set(passed)].join('\n')}`,
    `Toryo-Task: ${handle}`,
  ]
  return withoutSecrets(parts.filter(part => part !== '').join('\n\n'))
}

export function pullView(pull: Pull): PullView {
  return {
    pull_id: pull.id,
    task_id: pull.taskId,
    state: pull.outcome ?? (pull.url === null ? 'begun' : 'open'),
    url: pull.url,
    remote: pull.remote,
    branch: pull.branch,
    base: baseName(pull.baseRef),
    commit: pull.commit,
    by: pull.author,
    at: iso(pull.at),
    ended_at: pull.endedAt === null ? null : iso(pull.endedAt),
  }
}

/** Its end, as all merges are listed. `commit`: on the base; unknown where the hoster made another of it. */
export function asMerge(pull: Pull, id: MergeId, method: Merge['method'], commit: string | null, at: number): Merge {
  const { taskId, projectId, snapshotId, repository, baseRef } = pull
  return {
    ...{ kind: 'merge', undoes: null },
    ...{ id, taskId, projectId, snapshotId, repository, baseRef, method, commit },
    ...{ queuedAt: pull.at, baseBefore: null, tree: null, waits: null, endedAt: at, outcome: 'merged', details: {} },
  }
}
