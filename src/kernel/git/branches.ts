import type { Git } from './git.ts'
import type { Repository } from './repository.ts'

/** `committedAt` in milliseconds. */
export type Branch = { name: string; committedAt: number; isCheckedOut: boolean }

/** Local branches, those that were committed to last first. */
export async function listBranches(
  git: Git,
  { commonDir }: Pick<Repository, 'commonDir'>,
  limit: number,
  signal?: AbortSignal,
): Promise<Branch[]> {
  const format = '--format=%(refname:lstrip=2)%00%(committerdate:unix)%00%(worktreepath)%00'
  const args = ['for-each-ref', '--sort=-committerdate', `--count=${limit}`, format, 'refs/heads/']
  const { stdout } = await git.run(args, { gitDir: commonDir, signal })
  const parts = stdout.toString('utf8').split('\0')
  const branches: Branch[] = []
  // Each ends with a line break, which is where the next begins.
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [name = '', seconds = '', worktree = ''] = parts.slice(at, at + 3)
    branches.push({ name: name.replace(/^\n/, ''), committedAt: Number(seconds) * 1000, isCheckedOut: worktree !== '' })
  }
  return branches
}
