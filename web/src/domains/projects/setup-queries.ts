// What the dialogs ask that begin a project or an agent.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../hub/call.ts'

/** The folders in a folder of the hub's machine; undefined: its home. Asked each time: nothing tells of new folders. */
export const useFolder = (path: string | undefined, hidden: boolean) =>
  useQuery({
    queryKey: ['folder', path ?? '', hidden],
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('directory.list', { ...(path !== undefined && { path }), hidden }, { signal })).value,
  })

/** What adding this folder would trust. */
export const useTrustLook = (directory: string | undefined) =>
  useQuery({
    queryKey: ['trust-look', directory ?? ''],
    enabled: directory !== undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }) => (await call('trust.look', { directory: directory ?? '' }, { signal })).value,
  })

/** What the folder names as its checks. */
export const useGuess = (directory: string | undefined) =>
  useQuery({
    queryKey: ['check-guess', directory ?? ''],
    enabled: directory !== undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }) =>
      (await call('project.check.guess', { directory: directory ?? '' }, { signal })).value,
  })

export const checksKey = (projectId: string) => ['checks', projectId] as const

export const useChecks = (projectId: string) =>
  useQuery({
    queryKey: checksKey(projectId),
    // Its repository may name others by now.
    refetchOnMount: 'always',
    queryFn: async ({ signal }) =>
      (await call('project.check.list', { project_id: projectId }, { signal })).value.checks,
  })

/** Whether its worktrees are made ready by a command. */
export const useSetup = (projectId: string) =>
  useQuery({
    queryKey: ['setup', projectId],
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => (await call('worktree.setup.show', { project_id: projectId }, { signal })).value,
  })

export type EngineChoice = { engine: string; isFound: boolean }

/** Of this hub, and of Runners elsewhere; those that can be started first. */
export const useEngineChoices = () =>
  useQuery({
    queryKey: ['engine-choices'],
    queryFn: async ({ signal }): Promise<EngineChoice[]> => {
      const [{ value: here }, { value: elsewhere }] = await Promise.all([
        call('engine.list', {}, { signal }),
        call('runner.list', {}, { signal }),
      ])
      const there = elsewhere.runners.filter(({ revoked_at }) => revoked_at === null).flatMap(({ engines }) => engines)
      const found = [
        ...here.engines.filter(one => one.program !== null && one.headless).map(one => one.engine),
        ...there,
      ]
      const names = new Set([...found, ...here.engines.filter(({ headless }) => headless).map(({ engine }) => engine)])
      return [...names].map(engine => ({ engine, isFound: found.includes(engine) }))
    },
  })

export const useAgentDetail = (id: string) =>
  useQuery({
    queryKey: ['agents', id],
    queryFn: async ({ signal }) => (await call('agent.show', { agent_id: id }, { signal })).value,
  })
