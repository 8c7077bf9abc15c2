// Where the tasks of a project are worked on and what becomes of the work: what was chosen, what follows from it, and what does not
// go together.
import { CoreError, type Text } from '#contract/errors.ts'
import type { AcceptPolicy } from '#contract/projects.ts'
import { WorktreeError } from '#contract/worktrees.ts'
import type { Project } from './model.ts'
import type { Repositories } from './ports.ts'

export type Settings = Pick<Project, 'workspace' | 'base' | 'accept' | 'reviewerId' | 'merge'>

export type SettingsWish = { [K in keyof Settings]?: Settings[K] | undefined }

/** As all projects had it before there were others, and as projects have it by default. */
export const IN_FOLDER: Settings = {
  workspace: 'folder',
  base: null,
  accept: 'report',
  reviewerId: null,
  merge: 'merge',
}

/** Of a project that a person adds. Looks at the folder: not for use inside a transaction. */
export async function settingsFor(
  repositories: Repositories,
  directory: string | null,
  wish: SettingsWish,
): Promise<Settings> {
  const workspace = wish.workspace ?? ((await isRepository(repositories, directory)) ? 'task' : 'folder')
  const accept = wish.accept ?? (workspace === 'task' ? 'person' : 'report')
  await checkRepository(repositories, directory, { workspace: wish.workspace, base: wish.base })
  return settingsAfter({ ...IN_FOLDER, workspace, accept }, wish)
}

/** What is left out stays as it is. */
export function settingsAfter(now: Settings, wish: SettingsWish): Settings {
  return {
    workspace: wish.workspace ?? now.workspace,
    base: wish.base === undefined ? now.base : wish.base,
    accept: wish.accept ?? now.accept,
    reviewerId: wish.reviewerId === undefined ? now.reviewerId : wish.reviewerId,
    merge: wish.merge ?? now.merge,
  }
}

/** Throws where what is asked for needs a repository, or a branch, that is not there. */
export async function checkRepository(
  repositories: Repositories,
  directory: string | null,
  { workspace, base }: Pick<SettingsWish, 'workspace' | 'base'>,
): Promise<void> {
  if (workspace !== 'task' && typeof base !== 'string') return
  if (directory === null || !(await repositories.isRepository(directory))) {
    if (directory === null) throw CoreError.INVALID_ARGUMENT({ reason: NO_DIRECTORY })
    throw WorktreeError.NOT_A_REPOSITORY({ directory })
  }
  if (typeof base === 'string' && !(await repositories.hasBranch(directory, base)))
    throw WorktreeError.BASE_NOT_FOUND({ base })
}

export function checkSettings({ workspace, accept, reviewerId }: Settings): void {
  if (workspace === 'folder' && (accept === 'checks' || accept === 'agent'))
    throw CoreError.INVALID_ARGUMENT({ reason: needsWorkspaces(accept) })
  if (accept === 'agent' && reviewerId === null) throw CoreError.INVALID_ARGUMENT({ reason: NO_REVIEWER })
}

/** One that cannot be read is none here: a caller that asks for workspaces is refused with the reason. */
async function isRepository(repositories: Repositories, directory: string | null): Promise<boolean> {
  if (directory === null) return false
  return repositories.isRepository(directory).catch(() => false)
}

function needsWorkspaces(accept: AcceptPolicy): Text {
  return {
    en: `Acceptance by ${accept} needs a workspace for each task: use --workspace task, or --accept report or person.`,
    ja: `承認方法 ${accept} にはタスクごとのワークスペースが必要です。--workspace task を指定するか、--accept に report か person を指定してください。`,
  }
}

const NO_REVIEWER: Text = {
  en: 'Acceptance by agent needs a reviewer: name one with --reviewer.',
  ja: '承認方法 agent にはレビュー担当のエージェントが必要です。--reviewer で指定してください。',
}
const NO_DIRECTORY: Text = {
  en: 'The project has no directory, so it has no branches and no workspaces; add it with --dir.',
  ja: 'プロジェクトに作業フォルダーがないため、ブランチもワークスペースも使えません。--dir を指定して追加してください。',
}
