import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { showHidden } from './hidden-text.ts'
import { AgentId, HANDLE, HandoffId, KEY, ProjectId, TaskId } from './id-types.ts'
import { STATUS_JA } from './state-words.ts'
import { Blocked } from './why.ts'
import { PRIORITIES, STAGES, TASK_STATUSES } from './task-values.ts'

export const TaskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof TaskStatus>

export const Priority = z.enum(PRIORITIES)
export type Priority = z.infer<typeof Priority>

export const Stage = z.enum(STAGES)
export type Stage = z.infer<typeof Stage>

/** Where agents work on a project's tasks: each task in a worktree of its own, or all in the project's folder. */
export const WORKSPACE_MODES = ['task', 'folder'] as const
export const WorkspaceMode = z.enum(WORKSPACE_MODES)
export type WorkspaceMode = z.infer<typeof WorkspaceMode>

/** What makes reported work accepted: the report itself, passed checks, a person's verdict, or an agent's. */
export const ACCEPT_POLICIES = ['report', 'checks', 'person', 'agent'] as const
export const AcceptPolicy = z.enum(ACCEPT_POLICIES)
export type AcceptPolicy = z.infer<typeof AcceptPolicy>

export const MERGE_METHODS = ['merge', 'squash'] as const
export const MergeMethod = z.enum(MERGE_METHODS)
export type MergeMethod = z.infer<typeof MergeMethod>

/** A project's short name in handles: `shop` of `shop-12`. */
export const ProjectKey = z.string().regex(KEY, 'must be 1 to 16 lower-case letters and digits, a letter first')

/** People's name of a task. Works wherever its id does. */
export function readHandle(text: string): { key: string; number: number } | undefined {
  const [, key, number] = HANDLE.exec(text) ?? []
  return key === undefined ? undefined : { key, number: Number(number) }
}

export function handleOf(key: string, number: number): string {
  return `${key}-${number}`
}

/** Of the text that tasks are searched for, in characters. */
export const SEARCH_MAX = 500
/** How long a deleted task is kept. */
export const DELETED_DAYS = 30
/** Of one task. */
export const LABELS_MAX = 20
/** Written as people like it, and the same in capitals or not. */
export const Label = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .refine(text => showHidden(text, () => '') === text, 'must not have control characters or hidden ones')

/** Where the same work is planned in Asana. */
export const AsanaUrl = z
  .url({ protocol: /^https?$/, hostname: /./, error: 'must be an http or https address' })
  .max(2000)

export const ReportResult = z.enum(['success', 'failed', 'blocked'])
export type ReportResult = z.infer<typeof ReportResult>

/** `superseded`: its task was handed over again, closed, or given to another agent. */
export const HandoffStatus = z.enum(['pending', 'accepted', 'superseded'])
export type HandoffStatus = z.infer<typeof HandoffStatus>

export const ProjectError = errors({
  /** `listedBy`: the tool that lists them, where the caller has it. */
  PROJECT_NOT_FOUND: error('not-found', (p: { projectId: string; listedBy?: 'list_projects' | 'get-projects' }) =>
    p.listedBy === undefined
      ? {
          en: `Project ${p.projectId} not found. Use \`toryo project list\` to list them.`,
          ja: `プロジェクト ${p.projectId} はありません。ID を確認してください。\`toryo project list\` で一覧を確認できます。`,
        }
      : {
          en: `Project ${p.projectId} not found. Use ${p.listedBy} to list them.`,
          ja: `プロジェクト ${p.projectId} はありません。${p.listedBy} で一覧を確認できます。`,
        },
  ),
  PROJECT_ARCHIVED: error('conflict', (p: { projectId: string }) => ({
    en: `Project ${p.projectId} is archived; \`toryo project activate ${p.projectId}\` makes it active again.`,
    ja: `プロジェクト ${p.projectId} はアーカイブされています。\`toryo project activate ${p.projectId}\` で再開できます。`,
  })),
  PROJECT_EXISTS: error('conflict', (p: { what: string }) => ({
    en: `A project with the ${p.what} exists already; choose another.`,
    ja: `${p.what} のプロジェクトは既にあります。別のものを選んでください。`,
  })),
  /** `agent`, `project`: the agent's name and the project's key, where they are known. */
  AGENT_NOT_ASSIGNED: error(
    'conflict',
    (p: { agentId: string; projectId: string; agent?: string; project?: string }) => {
      const { agent = p.agentId, project = p.projectId } = p
      const command = `toryo project assign ${project} ${/^[\w-]+$/.test(agent) ? agent : p.agentId}`
      return {
        en: `Agent ${agent} is not assigned to project ${project}; run \`${command}\`.`,
        ja: `エージェント ${agent} はプロジェクト ${project} に割り当てられていません。\`${command}\` で割り当ててください。`,
      }
    },
  ),
  TASK_NOT_FOUND: error('not-found', (p: { taskId: string }) => ({
    en: `Task ${p.taskId} not found. Use list_tasks to list them.`,
    ja: `タスク ${p.taskId} はありません。list_tasks で一覧を確認できます。`,
  })),
  TASK_DELETED: error('conflict', (p: { handle: string; at: string }) => ({
    en: `${p.handle} was deleted at ${p.at}; \`toryo task restore ${p.handle}\` brings it back.`,
    ja: `${p.handle} は ${p.at} に削除されました。\`toryo task restore ${p.handle}\` で元に戻せます。`,
  })),
  TASK_EXISTS: error('conflict', (p: { taskId: string }) => ({
    en: `A task with the id ${p.taskId} exists already; choose another.`,
    ja: `ID ${p.taskId} のタスクは既にあります。別の ID を選んでください。`,
  })),
  TASK_CLOSED: error('conflict', (p: { taskId: string; status: TaskStatus }) => ({
    en: `Task ${p.taskId} is ${p.status}; move it back with update_task_status before handing it over.`,
    ja: `タスク ${p.taskId} の状態は「${STATUS_JA[p.status]}」です。引き継ぐ前に update_task_status で状態を戻してください。`,
  })),
  TOO_MANY_LABELS: error('conflict', (p: { handle: string; count: number }) => ({
    en: `${p.handle} would have ${p.count} labels; a task has at most ${LABELS_MAX}. Remove some with \`toryo task edit ${p.handle} --unlabel <label>\`.`,
    ja: `${p.handle} のラベルが ${p.count} 個になります。1 つのタスクのラベルは ${LABELS_MAX} 個までです。\`toryo task edit ${p.handle} --unlabel <ラベル>\` で減らしてください。`,
  })),
  TASK_NOT_IN_ORDER: error('conflict', (p: { handle: string; status: TaskStatus }) => ({
    en: `${p.handle} is ${p.status}; tasks that are done or cancelled are listed by time. Reopen it to put it in order.`,
    ja: `${p.handle} の状態は「${STATUS_JA[p.status]}」です。完了または取り消したタスクは時刻順に並びます。並べ替えるには、タスクを再開してください。`,
  })),
  TASKS_APART: error(
    'conflict',
    (p: { handle: string; status: TaskStatus; other: string; otherStatus: TaskStatus }) => ({
      en: `${p.handle} is ${p.status} and ${p.other} is ${p.otherStatus}; only tasks of one column can be put in order. Move one of them first.`,
      ja: `${p.handle} の状態は「${STATUS_JA[p.status]}」、${p.other} は「${STATUS_JA[p.otherStatus]}」です。並べ替えられるのは同じ列のタスクだけです。先にどちらかを移動してください。`,
    }),
  ),
  TASK_NOT_BLOCKED: error('conflict', (p: { taskId: string; status: TaskStatus }) => ({
    en: `Task ${p.taskId} is ${p.status}, not blocked: there is nothing to answer. Another person may have answered it.`,
    ja: `タスク ${p.taskId} の状態は「${STATUS_JA[p.status]}」で、ブロックされていません。すでに他の人が回答した可能性があります。`,
  })),
  HANDOFF_NOT_FOUND: error('not-found', (p: { handoffId: string }) => ({
    en: `Handoff ${p.handoffId} not found. Use get_pending_handoffs to list them.`,
    ja: `引き継ぎ ${p.handoffId} はありません。get_pending_handoffs で未処理のものを確認できます。`,
  })),
  HANDOFF_NOT_YOURS: error('forbidden', (p: { handoffId: string; to: string }) => ({
    en: `Handoff ${p.handoffId} is addressed to ${p.to}; only that agent may accept it.`,
    ja: `引き継ぎ ${p.handoffId} は ${p.to} 宛てです。受領できるのはそのエージェントだけです。`,
  })),
  HANDOFF_ACCEPTED: error('conflict', (p: { handoffId: string; by: string }) => ({
    en: `Handoff ${p.handoffId} was already accepted by ${p.by}.`,
    ja: `引き継ぎ ${p.handoffId} は ${p.by} が受領済みです。`,
  })),
  HANDOFF_SUPERSEDED: error(
    'conflict',
    (p: { handoffId: string; taskId: string; newer: string | null; assigneeId: string | null }) => {
      const why =
        p.newer === null
          ? {
              en: p.assigneeId === null ? 'is assigned to no agent now' : `is assigned to ${p.assigneeId} now`,
              ja: p.assigneeId === null ? 'には現在担当がいません' : `は現在 ${p.assigneeId} が担当しています`,
            }
          : { en: `was handed over again (${p.newer})`, ja: `はその後あらためて引き継がれました (${p.newer})` }
      return {
        en: `Handoff ${p.handoffId} is superseded: task ${p.taskId} ${why.en}. Nothing is left to accept. Use get_pending_handoffs to list the open handoffs.`,
        ja: `引き継ぎ ${p.handoffId} は無効になりました。タスク ${p.taskId} ${why.ja}。受領は不要です。get_pending_handoffs で未処理のものを確認できます。`,
      }
    },
  ),
})

const project = z.object({ projectId: ProjectId })
const touchesProject = (p: { projectId: string }) => [`project://${p.projectId}`]
export const ProjectAdded = eventType('project.added', project, touchesProject)
export const ProjectEdited = eventType('project.edited', project, touchesProject)
export const ProjectArchived = eventType('project.archived', project, touchesProject)
export const ProjectActivated = eventType('project.activated', project, touchesProject)

const member = project.extend({ agentId: AgentId })
const touchesMember = (p: { projectId: string; agentId: string }) => [
  `project://${p.projectId}`,
  `agent://${p.agentId}`,
]
export const AgentAssigned = eventType('project.agent_assigned', member, touchesMember)
export const AgentUnassigned = eventType('project.agent_unassigned', member, touchesMember)

const task = z.object({ taskId: TaskId })
const touchesTask = (p: { taskId: string }) => [`task://${p.taskId}`]
/** Whose task moves or changes hands may be superseded by it. */
const touchesHandoff = (p: { taskId: string }) => [`task://${p.taskId}`, `handoff://${p.taskId}`]
/** What it began as: enough to draw it, and to reconstruct an earlier board. */
export const TaskAdded = eventType(
  'task.added',
  task.extend({
    ...{ handle: z.string(), title: z.string(), status: z.string(), priority: z.string() },
    agentId: AgentId.nullable(),
  }),
  touchesTask,
)
/** Hidden from then on, and gone some weeks later. */
export const TaskDeleted = eventType(
  'task.deleted',
  task.extend({ handle: z.string(), title: z.string() }),
  touchesHandoff,
)
export const TaskRestored = eventType('task.restored', task, touchesHandoff)
/** For good: no row of it is left. */
export const TaskPurged = eventType('task.purged', task.extend({ handle: z.string() }), touchesTask)
/** `fields`: the names of those that changed. */
export const TaskEdited = eventType(
  'task.edited',
  task.extend({ fields: z.array(z.string()), title: z.string() }),
  touchesTask,
)
/** `reason`: in English; `why`: as a fact, where it was not written by a person or an agent. */
export const TaskMoved = eventType(
  'task.moved',
  task.extend({ from: z.string(), to: z.string(), reason: z.string().nullable(), why: Blocked.optional() }),
  touchesHandoff,
)
/** `spread`: the others of its column were counted again, in the order that they had. */
export const TaskOrdered = eventType(
  'task.ordered',
  task.extend({ status: z.string(), rank: z.number(), spread: z.boolean() }),
  touchesTask,
)
export const TaskAssigned = eventType(
  'task.assigned',
  task.extend({ from: AgentId.nullable(), agentId: AgentId.nullable() }),
  touchesHandoff,
)
export const NoteSaved = eventType('note.saved', task, p => [`task://${p.taskId}`, `context://${p.taskId}`])

/** A person has said how a blocked task goes on. */
export const TaskAnswered = eventType('task.answered', task, p => [`task://${p.taskId}`, `context://${p.taskId}`])

const handoff = task.extend({ handoffId: HandoffId })
export const HandoffCreated = eventType(
  'handoff.created',
  handoff.extend({ from: z.string(), to: z.string().nullable() }),
  touchesHandoff,
)
export const HandoffAccepted = eventType('handoff.accepted', handoff.extend({ by: z.string() }), touchesHandoff)
