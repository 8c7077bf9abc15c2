// What a launch needs to know before the transaction that makes the tab: where, on which branch, with which engine.
// Reads only; a launch that cannot succeed is refused here and leaves nothing.
import { basename, isAbsolute } from 'node:path'
import { confinedTo } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import { TabError } from '#contract/tabs.ts'
import { WorktreeError } from '#contract/worktrees.ts'
import type { TabPermission } from '#contract/permission.ts'
import { type Place, placeOf } from '#kernel/paths.ts'
import type { TabEngines, ProjectFacts, Projects, Repositories, TaskWorkspaces, Trust } from './ports.ts'
import type { LaunchPlan, Tabs } from './service.ts'
import type { Tab } from './model.ts'

export type LaunchingDeps = {
  projects: Projects
  repositories: Repositories
  engines: Pick<TabEngines, 'problem' | 'resumeProblem'>
  trust: Trust
  tabs: Tabs
  workspaces: TaskWorkspaces
}

export type LaunchWish = {
  engine: string
  /** Left out for a task, which has its own. */
  branch?: string | undefined
  /** Launched in its workspace, with the task as its prompt. */
  taskId?: TaskId | undefined
  projectId?: ProjectId | undefined
  /** Where the client is, for one that names no project. */
  directory?: string | undefined
  base?: string | undefined
  prompt?: string | undefined
  /** A person's own to choose. Absent: as the configuration has it. */
  permission?: TabPermission | undefined
}

/** The conversation of a run, and where that worked: in the workspace of a task, or in a folder. */
export type TakeWish = {
  run: string
  engine: string
  session: string
  at: { taskId: TaskId } | { directory: string; projectId: ProjectId | null }
}

export type Prepared = Omit<LaunchPlan, 'projectId'> & {
  /** A folder without a project gets one with its first tab. */
  where: { projectId: ProjectId } | { place: Place }
}

export class Launching {
  readonly #deps: LaunchingDeps

  constructor(deps: LaunchingDeps) {
    this.#deps = deps
  }

  async prepare(wish: LaunchWish, by: Caller): Promise<Prepared> {
    const { engines, repositories, trust, workspaces } = this.#deps
    const { engine, base, permission } = wish
    if (permission !== undefined && by.kind !== 'operator') throw CoreError.NOT_ALLOWED({ what: PERSONS_OWN })
    const problem = engines.problem(engine)
    if (problem !== undefined) throw TabError.ENGINE_NOT_FOUND({ engine, problem })
    const given = wish.taskId === undefined ? undefined : await workspaces.plan(wish.taskId, by)
    const { directory, where } = await this.#whereabouts({ ...wish, projectId: given?.projectId ?? wish.projectId }, by)
    const branch = given?.branch ?? wish.branch
    if (branch === undefined) throw CoreError.INVALID_ARGUMENT({ reason: NO_BRANCH })
    // A tab on the branch of a workspace works in that workspace.
    const isKnown = wish.taskId === undefined && 'projectId' in where
    const taskId = isKnown ? await workspaces.taskOn(where.projectId, branch) : wish.taskId
    if (taskId !== undefined) await workspaces.mustBeFree(taskId)
    await repositories.check({ directory, branch, base })
    await trust.check(directory)
    return { engine, branch, base, prompt: wish.prompt ?? given?.prompt, permission, directory, where, taskId }
  }

  /** A tab that goes on with what a run said and did. It works where the run did. */
  async prepareTaken({ run, engine, session, at }: TakeWish, by: Caller): Promise<Prepared> {
    const { engines, trust, workspaces } = this.#deps
    const problem = engines.problem(engine)
    if (problem !== undefined) throw TabError.ENGINE_NOT_FOUND({ engine, problem })
    const reason = engines.resumeProblem(engine)
    if (reason !== undefined) throw TabError.CANNOT_TAKE({ run, reason })
    const same = { engine, resumes: session, base: undefined, prompt: undefined, permission: undefined }
    if ('taskId' in at) {
      const { projectId, branch } = await workspaces.plan(at.taskId, by)
      await workspaces.mustBeFree(at.taskId)
      const place = await this.#whereabouts({ projectId }, by)
      await trust.check(place.directory)
      return { ...same, ...place, branch, taskId: at.taskId }
    }
    const { directory, projectId } = at
    const place = await placeOf(directory)
    if (place.kind !== 'folder') throw TabError.CANNOT_TAKE({ run, reason: folderGone(directory) })
    await trust.check(directory)
    const where = projectId === null ? { place } : { projectId: (await this.#deps.projects.enter(projectId, by)).id }
    return { ...same, directory, where, branch: await this.#branchIn(directory) }
  }

  /** What a tab in a folder is called: the branch that is checked out there, or the folder. */
  async #branchIn(directory: string): Promise<string> {
    const { repositories } = this.#deps
    if ((await repositories.topOf(directory)) === undefined) return basename(directory)
    return (await repositories.headOf(directory)).branch ?? basename(directory)
  }

  /** In the transaction of the call. */
  async launch({ where, ...plan }: Prepared, by: Caller): Promise<Tab> {
    const { projects, tabs, workspaces } = this.#deps
    if (plan.taskId !== undefined) await workspaces.mustBeFree(plan.taskId)
    const projectId = 'place' in where ? (await projects.ensureAt(where.place, by)).id : where.projectId
    return tabs.create({ ...plan, projectId }, by)
  }

  async #whereabouts(
    wish: Pick<LaunchWish, 'projectId' | 'directory'>,
    by: Caller,
  ): Promise<{ directory: string; where: Prepared['where'] }> {
    const { projects, repositories } = this.#deps
    const named = wish.projectId ?? confinedTo(by) ?? undefined
    if (named !== undefined) return ofProject(await projects.enter(named, by))
    const folder = wish.directory
    if (folder === undefined || !isAbsolute(folder)) throw nowhere(folder)
    const top = await repositories.topOf(folder)
    for (const directory of top === undefined || top === folder ? [folder] : [folder, top]) {
      const known = await projects.findAt(await placeOf(directory), by)
      if (known) return ofProject(known)
    }
    if (top === undefined) throw nowhere(folder)
    const place = await placeOf(top)
    return { directory: place.real, where: { place } }
  }
}

const folderGone = (directory: string) => ({
  en: `its folder ${directory} is gone.`,
  ja: `フォルダー ${directory} がありません。`,
})
const NO_BRANCH = {
  en: 'Name a branch to work on, or a task.',
  ja: '作業するブランチかタスクを指定してください。',
}
const PERSONS_OWN = {
  en: 'What an agent in a tab may do without asking is for the operator to choose; launch it without a permission.',
  ja: 'タブのエージェントが確認なしでできることを選べるのはオペレーターだけです。権限を指定せずに起動してください。',
}

function ofProject({ id, directory }: ProjectFacts): { directory: string; where: { projectId: ProjectId } } {
  if (directory === null) throw nowhere(undefined)
  return { directory, where: { projectId: id } }
}

function nowhere(directory: string | undefined) {
  return WorktreeError.NOT_A_REPOSITORY({ directory: directory ?? null })
}
