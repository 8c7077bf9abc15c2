// What a board shows: tasks as cards, with what works on each of them.
import { z } from 'zod'
import type { Lang } from '#contract/errors.ts'
import { TaskId } from '#contract/id-types.ts'
import type { TaskCard } from '#contract/views.ts'
import type { Task } from '#domains/projects/model.ts'
import { cursorOf, type TaskFilter } from '#domains/projects/task-store.ts'
import { taskView } from '#domains/projects/views.ts'
import type { TaskRun } from '#domains/runs/model.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { readCursor, writeCursor } from '#kernel/page.ts'
import { busyAgents } from './busy-agents.ts'
import type { Services } from './services.ts'

const CARDS = 500
/** What is done is looked at from the top; a board asks for more of it when a person does. */
const CLOSED_CARDS = 100
const REASON_CHARS = 300
const MESSAGE_CHARS = 200
const Cursor = z.object({ at: z.int(), id: TaskId, closed: z.boolean() })

export const boardOperations = [
  operation({
    name: 'task.cards',
    effect: 'read',
    async run(services: Services, { project_id: projectId, ids, closed_since, cursor }, { caller, lang }) {
      if (ids !== undefined) {
        const named = await services.tasks.list({ projectId, ids }, undefined, ids.length, caller)
        return { cards: await cardsOf(services, named, lang), has_all_open: false }
      }
      const after = readCursor(cursor, Cursor)
      const list = (filter: TaskFilter, limit: number) =>
        services.tasks.list(
          { projectId, ...filter },
          after?.closed === !filter.open ? after : undefined,
          limit + 1,
          caller,
        )
      const open = after?.closed ? [] : await list({ open: true }, CARDS)
      const isMoreOpen = open.length > CARDS
      const since = closed_since === undefined ? undefined : Date.parse(closed_since)
      const closed = isMoreOpen ? [] : await list({ open: false, order: 'updated', since }, CLOSED_CARDS)
      const shown = [...open.slice(0, CARDS), ...closed.slice(0, CLOSED_CARDS)]
      const last = isMoreOpen || closed.length > CLOSED_CARDS ? shown.at(-1) : undefined
      const next = last && { ...cursorOf(last, isMoreOpen ? 'created' : 'updated'), closed: !isMoreOpen }
      return {
        cards: await cardsOf(services, shown, lang),
        has_all_open: !isMoreOpen,
        ...(next && { next_cursor: writeCursor(next) }),
      }
    },
  }),
]

async function cardsOf(services: Services, rows: readonly Task[], lang: Lang): Promise<TaskCard[]> {
  const { links, runs } = services
  const open = await runs.openOf(rows.filter(({ status }) => status === 'in_progress').map(({ id }) => id))
  const missing = await links.missing(rows)
  const busy = await busyAgents(services, rows)
  return rows.map(task => ({
    ...cardOf(task, open.get(task.id), missing.get(task.id)?.length ?? 0, lang),
    agent_busy_with: busy.get(task.id) ?? null,
  }))
}

function cardOf(task: Task, run: TaskRun | undefined, waitsFor: number, lang: Lang): Omit<TaskCard, 'agent_busy_with'> {
  const { description: _, created_at: __, branch: ___, blocked_reason, ...card } = taskView(task, lang)
  return {
    ...card,
    rank: task.rank,
    waits_for: waitsFor,
    blocked_reason: blocked_reason?.slice(0, REASON_CHARS).toWellFormed() ?? null,
    run: run ? runOf(run) : null,
  }
}

function runOf({ id, startedAt, facts }: TaskRun): NonNullable<TaskCard['run']> {
  return {
    execution_id: id,
    started_at: iso(startedAt),
    tool_calls: facts?.toolCalls ?? null,
    usage: facts?.usage ?? null,
    cost_usd: facts?.costUsd ?? null,
    last_message: facts?.lastMessage?.slice(0, MESSAGE_CHARS).toWellFormed() ?? null,
  }
}
