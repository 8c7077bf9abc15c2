import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../hub/call.ts'
import type { Kind } from './model.ts'

export const MEMORY = ['memory'] as const
const FOUND = 30
const NEWEST = 30

export const useTree = (project: string | undefined) =>
  useQuery({
    queryKey: [...MEMORY, 'tree', project],
    enabled: project !== undefined,
    queryFn: async ({ signal }) => (await call('memory.topic.tree', { project_id: project ?? '' }, { signal })).value,
  })

/** Another question takes the place of this one, which is then given up. */
export const useRecall = (project: string | undefined, query: string, kinds: readonly Kind[]) =>
  useQuery({
    queryKey: [...MEMORY, 'recall', project, query, kinds.join()],
    enabled: project !== undefined && query.trim() !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await call(
          'memory.recall',
          { project_id: project ?? '', queries: [query], kinds: [...kinds], limit: FOUND },
          { signal },
        )
      ).value,
  })

export const useNewest = (project: string | undefined) =>
  useQuery({
    queryKey: [...MEMORY, 'newest', project],
    enabled: project !== undefined,
    queryFn: async ({ signal }) =>
      (await call('memory.decision.list', { project_id: project ?? '', limit: NEWEST }, { signal })).value.decisions,
  })

export const useTopic = (id: number) =>
  useQuery({
    queryKey: [...MEMORY, 'topic', id],
    queryFn: async ({ signal }) => (await call('memory.topic.show', { topic_id: id, limit: 200 }, { signal })).value,
  })

export const useDecision = (id: number, enabled = true) =>
  useQuery({
    queryKey: [...MEMORY, 'decision', id],
    enabled,
    queryFn: async ({ signal }) => (await call('memory.decision.show', { decision_id: id }, { signal })).value,
  })
