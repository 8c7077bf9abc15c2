import type { AgentId, HandoffId, ProjectId, TaskId } from '#contract/id-types.ts'
import type {
  AcceptPolicy,
  HandoffStatus,
  MergeMethod,
  Priority,
  ReportResult,
  Stage,
  TaskStatus,
  WorkspaceMode,
} from '#contract/projects.ts'

export type Project = {
  /** The short handle that memory tools use; the same row. */
  number: number
  id: ProjectId
  /** Its part of its tasks' handles. */
  key: string
  name: string
  description: string
  directory: string | null
  /** Where the same work is planned in Asana. */
  asanaUrl: string | null
  active: boolean
  workspace: WorkspaceMode
  /** The branch that work starts from and is merged into; null: what the folder has checked out. */
  base: string | null
  accept: AcceptPolicy
  /** The agent that reviews where an agent accepts. */
  reviewerId: AgentId | null
  merge: MergeMethod
  createdAt: number
}

export type Task = {
  id: TaskId
  projectId: ProjectId
  number: number
  /** What people call it: `shop-12`. */
  handle: string
  parentId: TaskId | null
  /** The branch that it is to be done on, where one was named. */
  branch: string | null
  title: string
  description: string
  status: TaskStatus
  priority: Priority
  assigneeId: AgentId | null
  assignedAt: number | null
  blockedReason: string | null
  createdAt: number
  updatedAt: number
  /** Some task that it depends on is not accepted yet. */
  waits: boolean
  facts: Facts
}

/** What happened to the work that was reported last; all null while the task is open. */
export type Facts = {
  reportedAt: number | null
  /** Every required check has passed on it. */
  verifiedAt: number | null
  acceptedAt: number | null
  /** It waits for its turn to be merged. */
  queuedAt: number | null
  mergedAt: number | null
}

export const NO_FACTS: Facts = {
  reportedAt: null,
  verifiedAt: null,
  acceptedAt: null,
  queuedAt: null,
  mergedAt: null,
}

export function stageOf({ status, waits, facts }: Pick<Task, 'status' | 'waits' | 'facts'>): Stage {
  switch (status) {
    case 'cancelled':
    case 'blocked':
      return status
    case 'in_progress':
      return waits ? 'waiting' : 'working'
    case 'todo':
    case 'backlog':
      return waits ? 'waiting' : 'planned'
    default:
      return stageOfReported(facts)
  }
}

function stageOfReported(facts: Facts): Stage {
  if (facts.mergedAt !== null) return 'merged'
  if (facts.queuedAt !== null) return 'queued'
  if (facts.acceptedAt !== null) return 'done'
  if (facts.verifiedAt !== null) return 'review'
  return facts.reportedAt === null ? 'done' : 'checking'
}

export type Note = {
  id: string
  taskId: TaskId
  agentId: AgentId | null
  progress: string | null
  findings: string | null
  blockers: string | null
  nextSteps: string | null
  at: number
}

/** What a person said to a task that was blocked. */
export type TaskAnswer = { id: string; taskId: TaskId; question: string | null; answer: string; at: number }

export const NOTE_FIELDS = ['progress', 'findings', 'blockers', 'nextSteps'] as const

export type Handoff = {
  id: HandoffId
  taskId: TaskId
  fromAgentId: AgentId
  toAgentId: AgentId | null
  summary: string
  context: string | null
  recommendations: string | null
  createdAt: number
  acceptedAt: number | null
  acceptedBy: AgentId | null
  status: HandoffStatus
}

/** Derived, so that it holds for every handoff ever made, whatever happened to its task since. */
export function handoffStatus(
  handoff: Pick<Handoff, 'id' | 'toAgentId' | 'acceptedAt'>,
  task: Pick<Task, 'status' | 'assigneeId'>,
  newestId: string,
): HandoffStatus {
  if (handoff.acceptedAt !== null) return 'accepted'
  const isInPlace = handoff.id === newestId && task.assigneeId === handoff.toAgentId && !isClosed(task)
  return isInPlace ? 'pending' : 'superseded'
}

export function saysSomething(note: Pick<Note, (typeof NOTE_FIELDS)[number]>): boolean {
  return NOTE_FIELDS.some(field => (note[field] ?? '').trim() !== '')
}

/** Blocked keeps its reason; every other status has none. What was reported before counts no more. */
export function moved(task: Task, to: TaskStatus, now: number, reason: string | null = null): Task {
  const facts = to === task.status ? task.facts : NO_FACTS
  return { ...task, status: to, blockedReason: to === 'blocked' ? reason : null, updatedAt: now, facts }
}

/** Done by its agent's word. Whether that is enough is the project's policy. */
export function reported(task: Task, policy: AcceptPolicy, now: number): Task {
  const done = moved(task, 'done', now)
  return { ...done, facts: { ...NO_FACTS, reportedAt: now, acceptedAt: policy === 'report' ? now : null } }
}

/** Done by a person's word. */
export function accepted(task: Task, now: number): Task {
  const done = task.status === 'done' ? task : moved(task, 'done', now)
  return { ...done, updatedAt: now, facts: { ...done.facts, acceptedAt: done.facts.acceptedAt ?? now } }
}

export function assigned(task: Task, agentId: AgentId | null, now: number): Task {
  return { ...task, assigneeId: agentId, assignedAt: agentId === null ? null : now, updatedAt: now }
}

export const CLOSED: readonly TaskStatus[] = ['done', 'cancelled']

export function isClosed(task: Pick<Task, 'status'>): boolean {
  return CLOSED.includes(task.status)
}

/** What a report makes of the task: only success ends it, anything else waits for a person. */
export function statusAfter(result: ReportResult): TaskStatus {
  return result === 'success' ? 'done' : 'blocked'
}

const KEY_CHARS = 12

/** A project's key: the first word of its name, else of its folder, that can be one; made unique by a count. */
export function keyFor(
  { name, directory, number }: Pick<Project, 'name' | 'directory' | 'number'>,
  isTaken: (key: string) => boolean,
): string {
  const folder = directory?.split(/[\\/]/).findLast(part => part !== '') ?? ''
  const words = [...wordsOf(name), ...wordsOf(folder)]
  const stem = words[0]?.slice(0, KEY_CHARS) ?? `p${number}`
  for (let count = 1; ; count++) {
    const key = count === 1 ? stem : `${stem}${count}`
    if (!isTaken(key)) return key
  }
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/(?<![a-z0-9])[a-z][a-z0-9]*/g) ?? []
}

/** A project made for a folder takes its name; the second of that name is ` (2)`. */
export function folderName(directory: string, count: number): string {
  const name = directory.split(/[\\/]/).findLast(part => part !== '') ?? directory
  const suffix = count === 1 ? '' : ` (${count})`
  return `${name.slice(0, 190).toWellFormed()}${suffix}`
}
