// Moves a branch to another commit. Where it is checked out, the index and the files come along, or nothing moves. The order is:
// record, lock of the index, files, ref (compare and swap), index, unlock. Up to the ref a crash is taken back, after it finished.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CheckoutMove, type Watch } from './checkout-move.ts'
import type { Git } from './git.ts'
import { GitError } from './git-error.ts'
import { OWN_NAME, touchedPaths } from './merge.ts'
import { abandonMove, beginMove, endMove, leftMoves, type Move, pruneAside, setAside } from './move-record.ts'
import { refInFiles } from './nested.ts'
import { type Checkout, withOverlay } from './overlay.ts'
import { commitOf, contains, openRepository, type Repository } from './repository.ts'
import { endOf } from './ref-end.ts'
import { readSmallFile } from './small-file.ts'
import { operationIn } from './unsaved.ts'
import { listWorktrees } from './worktrees.ts'

export type BaseMove = {
  /** By its full name. */
  ref: string
  from: string
  to: string
  /** For the reflog, with its time in milliseconds. */
  message?: string
  at?: number
  /** It waited before, and is tried again and again: git is not locked out of the checkout only to see what is in the way. */
  look?: boolean
  /** Asked last, when all is in place and only the ref has to move: is it still wanted? */
  sure?: () => Promise<boolean>
  /** Called at every step, before the next one. */
  watch?: Watch
}

export type Waits =
  /** It is at another commit by now. */
  | { waits: 'moved'; now: string | undefined }
  /** It is not wanted any more, or not so. */
  | { waits: 'unsure' }
  /** These files of the checkout have unsaved changes, or are in the way. */
  | { waits: 'dirty'; path: string; files: string[] }
  /** Git is at work there, or in the middle of a merge, rebase or the like. */
  | { waits: 'locked'; path: string; operation?: string }
  /** A checkout has it, and that folder cannot be found from this git folder. */
  | { waits: 'gone'; path: string }
  /** Which branch is checked out in this git folder cannot be told: it may be this one. */
  | { waits: 'unclear'; path: string }

const SHOWN = 20

export async function moveBase(git: Git, repository: Repository, wish: BaseMove): Promise<'moved' | Waits> {
  try {
    return await moveEnd(git, repository, { ...wish, ref: await endOfRef(git, repository, wish.ref) })
  } catch (error) {
    if (!(error instanceof GitError) || error.path === undefined) throw error
    if (error.problem === 'bad-head') return { waits: 'unclear', path: error.path }
    if (error.problem === 'gone') return { waits: 'gone', path: error.path }
    throw error
  }
}

/** The branch that this one stands for, as every comparison here has it. */
async function endOfRef(git: Git, { commonDir }: Pick<Repository, 'commonDir'>, ref: string): Promise<string> {
  return (await endOf(git, { gitDir: commonDir, commonDir }, ref)) ?? ref
}

/** Of a ref that leads to no other. */
async function moveEnd(git: Git, repository: Repository, wish: BaseMove): Promise<'moved' | Waits> {
  const { ref, from, to, watch = () => {} } = wish
  const now = await tipOf(git, repository, ref)
  if (now === to) return 'moved'
  if (now !== from) return { waits: 'moved', now }
  const checkouts = await checkoutsOn(git, repository, ref)
  for (const { path, gitDir } of checkouts) {
    const operation = await operationIn(gitDir)
    if (operation !== undefined) return { waits: 'locked', path, operation }
  }
  const rebased = await rebasedIn(git, repository, ref)
  if (rebased !== undefined) return { waits: 'locked', path: rebased, operation: 'rebase' }
  if (checkouts.length === 0) return swap(git, repository, wish)
  const places = checkouts.map(({ path, gitDir }) => ({ path, gitDir }))
  const { commonDir } = repository
  const move = await beginMove(git.folder, { commonDir, ref, from, to, checkouts: places })
  try {
    await watch('recorded')
    const known = wish.look ? await inTheWay(git, wish, checkouts, move) : undefined
    if (known) {
      await endMove(move)
      return known
    }
    return await bringAlong(git, repository, wish, checkouts, move)
  } finally {
    abandonMove(move)
  }
}

/** Most often in a small file, for which git need not be asked. */
export async function tipOf(
  git: Git,
  repository: Pick<Repository, 'commonDir'>,
  ref: string,
): Promise<string | undefined> {
  return (await refInFiles(repository.commonDir, ref)) ?? commitOf(git, repository, ref)
}

async function bringAlong(
  git: Git,
  repository: Repository,
  wish: BaseMove,
  checkouts: readonly Checkout[],
  move: Move,
): Promise<'moved' | Waits> {
  const { ref, watch = () => {} } = wish
  const parts = checkouts.map((checkout, at) => ({ checkout, part: new CheckoutMove(checkout, move, at) }))
  try {
    for (const { checkout, part } of parts) {
      if (!part.lock()) return await takenBack(parts, move, { waits: 'locked', path: part.path })
      // A person may have switched to another branch just before.
      if ((await endOf(git, checkout, 'HEAD')) !== ref)
        return await takenBack(parts, move, { waits: 'locked', path: part.path })
    }
    await watch('locked')
    for (const { checkout, part } of parts) {
      const waits = await placeFiles(git, checkout, part, wish)
      if (waits) return await takenBack(parts, move, waits)
    }
    const swapped = await swap(git, repository, wish)
    if (swapped !== 'moved') return await takenBack(parts, move, swapped)
  } catch (error) {
    await takenBack(parts, move, undefined)
    throw error
  }
  await watch('moved')
  for (const { part } of parts) {
    await part.installIndex()
    await watch('indexed')
    part.unlock()
  }
  await watch('unlocked')
  await endMove(move)
  return 'moved'
}

async function inTheWay(
  git: Git,
  { from, to }: BaseMove,
  checkouts: readonly Checkout[],
  move: Move,
): Promise<Waits | undefined> {
  for (const [at, checkout] of checkouts.entries()) {
    const part = new CheckoutMove(checkout, move, at)
    const files = await withOverlay(git, checkout, async overlay =>
      part.dirty(overlay, await touchedPaths(overlay, from, to), from),
    )
    if (files.length > 0) return { waits: 'dirty', path: checkout.path, files: files.slice(0, SHOWN) }
  }
  return undefined
}

async function placeFiles(
  git: Git,
  checkout: Checkout,
  part: CheckoutMove,
  wish: BaseMove,
): Promise<Waits | undefined> {
  const { from, to, watch = () => {} } = wish
  return withOverlay(git, checkout, async overlay => {
    const touched = await touchedPaths(overlay, from, to)
    const files = await part.dirty(overlay, touched, from)
    if (files.length > 0) return { waits: 'dirty', path: part.path, files: files.slice(0, SHOWN) }
    await part.seal()
    const plan = await part.prepare(git, overlay, touched, from, to)
    await watch('prepared')
    const changed = await part.place(plan, watch)
    if (changed !== undefined) return { waits: 'dirty', path: part.path, files: [changed] }
    await watch('placed all')
    return undefined
  })
}

async function takenBack<T>(parts: readonly { part: CheckoutMove }[], move: Move, answer: T): Promise<T> {
  for (const { part } of [...parts].reverse()) {
    await part.undo(new Set())
    part.unlock()
  }
  await endMove(move)
  return answer
}

/** To where another is, if it has nothing that the other lacks and is checked out nowhere. */
export async function forwardBranch(git: Git, repository: Repository, name: string, other: string): Promise<void> {
  const ref = await endOfRef(git, repository, name)
  const [from, to] = await Promise.all([tipOf(git, repository, ref), tipOf(git, repository, other)])
  if (from === undefined || to === undefined || !(await contains(git, repository, to, from))) return
  if ((await checkoutsOn(git, repository, ref)).length > 0) return
  await swap(git, repository, { ref, from, to, message: 'toryo: forward' })
}

/** Finishes or takes back what a process that is gone has left. Answers how many there were. */
export async function finishMove(git: Git, repository: Repository): Promise<number> {
  const left = await leftMoves(git.folder, repository.commonDir)
  for (const move of left) {
    const { ref, from, to, checkouts } = move.record
    let isWhole = true
    const now = await commitOf(git, repository, ref)
    const isMoved = now !== undefined && (await contains(git, repository, now, to))
    for (const [at, place] of checkouts.entries()) {
      const checkout = await checkoutAt(git, repository, place)
      const part = checkout && new CheckoutMove(checkout, move, at)
      if (!part || !(await part.isReadable())) {
        isWhole = false
        continue
      }
      if (!isMoved) await part.undo(await movedOn(git, checkout, from, to, now))
      else if (part.holdsLock() || (await part.isSealed())) await part.installIndex()
      part.unlock()
    }
    if (isWhole) await endMove(move)
    else await setAside(git.folder, move.notes, move.dir)
  }
  await pruneAside(git.folder, repository.commonDir, Date.now())
  return left.length
}

/** Undefined when the repository has no such checkout any more. */
async function checkoutAt(
  git: Git,
  repository: Repository,
  { path, gitDir }: { path: string; gitDir: string },
): Promise<Checkout | undefined> {
  const { commonDir } = repository
  // Git names the main one by the place of the repository, which may be elsewhere.
  if (gitDir !== commonDir && !(await listWorktrees(git, repository)).some(one => one.path === path && !one.prunable))
    return undefined
  try {
    const { checkout } = await openRepository(git, path)
    return checkout?.path === path && checkout.gitDir === gitDir && checkout.commonDir === commonDir
      ? checkout
      : undefined
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/** Paths that a person has committed meanwhile as we had placed them. */
async function movedOn(git: Git, checkout: Checkout, from: string, to: string, now: string | undefined) {
  if (now === undefined || now === from) return new Set<string>()
  return withOverlay(git, checkout, async overlay => {
    const [wanted, done] = await Promise.all([touchedPaths(overlay, from, to), touchedPaths(overlay, from, now)])
    const oids = new Map(done.map(one => [one.path, one.now?.oid]))
    return new Set(wanted.filter(one => oids.has(one.path) && oids.get(one.path) === one.now?.oid).map(one => one.path))
  })
}

async function swap(
  git: Git,
  repository: Repository,
  { ref, from, to, message, at, sure }: BaseMove,
): Promise<'moved' | Waits> {
  if (sure && !(await sure())) return { waits: 'unsure' }
  const { commonDir } = repository
  const args = ['update-ref', '-m', message ?? 'toryo: moved', '--end-of-options', ref, to, from]
  const identity = { ...OWN_NAME, at: at ?? Date.now() }
  try {
    await git.run(args, { gitDir: commonDir, writes: true, identity })
    return 'moved'
  } catch (error) {
    const now = await commitOf(git, repository, ref)
    if (now === to) return 'moved'
    if (now !== from) return { waits: 'moved', now }
    if (error instanceof GitError && /\.lock'?: File exists/.test(error.message))
      return { waits: 'locked', path: commonDir }
    throw error
  }
}

/** Also under another name: their commits go to it. Throws where one cannot be told what it has. */
export async function checkoutsOn(git: Git, repository: Repository, name: string): Promise<Checkout[]> {
  const { commonDir, objectFormat } = repository
  const ref = await endOfRef(git, repository, name)
  const main = repository.checkout?.gitDir === commonDir ? repository.checkout : undefined
  const dirs = await checkoutDirs(commonDir)
  const ends = await Promise.all(dirs.map(gitDir => endOf(git, { gitDir, commonDir }, 'HEAD')))
  const holding = dirs.filter((_, at) => ends[at] === ref)
  if (holding.length === 0) return []
  // The usual case: the folder above it, and nothing in the configuration that says otherwise.
  const [config, own] = await Promise.all(
    ['config', 'config.worktree'].map(name => readSmallFile(join(commonDir, name))),
  )
  const isPlain = config !== '' && !/include|worktree\s*=|bare\s*=\s*(?:true|yes|on|1)/i.test(`${config}${own}`)
  if (holding.length === 1 && holding[0] === commonDir && basename(commonDir) === '.git' && isPlain)
    return [main ?? { path: dirname(commonDir), gitDir: commonDir, commonDir, objectFormat }]
  return listedOn(git, repository, ref)
}

/** Without those whose folder is gone for good. */
async function checkoutDirs(commonDir: string): Promise<string[]> {
  const names = await readdir(join(commonDir, 'worktrees')).catch(() => [])
  const linked = names.map(name => join(commonDir, 'worktrees', name))
  const gone = await Promise.all(linked.map(dir => isGone(dir)))
  return [commonDir, ...linked.filter((_, at) => !gone[at])]
}

/** As git has it: one that is locked may come back, as on a disk that was taken out. */
async function isGone(dir: string): Promise<boolean> {
  if (existsSync(join(dir, 'locked'))) return false
  const link = (await readSmallFile(join(dir, 'gitdir'))).trim()
  return link === '' || !existsSync(resolve(dir, link))
}

async function listedOn(git: Git, repository: Repository, ref: string): Promise<Checkout[]> {
  const { commonDir, checkout } = repository
  const found: Checkout[] = []
  for (const [at, { path, branch, bare, prunable }] of (await listWorktrees(git, repository)).entries()) {
    if (bare || prunable || branch === undefined || ref !== `refs/heads/${branch}`) continue
    // Git names the main one by the place of the repository, which may be elsewhere.
    if (at === 0 && checkout?.gitDir === commonDir) found.push(checkout)
    else {
      const opened = await openRepository(git, path)
      if (opened.commonDir !== commonDir || !opened.checkout)
        throw new GitError('gone', `${branch} is checked out in a folder that ${commonDir} does not name`, commonDir)
      found.push(opened.checkout)
    }
  }
  return found
}

/** Where a rebase of this branch is under way: it holds no branch until it ends. */
async function rebasedIn(git: Git, repository: Repository, ref: string): Promise<string | undefined> {
  for (const dir of await checkoutDirs(repository.commonDir))
    for (const kind of ['rebase-merge', 'rebase-apply']) {
      const name = (await readSmallFile(join(dir, kind, 'head-name'))).trim()
      if (name.startsWith('refs/') && (await endOfRef(git, repository, name)) === ref) return dir
    }
  return undefined
}
