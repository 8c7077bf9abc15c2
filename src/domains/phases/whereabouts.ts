import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { confinedTo } from '#contract/access.ts'
import { CoreError } from '#contract/errors.ts'
import { ProjectId } from '#contract/id-types.ts'
import { homeOf } from '#kernel/home.ts'
import { type Place, placeOf } from '#kernel/paths.ts'
import type { Call } from '#kernel/tool.ts'

/** How a call names its project. */
export type Whereabouts = { readonly projectId: ProjectId } | { readonly place: Place }

const projectPath = z.string().min(1).max(4096).optional().describe('Absolute path (default: your folder)')

export const whereInput = {
  project_id: ProjectId.optional().describe('Project (prj_…; default: that of projectPath)'),
}
export const contextFields = { projectPath }
export const contextInput = z.object(contextFields).optional().describe('Where (default: your folder)')

export type Where = {
  readonly project_id?: ProjectId | undefined
  readonly context?: { readonly projectPath?: string | undefined } | undefined
}

/** project_id, else context.projectPath, else the project that the caller belongs to, else the folder the client was started in. */
export async function whereabouts({ project_id, context }: Where, { caller, connection }: Call): Promise<Whereabouts> {
  if (project_id !== undefined) return { projectId: project_id }
  const given = context?.projectPath
  const own = confinedTo(caller)
  if (given === undefined && own) return { projectId: own }
  const folder = given ?? connection?.directory
  if (folder === undefined) throw CoreError.INVALID_ARGUMENT({ reason: NOWHERE })
  if (!isAbsolute(folder)) throw CoreError.INVALID_ARGUMENT({ reason: NOT_ABSOLUTE })
  return { place: await (given === undefined && connection ? homeOf(connection, folder) : placeOf(folder)) }
}

const NOWHERE = {
  en: 'This connection has no folder of its own; name the project with project_id or context.projectPath.',
  ja: 'この接続には作業フォルダーがありません。project_id か context.projectPath でプロジェクトを指定してください。',
}
const NOT_ABSOLUTE = {
  en: 'context.projectPath must be an absolute path.',
  ja: 'context.projectPath は絶対パスで指定してください。',
}
