import type { TaskStatus } from '#contract/projects.ts'
import type { Usage } from '#contract/usage-text.ts'
import type { Live, LiveContext } from '../../hub/live.ts'
import { announce } from '../../parts/announcer.tsx'
import { currentWords } from '../../words/words.ts'
import { cameIn } from './fresh.ts'
import { glide } from './glide.ts'
import type { Card } from './model.ts'
import { isOwnMove } from './own-moves.ts'
import { type Cards, cardLoader, cardOf, keys, patchCard } from './queries.ts'
import { settled } from './settled.ts'
import { taskWords } from './task-words.ts'

/** `taskId` is null in events of runs and tabs that belong to no task. */
type Payload = {
  taskId?: string | null
  to?: TaskStatus
  reason?: string | null
  why?: unknown
  agentId?: string | null
}

type Progress = {
  runId: string
  toolCalls: number
  message: string | null
  tokens?: Usage
  costUsd?: number
}

const loadCard = cardLoader()

/** The task in the event, unless the cards that are shown include it already. */
function taskIn(
  event: { seq: number; payload: unknown },
  { queries }: LiveContext,
): (Payload & { id: string }) | undefined {
  const payload = event.payload as Payload
  const seq = queries.getQueryData<Cards>(keys.cards)?.seq ?? 0
  return !payload.taskId || event.seq <= seq ? undefined : { ...payload, id: payload.taskId }
}

const touched: Live[string] = (event, context) => {
  const task = taskIn(event, context)
  if (!task) return
  loadCard(context.queries, task.id)
  context.refetch(keys.task(task.id))
}

/** What it stands for has changed, and with it what others wait for. */
const passedOn: Live[string] = (event, context) => {
  touched(event, context)
  const task = taskIn(event, context)
  const cards = context.queries.getQueryData<Cards>(keys.cards)
  if (!task || !cards) return
  for (const card of cards.byId.values()) {
    if (!card.depends_on?.some(id => id === task.id)) continue
    loadCard(context.queries, card.task_id)
    context.refetch(keys.task(card.task_id))
  }
}

/** An agent has begun or ended something: what else it has waits for that, or does not any more. */
const busied: Live[string] = (event, context) => {
  touched(event, context)
  const { agentId, taskId } = event.payload as Payload
  for (const card of context.queries.getQueryData<Cards>(keys.cards)?.byId.values() ?? []) {
    const mayWait = card.status === 'in_progress' && card.assignee_id !== null && card.assignee_id === agentId
    if (card.task_id === taskId || !(mayWait || card.agent_busy_with?.task_id === taskId)) continue
    loadCard(context.queries, card.task_id)
    context.refetch(keys.task(card.task_id))
  }
}

const detail: Live[string] = (event, { refetch }) => {
  const { taskId } = event.payload as Payload
  if (taskId) refetch(keys.task(taskId))
}

const projects: Live[string] = (_, { refetch }) => {
  refetch(keys.projects)
  refetch(keys.agents)
  refetch(['members'])
}
const checks: Live[string] = (_, { refetch }) => refetch(['checks'])
const agents: Live[string] = (_, { refetch }) => refetch(keys.agents)

/** A move of another, aloud. */
function sayMove(caller: string, id: string, to: TaskStatus, queries: LiveContext['queries']): void {
  const card = cardOf(queries, id)
  // Not by what the card shows: an answer of the hub may have been faster than the event.
  if (isOwnMove(id, to) || !card) return
  const { board, code, status } = currentWords()
  const [kind, name] = caller.split(':', 2)
  const agents = queries.getQueryData<ReadonlyMap<string, { name: string }>>(keys.agents)
  const nobody = kind === 'operator' ? taskWords[code].you : 'Toryo'
  const who = agents?.get(name ?? '')?.name ?? name ?? nobody
  announce(board.movedBy(card.title, status[to], who))
}

/** What this page moved itself is there already. */
function glides({ queries }: LiveContext, id: string, isMoved: (card: Card) => boolean): void {
  const card = cardOf(queries, id)
  if (card && isMoved(card)) glide(id)
}

export const live: Live = {
  'task.added': (event, context) => {
    const task = taskIn(event, context)
    if (task) cameIn(task.id)
    touched(event, context)
  },
  'task.moved': (event, context) => {
    const task = taskIn(event, context)
    if (!task) return
    // What has a fact is said by the hub, in the language of this page.
    const { to } = task
    const reason = task.why === undefined ? (task.reason ?? null) : null
    if (to) sayMove(event.caller, task.id, to, context.queries)
    if (to) glides(context, task.id, card => card.status !== to)
    // A newer word than one of this page that is still under way.
    if (to) patchCard(context.queries, task.id, card => ({ ...settled(card), status: to, blocked_reason: reason }))
    passedOn(event, context)
  },
  'task.ordered': (event, context) => {
    const task = taskIn(event, context)
    if (!task) return
    const { rank, spread } = event.payload as { rank: number; spread: boolean }
    glides(context, task.id, card => card.rank !== rank)
    patchCard(context.queries, task.id, card => ({ ...settled(card), rank }))
    if (spread) context.refetch(keys.cards)
  },
  'task.assigned': (event, context) => {
    const task = taskIn(event, context)
    if (!task) return
    glides(context, task.id, card => card.assignee_id !== (task.agentId ?? null))
    patchCard(context.queries, task.id, card => ({ ...card, assignee_id: (task.agentId ?? null) as never }))
    touched(event, context)
  },
  'task.deleted': passedOn,
  'task.restored': passedOn,
  'task.purged': passedOn,
  'task.answered': detail,
  'task.verified': touched,
  'task.returned': touched,
  'pull.begun': touched,
  'pull.opened': touched,
  'pull.ended': touched,
  'note.saved': detail,
  'handoff.created': touched,
  'handoff.accepted': touched,
  'run.started': busied,
  'run.taken': busied,
  'run.ended': busied,
  'run.progressed': (event, { queries }) => {
    const task = taskIn(event, { queries, refetch: () => undefined })
    if (!task) return
    const { runId, toolCalls, message, tokens, costUsd } = event.payload as Progress
    patchCard(queries, task.id, card =>
      card.run?.execution_id === runId
        ? {
            ...card,
            run: {
              ...card.run,
              tool_calls: toolCalls,
              usage: tokens ?? card.run.usage,
              cost_usd: costUsd ?? card.run.cost_usd,
              last_message: message ?? card.run.last_message,
            },
          }
        : card,
    )
  },
  'run.settled': detail,
  'task.edited': (event, context) => {
    const task = taskIn(event, context)
    const { fields, title } = event.payload as { fields?: string[]; title?: string }
    // Drawn from the event itself; the rest of the card comes with the next answer.
    if (task && title !== undefined && fields?.includes('title'))
      patchCard(context.queries, task.id, card => ({ ...card, title }))
    touched(event, context)
  },
  'task.linked': touched,
  'task.unlinked': touched,
  'task.nested': (event, context) => {
    touched(event, context)
    const { parentId } = event.payload as { parentId?: string | null }
    if (parentId !== undefined && parentId !== null) context.refetch(keys.task(parentId))
  },
  'task.ready': touched,
  'task.decision_superseded': detail,
  'workspace.made': detail,
  'workspace.released': detail,
  'snapshot.asked': touched,
  'snapshot.taken': touched,
  'check.started': touched,
  'check.ended': touched,
  'comment.added': detail,
  'comment.answered': detail,
  'review.asked': detail,
  'review.started': detail,
  'review.failed': detail,
  'verdict.given': passedOn,
  'merge.queued': passedOn,
  'merge.waits': detail,
  'merge.ended': passedOn,
  'check.added': checks,
  'check.edited': checks,
  'check.removed': checks,
  'check.trusted': checks,
  'project.added': projects,
  'project.edited': projects,
  'project.archived': projects,
  'project.activated': projects,
  'project.agent_assigned': projects,
  'project.agent_unassigned': projects,
  'agent.added': agents,
  'agent.edited': agents,
  'agent.enabled': agents,
  'agent.disabled': agents,
}
