import type { Priority, ReportResult, TaskStatus } from '#contract/projects.ts'

export type Project = {
  /** The short handle that memory tools use; the same row. */
  number: number
  id: string
  name: string
  description: string
  directory: string | null
  /** Where the same work is planned in Asana. */
  asanaUrl: string | null
  active: boolean
  createdAt: number
}

export type Task = {
  id: string
  projectId: string
  title: string
  description: string
  status: TaskStatus
  priority: Priority
  assigneeId: string | null
  assignedAt: number | null
  blockedReason: string | null
  createdAt: number
  updatedAt: number
}

export type Note = {
  id: string
  taskId: string
  agentId: string | null
  progress: string | null
  findings: string | null
  blockers: string | null
  nextSteps: string | null
  at: number
}

export type Handoff = {
  id: string
  taskId: string
  fromAgentId: string
  toAgentId: string | null
  summary: string
  context: string | null
  recommendations: string | null
  createdAt: number
  acceptedAt: number | null
  acceptedBy: string | null
}

/** Blocked keeps its reason; every other status has none. */
export function moved(task: Task, to: TaskStatus, now: number, reason: string | null = null): Task {
  return { ...task, status: to, blockedReason: to === 'blocked' ? reason : null, updatedAt: now }
}

export function assigned(task: Task, agentId: string | null, now: number): Task {
  return { ...task, assigneeId: agentId, assignedAt: agentId === null ? null : now, updatedAt: now }
}

export function isClosed(task: Task): boolean {
  return task.status === 'done' || task.status === 'cancelled'
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
