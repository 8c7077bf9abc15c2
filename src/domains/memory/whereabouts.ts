// Which project a call means that may leave it out.
import { isAbsolute } from 'node:path'
import { confinedTo } from '#contract/access.ts'
import { CoreError } from '#contract/errors.ts'
import { ProjectHandle } from '#contract/memory.ts'
import { homeOf } from '#kernel/home.ts'
import { placeOf } from '#kernel/paths.ts'
import type { Call } from '#kernel/tool.ts'
import type { Handle } from './model.ts'

export const projectInput = {
  project_id: ProjectHandle.optional().describe("Project number or id (default: your folder's)"),
}

type Where = { readonly project_id?: number | string | undefined; readonly directory?: string | undefined }

/** project_id, else the project that the caller belongs to, else that of the folder. Looks at the disk: for `prepare`. */
export async function meant(_services: unknown, input: Where, { caller, connection }: Call): Promise<Handle> {
  if (input.project_id !== undefined) return input.project_id
  const own = confinedTo(caller)
  if (own) return own
  const folder = input.directory ?? connection?.directory
  if (folder === undefined || !isAbsolute(folder)) throw CoreError.INVALID_ARGUMENT({ reason: NOWHERE })
  return connection && input.directory === undefined ? homeOf(connection, folder) : placeOf(folder)
}

const NOWHERE = {
  en: 'project_id is required: this connection has no folder whose project could be meant.',
  ja: 'project_id を指定してください。この接続には作業フォルダーがなく、プロジェクトを特定できません。',
}
