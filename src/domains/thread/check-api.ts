import { isAbsolute } from 'node:path'
import { CoreError } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { operation } from '#kernel/operation.ts'
import type { Checks } from './checks.ts'
import type { Check } from './model.ts'
import type { ThreadFolders, ThreadProject, ThreadProjects } from './ports.ts'
import { proposedChecks } from './proposed-checks.ts'
import { checkView } from './views.ts'

type Somewhere = { project_id?: ProjectId | undefined; directory?: string | undefined }
type Services = { checks: Checks }
type Deps = { projects: ThreadProjects; folders: ThreadFolders }
type Found = { project: ThreadProject; proposed: Check[] }

const MINUTES = 10

export function checkOperations({ projects, folders }: Deps) {
  const projectOf = async ({ project_id, directory }: Somewhere): Promise<ThreadProject> => {
    if (project_id !== undefined) return projects.get(project_id)
    const found = directory !== undefined && isAbsolute(directory) ? await projects.around(directory) : undefined
    if (!found) throw CoreError.INVALID_ARGUMENT({ reason: WHICH })
    return found
  }
  const find = async (input: Somewhere & { task_id?: TaskId | undefined }): Promise<Found> => {
    const project = await projectOf(input)
    const directory = input.task_id === undefined ? project.directory : await folders.ofTask(input.task_id)
    return { project, proposed: directory === null ? [] : await proposedChecks(directory) }
  }
  const listed = async (checks: Checks, { project, proposed }: Found) => ({
    project_id: project.id,
    checks: (await checks.plan(project.id, proposed)).map(check => checkView(project.id, check)),
  })
  return [
    operation<'project.check.add', Services, ThreadProject>({
      name: 'project.check.add',
      effect: 'write',
      prepare: (_services, input) => projectOf(input),
      async run({ checks }, { name, command, optional, minutes = MINUTES }, { prepared: { id }, caller }) {
        return checkView(id, await checks.add(id, { name, command, required: optional !== true, minutes }, caller))
      },
    }),
    operation<'project.check.list', Services, Found>({
      name: 'project.check.list',
      effect: 'read',
      prepare: (_services, input) => find(input),
      run: ({ checks }, _input, { prepared }) => listed(checks, prepared),
    }),
    operation<'project.check.remove', Services, ThreadProject>({
      name: 'project.check.remove',
      effect: 'write',
      prepare: (_services, input) => projectOf(input),
      async run({ checks }, { name }, { prepared: { id }, caller }) {
        await checks.remove(id, name, caller)
        return { project_id: id, name }
      },
    }),
    operation<'project.check.trust', Services, Found>({
      name: 'project.check.trust',
      effect: 'write',
      prepare: (_services, input) => find(input),
      async run({ checks }, { name, seen }, { prepared, caller }) {
        await checks.trust(prepared.project.id, prepared.proposed, { name, seen }, caller)
        return listed(checks, prepared)
      },
    }),
  ]
}

const WHICH = {
  en: 'Give project_id, or the folder of a project as directory.',
  ja: 'project_id、またはプロジェクトのフォルダー (directory) を指定してください。',
}
