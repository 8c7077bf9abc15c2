// Lets the branch of a checkout lead to a commit that holds what lies there, without a change of any file: HEAD and index follow.
import { copyFile, link, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf } from '#system/files.ts'
import type { Git } from './git.ts'
import { OWN_NAME } from './merge.ts'
import { type Checkout, withOverlay } from './overlay.ts'
import { commitOf, readHead } from './repository.ts'
import { copyIndex } from './survey.ts'
import { operationIn } from './unsaved.ts'

const TIME_MS = 300_000
/** An index of its own stays whole: its other half would be written into the overlay, which goes. */
const WHOLE = ['-c', 'core.splitIndex=false']

type Wish = { commit: string /** For the reflog, with its time in milliseconds. */; message: string; at: number }

/**
 * False when it stays as it is: the commit does not continue the branch, as where it leaves out what must not be shown, no branch is
 * checked out, or git is at work there. The index comes first: after a crash between the two the same files are staged, and nothing is lost.
 */
export async function pointBranch(git: Git, checkout: Checkout, { commit, message, at }: Wish): Promise<boolean> {
  const { branch, commit: tip } = await readHead(git, checkout)
  if (branch === undefined || tip === undefined) return false
  if (tip === commit) return true
  if ((await commitOf(git, checkout, `${commit}^`)) !== tip) return false
  if ((await operationIn(checkout.gitDir)) !== undefined) return false
  if (!(await stage(git, checkout, commit))) return false
  const args = ['update-ref', '-m', message, '--end-of-options', `refs/heads/${branch}`, commit, tip]
  await git.run(args, { gitDir: checkout.commonDir, writes: true, identity: { ...OWN_NAME, at } })
  return true
}

/**
 * The files of the commit become the index. False when git holds it, or has written it meanwhile. The lock is held for no longer than a
 * rename takes: whoever is killed while it holds it leaves it to git, which then refuses to work there.
 */
async function stage(git: Git, checkout: Checkout, commit: string): Promise<boolean> {
  const index = join(checkout.gitDir, 'index')
  return withOverlay(git, checkout, async overlay => {
    const before = await bytesOf(index)
    await copyIndex(index, overlay.index)
    await overlay.run([...WHOLE, 'read-tree', '--reset', '--end-of-options', commit], { ms: TIME_MS })
    await overlay.run([...WHOLE, 'update-index', '-q', '--refresh'], { ms: TIME_MS, codes: [0, 1] })
    const staged = `${index}.${basename(overlay.dir)}`
    try {
      await copyFile(overlay.index, staged)
      return await swapped(index, staged, before)
    } finally {
      await rm(staged, { force: true })
    }
  })
}

async function swapped(index: string, staged: string, before: Buffer | undefined): Promise<boolean> {
  const lock = `${index}.lock`
  try {
    await link(staged, lock)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    const now = await bytesOf(index)
    if (before === undefined ? now !== undefined : !now?.equals(before)) return false
    // Both are one file, and a rename onto itself would do nothing.
    await rm(staged)
    await rename(lock, index)
    return true
  } finally {
    await rm(lock, { force: true })
  }
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}
