import type { Lang } from '#contract/errors.ts'
import { DELETED_DAYS } from '#contract/projects.ts'
import type { TaskRef } from '#contract/order.ts'
import type { AnswerView, HandoffView, NoteView, ProjectView, TaskView } from '#contract/views.ts'
import { blockedText } from '#contract/why-text.ts'
import { iso } from '#kernel/clock.ts'
import { type Handoff, type Note, type Project, stageOf, type Task, type TaskAnswer } from './model.ts'
import type { NewTask } from './tasks.ts'

const DAY_MS = 24 * 3600_000

export function projectView(project: Project): ProjectView {
  return {
    project_id: project.id,
    number: project.number,
    key: project.key,
    name: project.name,
    description: project.description,
    working_directory: project.directory,
    asana_url: project.asanaUrl,
    workspace: project.workspace,
    base: project.base,
    accept: project.accept,
    reviewer_id: project.reviewerId,
    merge: project.merge,
    status: project.active ? 'active' : 'archived',
    created_at: iso(project.createdAt),
  }
}

type TaskInput = Pick<TaskView, 'title'> & {
  [K in 'description' | 'status' | 'priority' | 'assignee_id']?: TaskView[K] | undefined
} & Pick<NewTask, 'labels'>

/** What a task begins with where the caller does not say. */
export function newTask(input: TaskInput): Omit<NewTask, 'id' | 'projectId'> {
  return {
    title: input.title,
    description: input.description ?? '',
    status: input.status ?? 'todo',
    priority: input.priority ?? 'medium',
    assigneeId: input.assignee_id ?? null,
    labels: input.labels,
  }
}

export function taskView(task: Task, lang: Lang): TaskView {
  const { title, description, status, priority } = task
  return {
    task_id: task.id,
    handle: task.handle,
    project_id: task.projectId,
    title,
    description,
    status,
    stage: stageOf(task),
    priority,
    assignee_id: task.assigneeId,
    labels: [...task.labels],
    branch: task.branch,
    blocked_reason: task.blocked && blockedText(task.blocked)[lang],
    ...(task.parentId !== null && { parent_id: task.parentId }),
    ...(task.dependsOn.length > 0 && { depends_on: [...task.dependsOn] }),
    created_at: iso(task.createdAt),
    updated_at: iso(task.updatedAt),
    ...(task.deletedAt !== null && {
      ...{ deleted_at: iso(task.deletedAt), gone_at: iso(task.deletedAt + DELETED_DAYS * DAY_MS) },
    }),
  }
}

export function taskRef(task: Task): TaskRef {
  return { task_id: task.id, handle: task.handle, title: task.title, stage: stageOf(task) }
}

export function answerView({ question, answer, at }: TaskAnswer, lang: Lang): AnswerView {
  return { question: question && blockedText(question)[lang], answer, answered_at: iso(at) }
}

export function noteView(note: Note): NoteView {
  return {
    progress: note.progress,
    findings: note.findings,
    blockers: note.blockers,
    next_steps: note.nextSteps,
    agent_id: note.agentId,
    ...(note.person !== null && { person: note.person }),
    saved_at: iso(note.at),
  }
}

export function handoffView(handoff: Handoff): HandoffView {
  const { summary, context, recommendations, status } = handoff
  return {
    handoff_id: handoff.id,
    task_id: handoff.taskId,
    from_agent_id: handoff.fromAgentId,
    to_agent_id: handoff.toAgentId,
    summary,
    context,
    recommendations,
    created_at: iso(handoff.createdAt),
    accepted_at: handoff.acceptedAt === null ? null : iso(handoff.acceptedAt),
    accepted_by: handoff.acceptedBy,
    status,
  }
}
