import { useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contract/api.ts'
import { call } from '../../hub/call.ts'
import { PHASES_KEY } from './live.ts'

export type PhaseDetail = ApiOutput<'phase.show'>
export type Language = 'en' | 'ja'

export const useStatus = (project: string) =>
  useQuery({
    queryKey: [...PHASES_KEY, 'status', project],
    queryFn: async ({ signal }) => (await call('phase.status', { project_id: project }, { signal })).value,
  })

export const usePhase = (project: string, phase: string, language: Language) =>
  useQuery({
    queryKey: [...PHASES_KEY, 'show', project, phase, language],
    queryFn: async ({ signal }) =>
      (await call('phase.show', { project_id: project, phase, language }, { signal })).value,
    // Files come and go without an event.
    refetchOnMount: 'always',
  })

/** What a project has for itself, else the hub's own. */
export const usePrompt = (project: string, phase: string, language: Language, version: number | undefined) =>
  useQuery({
    queryKey: [...PHASES_KEY, 'prompt', project, phase, language, version ?? 'newest'],
    queryFn: async ({ signal }) => (await loadPrompt(project, phase, language, version, signal)).value,
  })

export const loadPrompt = (
  project: string,
  phase: string,
  language: Language,
  version: number | undefined,
  signal?: AbortSignal,
) =>
  call(
    'phase.prompt.show',
    { phase, language, project_id: project, ...(version !== undefined && { version }) },
    { signal },
  )

export const useVersions = (project: string, phase: string, language: Language) =>
  useQuery({
    queryKey: [...PHASES_KEY, 'versions', project, phase, language],
    queryFn: async ({ signal }) =>
      (await call('phase.prompt.history', { phase, language, project_id: project, limit: 100 }, { signal })).value
        .prompts,
  })
