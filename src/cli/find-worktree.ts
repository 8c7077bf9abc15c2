// A worktree by its id, or by its branch where that is enough.
import type { ApiOutput } from '#contract/api.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'
import { worktreeTexts } from './texts-worktree.ts'

type Hub = Awaited<ReturnType<Context['connect']>>
type Found = ApiOutput<'worktree.list'>['worktrees'][number]

export async function worktreeId(
  hub: Hub,
  name: string,
  { project, here, trashed }: { project?: string | undefined; here?: string | undefined; trashed: boolean },
): Promise<string> {
  if (/^wt_[0-9a-z]{20,}$/.test(name)) return name
  const where = project === undefined ? {} : { project_id: project }
  const listed = await hub.call('worktree.list', { ...where, branch: name, trashed })
  const usable = listed.worktrees.filter(one => trashed || one.state === 'ready')
  const own = usable.filter(one => one.project_id === here)
  const worktrees = usable.length > 1 && own.length > 0 ? own : usable
  const [found, other] = worktrees as [Found?, Found?]
  const list = `toryo tab worktrees${trashed ? ' --trash' : ''}`
  if (!found) throw CliError.USAGE({ text: worktreeTexts.unknown(name, list) })
  const ids = worktrees.map(one => one.worktree_id).join(', ')
  if (other) throw CliError.USAGE({ text: worktreeTexts.several(name, ids) })
  return found.worktree_id
}
