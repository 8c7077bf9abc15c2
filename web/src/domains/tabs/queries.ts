import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { TabRecord } from '#contract/records.ts'
import type { MessageView } from '#contract/tabs.ts'
import { call } from '../../hub/call.ts'

const PAGE = 200
/** Those that ended while this page looked on stay until they are put away. */
const ENDED_MOST = 20
const MESSAGES = 50

export const keys = {
  tabs: ['tabs'] as const,
  tab: (id: string) => ['tab', id] as const,
  screen: (id: string) => ['screen', id] as const,
  messages: ['messages'] as const,
  /** Begins like the settings' own: an event about them is for both. */
  limit: ['settings', 'config', 'limits.tabs'] as const,
}

export type Tabs = readonly TabRecord[]

export const useTabs = () =>
  useQuery({
    queryKey: keys.tabs,
    queryFn: ({ signal, client }) => loadTabs(client.getQueryData<Tabs>(keys.tabs) ?? [], signal),
  })

/** How many may be open at a time. */
export const useTabLimit = () =>
  useQuery({
    queryKey: keys.limit,
    queryFn: async ({ signal }) => {
      const { settings } = (await call('config.show', {}, { signal })).value
      return Number(settings.find(({ path }) => path === 'limits.tabs')?.value)
    },
  })

/** One by its address, such as one that ended long ago. */
export const useTab = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.tab(id),
    enabled,
    queryFn: async ({ signal }): Promise<TabRecord> => (await call('tab.show', { tab_id: id }, { signal })).value,
  })

export const useScreen = (id: string) =>
  useQuery({
    queryKey: keys.screen(id),
    queryFn: async ({ signal }) => (await call('tab.screen', { tab_id: id }, { signal })).value,
  })

export const useMessages = (projectId: string | null) =>
  useQuery({
    queryKey: [...keys.messages, projectId],
    queryFn: async ({ signal }): Promise<readonly MessageView[]> => {
      const input = { limit: MESSAGES, ...(projectId !== null && { project_id: projectId }) }
      return (await call('message.list', input, { signal })).value.messages
    },
  })

/** A tab that talked all day has some hundreds. */
const TAB_MESSAGES = 1000

/** Of one tab, all that is kept. */
export const useTabMessages = (id: string) =>
  useQuery({
    queryKey: [...keys.messages, 'of', id],
    queryFn: async ({ signal }): Promise<readonly MessageView[]> => {
      const messages: MessageView[] = []
      let cursor: string | undefined
      do {
        const input = { tab_id: id, limit: PAGE, ...(cursor && { cursor }) }
        const { value } = await call('message.list', input, { signal })
        messages.push(...value.messages)
        cursor = value.next_cursor
      } while (cursor !== undefined && messages.length < TAB_MESSAGES)
      return messages
    },
  })

export const useEngines = () =>
  useQuery({
    queryKey: ['engines'],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await call('engine.list', {}, { signal })).value.engines.filter(({ terminal }) => terminal),
  })

export const useBranches = (projectId: string) =>
  useQuery({
    queryKey: ['branches', projectId],
    enabled: projectId !== '',
    staleTime: 10_000,
    retry: false,
    queryFn: async ({ signal }) => (await call('branch.list', { project_id: projectId }, { signal })).value,
  })

export const useProjectChoices = () =>
  useQuery({
    queryKey: ['projects', 'choices'],
    queryFn: async ({ signal }) => (await call('project.list', { limit: PAGE }, { signal })).value.projects,
  })

/** Tasks that a tab can be launched for. */
export const useOpenTasks = (projectId: string) =>
  useQuery({
    queryKey: ['open-tasks', projectId],
    enabled: projectId !== '',
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      const { tasks } = (await call('task.list', { project_id: projectId, limit: PAGE }, { signal })).value
      return tasks.filter(({ status }) => status !== 'done' && status !== 'cancelled')
    },
  })

/** It ended, and was looked at. */
export function putAway(queries: QueryClient, id: string): void {
  queries.setQueryData<Tabs>(keys.tabs, tabs => tabs?.filter(({ tab_id }) => tab_id !== id))
}

async function loadTabs(before: Tabs, signal: AbortSignal): Promise<Tabs> {
  const live: TabRecord[] = []
  let cursor: string | undefined
  do {
    const { value } = await call('tab.list', { limit: PAGE, ...(cursor && { cursor }) }, { signal })
    live.push(...value.tabs)
    cursor = value.next_cursor
  } while (cursor !== undefined)
  const gone = before.filter(({ tab_id }) => !live.some(tab => tab.tab_id === tab_id)).slice(-ENDED_MOST)
  const ended = await Promise.all(gone.map(async tab => (tab.ended_at === null ? endOf(tab.tab_id, signal) : tab)))
  return [...live, ...ended.filter(tab => tab !== undefined)].toSorted((a, b) => (a.tab_id < b.tab_id ? -1 : 1))
}

async function endOf(id: string, signal: AbortSignal): Promise<TabRecord | undefined> {
  try {
    return (await call('tab.show', { tab_id: id }, { signal })).value
  } catch (error) {
    if (signal.aborted) throw error
    return undefined // It never began: there is nothing to look at.
  }
}
