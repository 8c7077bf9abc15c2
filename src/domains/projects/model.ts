import type { AgentId, HandoffId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { HandoffStatus, Priority, ReportResult, TaskStatus } from '#contract/projects.ts'

export type Project = {
  /** The short handle that memory tools use; the same row. */
  number: number
  id: ProjectId
  name: string
  description: string
  directory: string | null
  /** Where the same work is planned in Asana. */
  asanaUrl: string | null
  active: boolean
  createdAt: number
}

export type Task = {
  id: TaskId
  projectId: ProjectId
  title: string
  description: string
  status: TaskStatus
  priority: Priority
  assigneeId: AgentId | null
  assignedAt: number | null
  blockedReason: string | null
  createdAt: number
  updatedAt: number
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

/** Blocked keeps its reason; every other status has none. */
export function moved(task: Task, to: TaskStatus, now: number, reason: string | null = null): Task {
  return { ...task, status: to, blockedReason: to === 'blocked' ? reason : null, updatedAt: now }
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

/** A project made for a folder takes its name; the second of that name is ` (2)`. */
export function folderName(directory: string, count: number): string {
  const name = directory.split(/[\\/]/).findLast(part => part !== '') ?? directory
  const suffix = count === 1 ? '' : ` (${count})`
  return `${name.slice(0, 190).toWellFormed()}${suffix}`
}
