// What drives the merge queue on this machine.
import type { MergeChecks, MergeWorkspaces } from '#domains/thread/merge-ports.ts'
import { Merging } from '#domains/thread/merging.ts'
import { Retiring } from '#domains/thread/retiring.ts'
import type { ComposeOptions } from './compose.ts'
import type { Parts } from './parts.ts'
import { places } from './services/merges.ts'
import { type Bind, HUB } from './services.ts'

/** The keeper of the thread calls their steps. */
export function mergingOf(
  { database, clock, log, runs }: ComposeOptions,
  { git, worktrees }: Pick<Parts, 'git' | 'worktrees'>,
  bind: Bind,
  others: { checks: MergeChecks; release: MergeWorkspaces['release'] },
): { merging: Merging; retiring: Retiring } {
  const workspaces = { ...places(worktrees), release: others.release }
  const deps = { database, clock, log, git, workspaces, hub: HUB }
  const merges: ConstructorParameters<typeof Merging>[0]['merges'] = db => bind(db).merges
  return {
    merging: new Merging({ ...deps, merges, checks: others.checks, owner: runs.place }),
    retiring: new Retiring(deps),
  }
}
