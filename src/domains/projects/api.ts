import { z } from 'zod'
import { confinedTo, mayEnter } from '#contract/access.ts'
import { OPERATOR_AND_WORKERS } from '#contract/caller.ts'
import { TaskId } from '#contract/id-types.ts'
import { inWords } from '#contract/why.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Columns } from './columns.ts'
import type { Links } from './links.ts'
import type { Repositories } from './ports.ts'
import type { Projects } from './projects.ts'
import { checkRepository } from './settings.ts'
import type { Task } from './model.ts'
import { cursorOf } from './task-store.ts'
import type { Tasks } from './tasks.ts'
import { newTask, projectView, taskView } from './views.ts'

type Services = { projects: Projects; tasks: Tasks; columns: Columns; links: Links; repositories: Repositories }

const TaskCursor = z.object({ at: z.int(), id: TaskId })

export const projectOperations = [
  operation({
    name: 'project.list',
    effect: 'read',
    callers: OPERATOR_AND_WORKERS,
    async run({ projects }: Services, input, { caller }) {
      const limit = limitOf(input.limit)
      const own = confinedTo(caller)
      if (own !== undefined) return { projects: own === null ? [] : [projectView(await projects.get(own))] }
      const rows = await projects.list(readCursor(input.cursor, z.int()) ?? 0, limit + 1)
      const { items, ...page } = pageOf(rows, limit, projectView, project => project.number)
      return { projects: items, ...page }
    },
  }),
  operation({
    name: 'project.show',
    effect: 'read',
    callers: OPERATOR_AND_WORKERS,
    async run({ projects }: Services, input, { caller }) {
      const project = await projects.get(input.project_id)
      mayEnter(project.id, caller)
      return { ...projectView(project), agents: await projects.agentsOf(project.id) }
    },
  }),
  operation({
    name: 'project.edit',
    effect: 'write',
    async prepare({ projects, repositories }: Services, input) {
      const { directory } = await projects.get(input.project_id)
      await checkRepository(repositories, directory, input)
    },
    async run({ projects }: Services, input, call) {
      const { project_id: id, asana_url: asanaUrl, reviewer_id: reviewerId, ...changes } = input
      return projectView(await projects.edit(id, { ...changes, asanaUrl, reviewerId }, call.caller))
    },
  }),
  operation({
    name: 'project.assign',
    effect: 'write',
    async run({ projects }: Services, input, call) {
      await projects.assign(input.project_id, input.agent_id, call.caller)
      return input
    },
  }),
  operation({
    name: 'project.unassign',
    effect: 'write',
    async run({ projects }: Services, input, call) {
      await projects.unassign(input.project_id, input.agent_id, call.caller)
      return input
    },
  }),
  operation({
    name: 'project.archive',
    effect: 'write',
    run: async ({ projects }: Services, input, call) =>
      projectView(await projects.setActive(input.project_id, false, call.caller)),
  }),
  operation({
    name: 'project.activate',
    effect: 'write',
    run: async ({ projects }: Services, input, call) =>
      projectView(await projects.setActive(input.project_id, true, call.caller)),
  }),
]

export const taskOperations = [
  operation({
    name: 'task.add',
    effect: 'write',
    async run({ links }: Services, input, call) {
      const fresh = { ...newTask(input), id: input.id, projectId: input.project_id }
      const place = { parentId: input.parent_id, dependsOn: input.depends_on }
      return taskView(await links.add(fresh, place, call.caller), call.lang)
    },
  }),
  operation({
    name: 'task.edit',
    effect: 'write',
    async run({ tasks }: Services, input, call) {
      const { task_id: id, title, description, priority, branch, assignee_id: assigneeId } = input
      const { add_labels: addLabels, remove_labels: removeLabels } = input
      const changes = { title, description, priority, branch, assigneeId, addLabels, removeLabels }
      return taskView(await tasks.edit(id, changes, call.caller), call.lang)
    },
  }),
  operation({
    name: 'task.list',
    effect: 'read',
    callers: OPERATOR_AND_WORKERS,
    async run({ tasks }: Services, input, call) {
      const limit = limitOf(input.limit)
      const {
        project_id: projectId,
        assignee_id: assigneeId,
        status,
        stage,
        label,
        search,
        ids,
        deleted,
        order,
      } = input
      const filter = { projectId, assigneeId, status, stage, label, search, ids, deleted, order }
      const rows = await tasks.list(filter, readCursor(input.cursor, TaskCursor), limit + 1, call.caller)
      const view = (task: Task) => taskView(task, call.lang)
      const { items, ...page } = pageOf(rows, limit, view, task => cursorOf(task, order))
      return { tasks: items, ...page }
    },
  }),
  operation({
    name: 'task.move',
    effect: 'write',
    async run({ tasks }: Services, input, call) {
      const children = input.force ? 'ignore' : 'refuse'
      const why = inWords(input.reason ?? null)
      return taskView(await tasks.move(input.task_id, input.status, call.caller, why, children), call.lang)
    },
  }),
  operation({
    name: 'task.delete',
    effect: 'destroy',
    run: async ({ tasks }: Services, input, call) =>
      taskView(await tasks.delete(input.task_id, call.caller), call.lang),
  }),
  operation({
    name: 'task.restore',
    effect: 'write',
    run: async ({ tasks }: Services, input, call) =>
      taskView(await tasks.restore(input.task_id, call.caller), call.lang),
  }),
  operation({
    name: 'task.order',
    effect: 'write',
    async run({ columns }: Services, input, call) {
      const { task, rank } = await columns.order(input.task_id, input.behind, call.caller)
      return { task_id: task.id, rank }
    },
  }),
  operation({
    name: 'task.answer',
    effect: 'write',
    run: async ({ tasks }: Services, input, call) =>
      taskView(await tasks.answer(input.task_id, input.answer, input.status, call.caller), call.lang),
  }),
  operation({
    name: 'task.assign',
    effect: 'write',
    run: async ({ tasks }: Services, input, call) =>
      taskView(await tasks.assign(input.task_id, input.agent_id, call.caller), call.lang),
  }),
]
