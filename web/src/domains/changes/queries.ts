import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { WorktreeView } from '#contract/worktrees.ts'
import { call } from '../../hub/call.ts'
import { watch } from '../../hub/watched.ts'
import { keys } from './keys.ts'
import { changedLines, type Place, workedIn } from './model.ts'

/** Files that are not watched change without a word: a person who comes back sees them as they are now. */
const fresh = { refetchOnMount: 'always' as const }

export const useWorktrees = (project: string | null) =>
  useQuery({
    queryKey: [...keys.worktrees, project],
    ...fresh,
    queryFn: async ({ signal }) => {
      const worktrees: WorktreeView[] = []
      let cursor: string | undefined
      do {
        const input = { limit: 200, ...(project !== null && { project_id: project }), ...(cursor && { cursor }) }
        const { value } = await call('worktree.list', input, { signal })
        worktrees.push(...value.worktrees)
        cursor = value.next_cursor
      } while (cursor !== undefined)
      return workedIn(worktrees)
    },
  })

export const useWorktree = (id: string) =>
  useQuery({
    queryKey: [...keys.worktrees, 'one', id],
    queryFn: async ({ signal }) => (await call('worktree.show', { worktree_id: id }, { signal })).value,
  })

const against = (base: string | undefined) => (base === undefined ? {} : { base })

const filesQuery = (id: string, base?: string) => ({
  queryKey: [...keys.files(id), base ?? null],
  ...fresh,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call('worktree.files', { worktree_id: id, count: true, ...against(base) }, { signal })).value,
})

/** `base`: what a person compares it with, in place of its own. */
export const useFiles = (id: string, base?: string) => useQuery(filesQuery(id, base))
export const useAllFiles = (ids: readonly string[]) => useQueries({ queries: ids.map(id => filesQuery(id)) })

export const useDiffText = (id: string, base?: string) =>
  useQuery({
    queryKey: [...keys.diff(id), base ?? null],
    ...fresh,
    queryFn: async ({ signal }) =>
      (await call('worktree.diff', { worktree_id: id, ...against(base) }, { signal })).value,
  })

/** What a worktree can be compared with. */
export const useBranches = (project: string) =>
  useQuery({
    queryKey: keys.branches(project),
    ...fresh,
    queryFn: async ({ signal }) => (await call('branch.list', { project_id: project }, { signal })).value.branches,
  })

/** Which lines others change in these files, as their own files have them. */
export const useLinesOfOthers = (places: readonly Place[]) =>
  useQueries({
    queries: places.map(({ worktreeId, path }) => ({
      queryKey: keys.linesOf(worktreeId, path),
      ...fresh,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { value } = await call('worktree.diff', { worktree_id: worktreeId, path, context: 0 }, { signal })
        return changedLines(value.diff)
      },
    })),
  })

export const useOverlaps = (project: string | null) =>
  useQuery({
    queryKey: [...keys.overlaps, project],
    ...fresh,
    queryFn: async ({ signal }) =>
      (await call('overlap.list', { ...(project !== null && { project_id: project }) }, { signal })).value.overlaps,
  })

export const useAbout = (id: string) =>
  useQuery({
    queryKey: keys.about(id),
    ...fresh,
    queryFn: async ({ signal }) => (await call('worktree.about', { worktree_id: id }, { signal })).value,
  })

/** While it is shown, the hub says when files in these worktrees change. */
export function useWatched(ids: readonly string[]): void {
  const all = ids.join(' ')
  useEffect(() => (all === '' ? undefined : watch(all.split(' '))), [all])
}
