// Which project a command is about when none is named: that of the folder it is given in.
import type { OptionSpec } from './define.ts'
import type { Client } from '#client/api.ts'
import { HubError } from '#contract/errors.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'

/** For lists: `all` shows those of every project. */
export const projectOption: OptionSpec = {
  flags: '--project <project>',
  text: {
    en: "Only of this project; `all`: of every one (default: this folder's, else all)",
    ja: 'このプロジェクトのものだけ。`all` ですべて (既定: このフォルダーのプロジェクト、なければすべて)',
  },
}

/** For a branch that several projects have. */
export const branchProject: OptionSpec = {
  flags: '--project <project>',
  text: {
    en: "The project of the branch (default: this folder's, where several have it)",
    ja: 'ブランチのプロジェクト (複数のプロジェクトにある場合の既定: このフォルダーのプロジェクト)',
  },
}

/** Undefined: of all projects. */
export async function projectHere(cx: Context, hub: Client, given: string | undefined): Promise<string | undefined> {
  if (given === 'all') return undefined
  // The folders of a hub elsewhere are not the ones here.
  if (given !== undefined || cx.global.url !== undefined) return given
  try {
    return (await hub.call('project.here', { directory: cx.io.cwd })).project?.project_id
  } catch (error) {
    // Below an agent: the hub shows it its own project in any case.
    if (error instanceof HubError && error.kind === 'forbidden') return undefined
    throw error
  }
}

export const neededProject: OptionSpec = {
  flags: '--project <project>',
  text: { en: "The project (default: this folder's)", ja: 'プロジェクト (既定: このフォルダーのもの)' },
}

/** Where there must be one. */
export async function needProject(cx: Context, hub: Client, given: string | undefined): Promise<string> {
  const project = given ?? (await projectHere(cx, hub, undefined))
  if (project !== undefined) return project
  throw CliError.USAGE({
    text: {
      en: 'This folder belongs to no project. Name one with --project, or make this folder one: `toryo init`',
      ja: 'このフォルダーはどのプロジェクトにも属していません。--project で指定するか、`toryo init` でプロジェクトにしてください。',
    },
  })
}
