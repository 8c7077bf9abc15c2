import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'

export const TASK_STATUSES = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const
export const TaskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof TaskStatus>

/** Most urgent first. */
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const
export const Priority = z.enum(PRIORITIES)
export type Priority = z.infer<typeof Priority>

export const REPORT_RESULTS = ['success', 'failed', 'blocked'] as const
export const ReportResult = z.enum(REPORT_RESULTS)
export type ReportResult = z.infer<typeof ReportResult>

export const ProjectError = errors({
  PROJECT_NOT_FOUND: error('not-found', (p: { projectId: string }) => ({
    en: `There is no project ${p.projectId}; list_projects shows the ones there are.`,
    ja: `プロジェクト ${p.projectId} はありません。list_projects で一覧を確認できます。`,
  })),
  PROJECT_EXISTS: error('conflict', (p: { what: string }) => ({
    en: `A project with the ${p.what} exists already; choose another.`,
    ja: `${p.what} のプロジェクトは既にあります。別のものを選んでください。`,
  })),
  AGENT_NOT_ASSIGNED: error('conflict', (p: { agentId: string; projectId: string }) => ({
    en: `Agent ${p.agentId} is not assigned to project ${p.projectId}; run \`toryo project assign ${p.projectId} ${p.agentId}\`.`,
    ja: `エージェント ${p.agentId} はプロジェクト ${p.projectId} に割り当てられていません。\`toryo project assign ${p.projectId} ${p.agentId}\` で割り当ててください。`,
  })),
  TASK_NOT_FOUND: error('not-found', (p: { taskId: string }) => ({
    en: `There is no task ${p.taskId}; list_tasks shows the ones there are.`,
    ja: `タスク ${p.taskId} はありません。list_tasks で一覧を確認できます。`,
  })),
  TASK_EXISTS: error('conflict', (p: { taskId: string }) => ({
    en: `A task with the id ${p.taskId} exists already; choose another.`,
    ja: `ID ${p.taskId} のタスクは既にあります。別の ID を選んでください。`,
  })),
  TASK_CLOSED: error('conflict', (p: { taskId: string; status: string }) => ({
    en: `Task ${p.taskId} is ${p.status}; move it back with update_task_status before handing it over.`,
    ja: `タスク ${p.taskId} は ${p.status} です。引き継ぐ前に update_task_status で状態を戻してください。`,
  })),
  HANDOFF_NOT_FOUND: error('not-found', (p: { handoffId: string }) => ({
    en: `There is no handoff ${p.handoffId}; get_pending_handoffs shows the open ones.`,
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
})

const project = z.object({ projectId: z.string() })
const touchesProject = (p: { projectId: string }) => [`project://${p.projectId}`]
export const ProjectAdded = eventType('project.added', project, touchesProject)
export const ProjectArchived = eventType('project.archived', project, touchesProject)
export const ProjectActivated = eventType('project.activated', project, touchesProject)

const member = project.extend({ agentId: z.string() })
const touchesMember = (p: { projectId: string; agentId: string }) => [
  `project://${p.projectId}`,
  `agent://${p.agentId}`,
]
export const AgentAssigned = eventType('project.agent_assigned', member, touchesMember)
export const AgentUnassigned = eventType('project.agent_unassigned', member, touchesMember)

const task = z.object({ taskId: z.string() })
const touchesTask = (p: { taskId: string }) => [`task://${p.taskId}`]
export const TaskAdded = eventType('task.added', task, touchesTask)
export const TaskMoved = eventType(
  'task.moved',
  task.extend({ from: z.string(), to: z.string(), reason: z.string().nullable() }),
  touchesTask,
)
export const TaskAssigned = eventType('task.assigned', task.extend({ agentId: z.string().nullable() }), touchesTask)
export const NoteSaved = eventType('note.saved', task, p => [`task://${p.taskId}`, `context://${p.taskId}`])

const handoff = task.extend({ handoffId: z.string() })
const touchesHandoff = (p: { taskId: string }) => [`task://${p.taskId}`, `handoff://${p.taskId}`]
export const HandoffCreated = eventType(
  'handoff.created',
  handoff.extend({ from: z.string(), to: z.string().nullable() }),
  touchesHandoff,
)
export const HandoffAccepted = eventType('handoff.accepted', handoff.extend({ by: z.string() }), touchesHandoff)
