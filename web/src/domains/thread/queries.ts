import { useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contract/api.ts'
import { call } from '../../hub/call.ts'

export type Review = ApiOutput<'task.review'>
export type MergeDetail = ApiOutput<'merge.show'>

export const reviewKey = (taskId: string) => ['review', taskId] as const
export const mergesKey = ['merges'] as const

/** `since`: a snapshot; what changed after it in place of the whole. */
export const useReview = (taskId: string, since?: string) =>
  useQuery({
    queryKey: [...reviewKey(taskId), since ?? null],
    queryFn: async ({ signal }) =>
      (await call('task.review', { task_id: taskId, ...(since !== undefined && { since }) }, { signal })).value,
    // What comes into review again has other work in it.
    refetchOnMount: 'always',
  })

/** The one that has waited longest, besides this one; asked again when this one moves on. */
export const useNextReview = (taskId: string, project: string | null, stage: string) =>
  useQuery({
    queryKey: ['review', 'next', taskId, project, stage],
    queryFn: async ({ signal }) => {
      const input = { stage: 'review' as const, limit: 2, ...(project !== null && { project_id: project }) }
      const { tasks } = (await call('task.list', input, { signal })).value
      return tasks.find(({ task_id }) => task_id !== taskId) ?? null
    },
    refetchOnMount: 'always',
  })

/** As the sheet of the task knows it: one answer for both. */
export const useShownTask = (taskId: string) =>
  useQuery({
    queryKey: ['task', taskId] as const,
    queryFn: async ({ signal }) => (await call('task.show', { task_id: taskId }, { signal })).value,
  })

export const useMerges = (project: string | null) =>
  useQuery({
    queryKey: [...mergesKey, 'list', project],
    queryFn: async ({ signal }) =>
      (await call('merge.list', { ended: true, ...(project !== null && { project_id: project }) }, { signal })).value
        .merges,
    refetchOnMount: 'always',
  })

export const useMerge = (mergeId: string) =>
  useQuery({
    queryKey: [...mergesKey, 'one', mergeId],
    queryFn: async ({ signal }) => (await call('merge.show', { merge_id: mergeId }, { signal })).value,
  })
