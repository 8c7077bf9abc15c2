import type { WorktreeChanged } from '#contract/worktrees.ts'
import type { Live, LiveContext } from '../../hub/live.ts'
import { keys } from './keys.ts'

const listed: Live[string] = (_, { refetch }) => refetch(keys.worktrees)
const overlapped: Live[string] = (_, { refetch }) => refetch(keys.overlaps)
/** The hub took its work, or the base moved: also of worktrees that are not watched. */
const written: Live[string] = (_, { refetch }) => {
  refetch(keys.worktrees)
  refetch(keys.changes)
}

const decided: Live[string] = (_, { refetch }) => refetch(keys.abouts)

export const live: Live = {
  'decision.added': decided,
  'tab.created': decided,
  'tab.ended': decided,
  'worktree.created': listed,
  'worktree.removed': listed,
  'worktree.restored': listed,
  'worktree.purged': listed,
  'worktree.setup_ended': listed,
  'overlap.found': overlapped,
  'overlap.gone': overlapped,
  'snapshot.taken': written,
  'merge.ended': written,
}

export function filesChanged({ worktreeId }: WorktreeChanged, refetch: LiveContext['refetch']): void {
  refetch(keys.of(worktreeId))
}
