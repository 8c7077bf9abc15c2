import { useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contract/api.ts'
import { call } from '../../hub/call.ts'

export type Review = ApiOutput<'task.review'>

export const reviewKey = (taskId: string) => ['review', taskId] as const

export const useReview = (taskId: string) =>
  useQuery({
    queryKey: reviewKey(taskId),
    queryFn: async ({ signal }) => (await call('task.review', { task_id: taskId }, { signal })).value,
    // What comes into review again has other work in it.
    refetchOnMount: 'always',
  })
