// What this domain asks the hub for. Cards of all projects are one answer: choosing a project asks for nothing.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contract/api.ts'
import type { AgentRecord } from '#contract/records.ts'
import { call } from '../../hub/call.ts'
import type { Card } from './model.ts'
import { PROJECTS_KEY } from './project-list.ts'

export const CLOSED_DAYS = 14
const PAGE = 200

/** `more`: where the closed ones go on that were not asked for yet, behind so many `pages` of them. */
export type Cards = { byId: ReadonlyMap<string, Card>; seq: number; pages?: number; more?: string | undefined }
/** `pending`: as with cards. */
export type TaskDetail = ApiOutput<'task.show'> & { pending?: 'sending' }

export const keys = {
  cards: ['cards'] as const,
  projects: PROJECTS_KEY,
  agents: ['agents'] as const,
  members: (projectId: string) => ['members', projectId] as const,
  task: (id: string) => ['task', id] as const,
}

export const useCards = () =>
  useQuery({
    queryKey: keys.cards,
    queryFn: ({ signal, client }) => loadCards(signal, client.getQueryData<Cards>(keys.cards)?.pages ?? 1),
  })
export const useAgents = () => useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => loadAgents(signal) })

export function useTask(id: string) {
  return useQuery({
    queryKey: keys.task(id),
    queryFn: async ({ signal }) => (await call('task.show', { task_id: id }, { signal })).value,
  })
}

export function useMembers(projectId: string | undefined) {
  return useQuery({
    queryKey: keys.members(projectId ?? ''),
    enabled: projectId !== undefined,
    queryFn: async ({ signal }) =>
      (await call('project.show', { project_id: projectId ?? '' }, { signal })).value.agents,
  })
}

/** Who gets a task that is started without an assignee; asked again each time, since others begin work meanwhile. */
export const pickFor = (projectId: string) =>
  queryOptions({
    queryKey: ['picked', projectId],
    enabled: projectId !== '',
    gcTime: 0,
    queryFn: async ({ signal }) => (await call('agent.pick', { project_id: projectId }, { signal })).value.agent,
  })

const closedSince = () => new Date(Date.now() - CLOSED_DAYS * 86_400_000).toISOString()

/** All open ones, and so many pages of those that are closed. */
async function loadCards(signal: AbortSignal, wanted: number): Promise<Cards> {
  const closed_since = closedSince()
  const byId = new Map<string, Card>()
  let seq: number | undefined
  let more: string | undefined
  let pages = 0
  do {
    const { value, seq: of } = await call('task.cards', { closed_since, ...(more && { cursor: more }) }, { signal })
    for (const card of value.cards) byId.set(card.task_id, card)
    seq ??= of
    more = value.next_cursor
    if (value.has_all_open) pages += 1
  } while (more !== undefined && pages < wanted)
  return { byId, seq: seq ?? 0, pages: wanted, more }
}

/** More of those that are closed: up to the next page that has one of this project, if one is chosen. */
export async function loadClosed(queries: QueryClient, project: string | null): Promise<void> {
  for (;;) {
    const cursor = queries.getQueryData<Cards>(keys.cards)?.more
    if (cursor === undefined) return
    const { value } = await call('task.cards', { closed_since: closedSince(), cursor })
    queries.setQueryData<Cards>(keys.cards, cards => {
      // Loaded again meanwhile, it goes on elsewhere.
      if (cards?.more !== cursor) return cards
      // What is there already may have been changed by this page.
      const byId = new Map([...value.cards.map(card => [card.task_id, card] as const), ...cards.byId])
      return { ...cards, byId, pages: (cards.pages ?? 1) + 1, more: value.next_cursor }
    })
    if (project === null || value.cards.some(({ project_id }) => project_id === project)) return
  }
}

async function loadAgents(signal: AbortSignal): Promise<ReadonlyMap<string, AgentRecord>> {
  const agents = new Map<string, AgentRecord>()
  let cursor: string | undefined
  do {
    const { value } = await call('agent.list', { limit: PAGE, ...(cursor && { cursor }) }, { signal })
    for (const agent of value.agents) agents.set(agent.agent_id, agent)
    cursor = value.next_cursor
  } while (cursor !== undefined)
  return agents
}

/** Changes one card where it is; the others stay the very same, so that only this one is drawn again. */
export function patchCard(queries: QueryClient, id: string, change: (card: Card) => Card): void {
  queries.setQueryData<Cards>(keys.cards, cards => {
    const card = cards?.byId.get(id)
    if (!cards || !card) return cards
    return { ...cards, byId: new Map(cards.byId).set(id, change(card)) }
  })
}

export function cardOf(queries: QueryClient, id: string): Card | undefined {
  return queries.getQueryData<Cards>(keys.cards)?.byId.get(id)
}

/** Asks for these cards again, joined over a moment; never two requests for the same at once. */
export function cardLoader(): (queries: QueryClient, id: string) => void {
  const JOIN_MS = 100
  const wanted = new Set<string>()
  let underWay = false
  const load = async (queries: QueryClient) => {
    const ids = [...wanted].slice(0, 1000)
    for (const id of ids) wanted.delete(id)
    try {
      const { value } = await call('task.cards', { ids: ids })
      queries.setQueryData<Cards>(keys.cards, cards => {
        if (!cards) return cards
        const byId = new Map(cards.byId)
        // Deleted since.
        for (const id of ids) if (!value.cards.some(({ task_id }) => task_id === id)) byId.delete(id)
        for (const card of value.cards) {
          const now: Card = byId.get(card.task_id) ?? card
          const { pending, status, rank } = now
          // What this page just changed is not put back by an answer from before.
          byId.set(card.task_id, pending ? { ...card, status, rank, pending } : card)
        }
        return { ...cards, byId }
      })
    } catch {
      // The line is cut, then; when it is back, what was missed comes again.
      void queries.invalidateQueries({ queryKey: keys.cards })
    }
    underWay = false
    if (wanted.size > 0) start(queries)
  }
  const start = (queries: QueryClient) => {
    underWay = true
    setTimeout(() => void load(queries), JOIN_MS)
  }
  return (queries, id) => {
    wanted.add(id)
    if (!underWay) start(queries)
  }
}
