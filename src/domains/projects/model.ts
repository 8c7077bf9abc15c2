import {
  type AgentId,
  type AnswerId,
  type HandoffId,
  KEY,
  type NoteId,
  type ProjectId,
  type TaskId,
} from '#contract/id-types.ts'
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
import { type Blocked, isSame } from '#contract/why.ts'
import { fold } from '#kernel/search/fold.ts'

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
  /** In the order of the alphabet. */
  labels: readonly string[]
  title: string
  description: string
  status: TaskStatus
  priority: Priority
  assigneeId: AgentId | null
  assignedAt: number | null
  blocked: Blocked | null
  /** The hub or a person has blocked it: no agent opens it. */
  isForPeople: boolean
  /** Where a person put it among those of its status. */
  rank: number | null
  createdAt: number
  updatedAt: number
  /** A person put it away: hidden, and gone after some weeks. */
  deletedAt: number | null
  /** Tasks that it is not started before. */
  dependsOn: readonly TaskId[]
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
      return waits || facts.reportedAt !== null ? 'waiting' : 'working'
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
  id: NoteId
  taskId: TaskId
  agentId: AgentId | null
  /** Who saved it, where that is no agent and gave a name. */
  person: string | null
  progress: string | null
  findings: string | null
  blockers: string | null
  nextSteps: string | null
  at: number
}

/** What a person said to a task that was blocked. */
export type TaskAnswer = { id: AnswerId; taskId: TaskId; question: Blocked | null; answer: string; at: number }

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
export function moved(task: Task, to: TaskStatus, now: number, why: Blocked | null = null): Task {
  const facts = to === task.status ? task.facts : NO_FACTS
  return { ...task, status: to, blocked: to === 'blocked' ? why : null, updatedAt: now, facts }
}

/** What an agent blocked, agents may open. `isByAgent`: who has made this of it. */
export function blockedBy(before: Task, after: Task, isByAgent: boolean): Task {
  if (after.status !== 'blocked') return { ...after, isForPeople: false }
  const isNew = before.status !== 'blocked' || !isSame(before.blocked, after.blocked)
  return { ...after, isForPeople: isNew ? !isByAgent : before.isForPeople }
}

/** It was reported, and what becomes of that is not known yet. */
export function isUndecided({ facts }: Pick<Task, 'facts'>): boolean {
  const { reportedAt, acceptedAt, queuedAt, mergedAt } = facts
  return acceptedAt === null ? reportedAt !== null : queuedAt !== null && mergedAt === null
}

/** Done by its agent's word. Whether that is enough is the project's policy. */
export function reported(task: Task, policy: AcceptPolicy, now: number): Task {
  const done = moved(task, 'done', now)
  return { ...done, facts: { ...NO_FACTS, reportedAt: now, acceptedAt: policy === 'report' ? now : null } }
}

/** Every required check has passed on what was reported. */
export function verified(task: Task, now: number): Task {
  return { ...task, updatedAt: now, facts: { ...task.facts, verifiedAt: task.facts.verifiedAt ?? now } }
}

/** What was reported has changed since. */
export function unverified(task: Task, now: number): Task {
  return { ...task, updatedAt: now, facts: { ...task.facts, verifiedAt: null } }
}

/** Its agent is finished, its sub-tasks are not: it is done when the last of them is. Until then no agent is started for it. */
export function reportedEarly(task: Task, now: number): Task {
  return { ...task, updatedAt: now, facts: { ...NO_FACTS, reportedAt: now } }
}

/** Waits only for its sub-tasks. */
export function isReportedEarly({ status, facts }: Pick<Task, 'status' | 'facts'>): boolean {
  return status === 'in_progress' && facts.reportedAt !== null
}

/** Nothing more is expected of it: those that wait for its end need not wait. */
export function isSettled({ status, facts }: Pick<Task, 'status' | 'facts'>): boolean {
  return status === 'cancelled' || facts.acceptedAt !== null
}

/** Those that depend on it begin on the base: one that was deleted holds up none; accepted work that waits for its merge is not there yet. */
export function isMissing({ facts, deletedAt }: Pick<Task, 'facts' | 'deletedAt'>): boolean {
  if (deletedAt !== null) return false
  return facts.acceptedAt === null || (facts.queuedAt !== null && facts.mergedAt === null)
}

/** What is finished stays as it is; everything else is cancelled. */
export function deleted(task: Task, now: number): Task {
  const isOver = task.status === 'cancelled' || (isSettled(task) && !isUndecided(task))
  const closed = isOver ? task : moved(task, 'cancelled', now)
  return { ...closed, deletedAt: now, updatedAt: now }
}

/** Done by a person's word. */
export function accepted(task: Task, now: number): Task {
  const done = task.status === 'done' ? task : moved(task, 'done', now)
  return { ...done, updatedAt: now, facts: { ...done.facts, acceptedAt: done.facts.acceptedAt ?? now } }
}

/** Its merge was undone, and is in the base again. */
export function redone(task: Task, now: number): Task {
  const done = accepted({ ...task, facts: NO_FACTS }, now)
  return { ...done, facts: { ...done.facts, reportedAt: now, verifiedAt: now, queuedAt: now, mergedAt: now } }
}

export function assigned(task: Task, agentId: AgentId | null, now: number): Task {
  return { ...task, assigneeId: agentId, assignedAt: agentId === null ? null : now, updatedAt: now }
}

export type TaskChanges = {
  title?: string | undefined
  description?: string | undefined
  priority?: Priority | undefined
  assigneeId?: AgentId | null | undefined
  branch?: string | null | undefined
  addLabels?: readonly string[] | undefined
  removeLabels?: readonly string[] | undefined
}

/** What is left out stays as it is. */
export function edited(task: Task, changes: TaskChanges, now: number): Task {
  const { title = task.title, description = task.description, priority = task.priority } = changes
  const { assigneeId = task.assigneeId, branch = task.branch } = changes
  const labels = labelled(task.labels, changes.addLabels ?? [], changes.removeLabels ?? [])
  const kept = assigneeId === task.assigneeId ? task : assigned(task, assigneeId, now)
  return { ...kept, title, description, priority, branch, labels, updatedAt: now }
}

/** A label that is there already, in capitals or not, stays as it was written first. */
export function labelled(labels: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  const byFold = new Map(labels.map(label => [fold(label), label]))
  for (const label of remove) byFold.delete(fold(label))
  for (const label of add) if (!byFold.has(fold(label))) byFold.set(fold(label), label)
  return [...byFold].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label)
}

/** A character that no one types, so that a match lies within one text. */
const BETWEEN = '\u001f'

/** What a search looks into, besides its handle and labels. */
export function searched({ title, description }: Pick<Task, 'title' | 'description'>): string {
  return fold(`${title}${BETWEEN}${description}`)
}

/** The names, on the wire, of what differs. */
export function changedFields(before: Task, after: Task): string[] {
  const differs: [string, boolean][] = [
    ['title', before.title !== after.title],
    ['description', before.description !== after.description],
    ['priority', before.priority !== after.priority],
    ['assignee_id', before.assigneeId !== after.assigneeId],
    ['branch', before.branch !== after.branch],
    ['labels', before.labels.join('\n') !== after.labels.join('\n')],
  ]
  return differs.flatMap(([name, isChanged]) => (isChanged ? [name] : []))
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

/** A project's key: its id, where a person chose a short one; else the first word of its name or its folder that can be one, made unique by a count. */
export function keyFor(
  { id, name, directory, number }: Pick<Project, 'id' | 'name' | 'directory' | 'number'>,
  isTaken: (key: string) => boolean,
): string {
  if (KEY.test(id) && !isTaken(id)) return id
  const folder = directory?.split(/[\\/]/).findLast(part => part !== '') ?? ''
  const words = [...wordsOf(name), ...wordsOf(folder)]
  const stem = words[0]?.slice(0, KEY_CHARS) ?? `p${number}`
  for (let count = 1; ; count++) {
    const key = count === 1 ? stem : `${stem}${count}`
    if (!isTaken(key)) return key
  }
}

/** Words that mean one of these projects already. */
export function takenBy(
  projects: Iterable<{ readonly id: string; readonly key: string | null; readonly name: string }>,
): (word: string) => boolean {
  const words = new Set<string | null>()
  for (const { id, key, name } of projects) words.add(id).add(key).add(name)
  return word => words.has(word)
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

/** As people read them: width, case and spaces do not make another title. */
export function sameTitle(a: string, b: string): boolean {
  return plainTitle(a) === plainTitle(b)
}

function plainTitle(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
