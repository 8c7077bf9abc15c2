import { confinedTo, mayEnter } from '#contract/access.ts'
import { OPERATOR_AND_WORKERS } from '#contract/caller.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import type { Overlaps } from './overlaps.ts'

type Services = { overlaps: Overlaps }

export const overlapOperations = [
  operation({
    name: 'overlap.list',
    effect: 'read',
    callers: OPERATOR_AND_WORKERS,
    async run({ overlaps }: Services, { project_id }, { caller }) {
      const own = confinedTo(caller)
      if (project_id !== undefined) mayEnter(project_id, caller)
      const found = own === null ? [] : await overlaps.list(project_id ?? own)
      return {
        overlaps: found.map(({ projectId, a, b, views, kind, files, at }) => ({
          project_id: projectId,
          a: { ...views.a, worktree_id: a.worktreeId },
          b: { ...views.b, worktree_id: b.worktreeId },
          kind,
          files: [...files],
          since: iso(at),
        })),
      }
    },
  }),
]
