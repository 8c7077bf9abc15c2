// What a board shows: tasks as cards, with what works on each of them.
import { z } from 'zod'
import type { Lang } from '#contract/errors.ts'
import { TaskId } from '#contract/id-types.ts'
import type { TaskCard } from '#contract/views.ts'
import type { Task } from '#domains/projects/model.ts'
import { cursorOf } from '#domains/projects/task-store.ts'
import { taskView } from '#domains/projects/views.ts'
import type { TaskRun } from '#domains/runs/model.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { pageOf, readCursor } from '#kernel/page.ts'
import type { Services } from './services.ts'

const CARDS = 1000
const REASON_CHARS = 300
const MESSAGE_CHARS = 200
const Cursor = z.object({ at: z.int(), id: TaskId })

export const boardOperations = [
  operation({
    name: 'task.cards',
    effect: 'read',
    async run({ tasks, links, runs }: Services, input, { caller, lang }) {
      const { project_id: projectId, ids, closed_since } = input
      if (ids?.length === 0) return { cards: [] }
      const closedSince = closed_since === undefined ? undefined : Date.parse(closed_since)
      const rows = await tasks.list(
        { projectId, ids, closedSince },
        readCursor(input.cursor, Cursor),
        CARDS + 1,
        caller,
      )
      const open = await runs.openOf(rows.filter(({ status }) => status === 'in_progress').map(({ id }) => id))
      const missing = await links.missing(rows)
      const { items, ...page } = pageOf(
        rows,
        CARDS,
        task => cardOf(task, open.get(task.id), missing.get(task.id)?.length ?? 0, lang),
        task => cursorOf(task, undefined),
      )
      return { cards: items, ...page }
    },
  }),
]

function cardOf(task: Task, run: TaskRun | undefined, waitsFor: number, lang: Lang): TaskCard {
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
