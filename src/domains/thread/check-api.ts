import { isAbsolute } from 'node:path'
import type { Caller } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { operation } from '#kernel/operation.ts'
import type { Checks } from './checks.ts'
import { guessedIn } from './guessed-checks.ts'
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
      async prepare(_services, input, { caller }) {
        const project = await projectOf(input)
        await onlyWhatIsFound(caller, project, input)
        return project
      },
      async run({ checks }, { name, command, optional, minutes = MINUTES }, { prepared: { id }, caller }) {
        return checkView(id, await checks.add(id, { name, command, required: optional !== true, minutes }, caller))
      },
    }),
    operation<'project.check.edit', Services, ThreadProject>({
      name: 'project.check.edit',
      effect: 'write',
      async prepare(_services, input, { caller }) {
        const project = await projectOf(input)
        await onlyWhatIsFound(caller, project, input)
        return project
      },
      async run({ checks }, { name, command, optional, minutes }, { prepared: { id }, caller }) {
        const required = optional === undefined ? undefined : !optional
        return checkView(id, await checks.edit(id, name, { command, required, minutes }, caller))
      },
    }),
    operation<'project.check.guess', Services, Awaited<ReturnType<typeof guessedIn>>>({
      name: 'project.check.guess',
      effect: 'read',
      async prepare(_services, input) {
        const directory = input.directory ?? (await projectOf(input)).directory
        if (directory === null) return NOTHING
        if (!isAbsolute(directory)) throw CoreError.INVALID_ARGUMENT({ reason: WHICH })
        return guessedIn(directory)
      },
      run: async (_services, _input, { prepared: { checks, setup = null } }) => ({ checks, setup }),
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

type Named = { name: string; command?: readonly string[] | undefined }

/** A page sets no commands: it chooses one of those that the hub finds. The command line may name any. */
async function onlyWhatIsFound(caller: Caller, { directory }: ThreadProject, { name, command }: Named): Promise<void> {
  if (command === undefined || caller.kind !== 'operator' || caller.page === undefined) return
  const found = directory === null ? [] : (await guessedIn(directory)).checks
  const line = JSON.stringify(command)
  if (!found.some(check => JSON.stringify(check.command) === line))
    throw ThreadError.CHECK_NOT_FOUND_IN_FOLDER({ name, command })
}

const NOTHING = { checks: [], setup: undefined }

const WHICH = {
  en: 'Give project_id, or the folder of a project as directory.',
  ja: 'project_id、またはプロジェクトのフォルダー (directory) を指定してください。',
}
