import type { Git } from './git.ts'
import { headInFiles, refInFiles } from './nested.ts'
import type { Checkout } from './overlay.ts'
import { type Head, readHeadAnd } from './repository.ts'

/** Where HEAD points, and another ref. Most often in a few small files, for which git need not be asked. */
export async function headAndBase(
  git: Git,
  checkout: Pick<Checkout, 'gitDir' | 'commonDir'>,
  ref: string | undefined,
): Promise<Head & { other: string | undefined }> {
  const { gitDir, commonDir } = checkout
  const [head, other] = await Promise.all([
    headInFiles(gitDir, commonDir),
    ref === undefined ? undefined : refInFiles(commonDir, ref),
  ])
  const isKnown = head !== undefined && (ref === undefined || other !== undefined)
  return isKnown ? { ...head, other } : readHeadAnd(git, checkout, ref)
}
