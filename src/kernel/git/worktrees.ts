// Makes further checkouts of a repository, and takes them out of it and back. Moves our own folders only; whose they are is
// known by the caller.
import { cp, lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf } from '#system/files.ts'
import type { Git } from './git.ts'
import { GitError } from './git-error.ts'
import { needsListing } from './index-file.ts'
import { driversAsked, placeObjects } from './lfs.ts'
import { type Checkout, withOverlay } from './overlay.ts'
import { emptyTree, linkIn, type Repository } from './repository.ts'
import { readSmallFile } from './small-file.ts'
import { writeOwnRef } from './own-objects.ts'

export type Listed = {
  path: string
  branch: string | undefined
  /** Its folder is not there any more. */
  prunable: boolean
  locked: boolean
  bare: boolean
}

export type NewWorktree = {
  path: string
  branch: string
  /** An existing branch, or where the new one begins; `track`: the remote branch that it follows. Neither: no commit yet. */
  start: { existing: string } | { from: string; track?: string } | 'unborn'
  /** Git believes that a checkout holds the branch whose folder is gone. */
  force?: boolean
  /** All of its files, also where the repository is sparse; as far as they are here. */
  whole?: boolean | undefined
  marker?: string
}

export type Added = {
  checkout: Checkout
  /** Large files: put into place, and those that only git-lfs could fetch. */
  lfs: { placed: number; missing: number }
  /** Drivers that the repository asks for and that were not run. */
  drivers: string[]
}

const CHECKOUT_MS = 30 * 60_000

export async function listWorktrees(git: Git, repository: { commonDir: string }): Promise<Listed[]> {
  const { fields } = await git.fields(['worktree', 'list', '--porcelain', '-z'], { gitDir: repository.commonDir })
  const found: Listed[] = []
  let current: Listed | undefined
  for (const field of fields) {
    const at = field.indexOf(' ')
    const [name, value] = at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
    if (name === 'worktree') {
      current = { path: value, branch: undefined, prunable: false, locked: false, bare: false }
      found.push(current)
    }
    if (!current) continue
    if (name === 'branch') current.branch = value.replace(/^refs\/heads\//, '')
    if (name === 'prunable' || name === 'locked' || name === 'bare') current[name] = true
  }
  return found
}

/** The folder is there and empty. Hooks stay silent and no driver is run. */
export async function addWorktree(git: Git, repository: Repository, wish: NewWorktree): Promise<Added> {
  const { commonDir, objectFormat } = repository
  if (wish.start === 'unborn') await addUnborn(commonDir, wish)
  else await git.run(addArguments(wish), { gitDir: commonDir, ms: CHECKOUT_MS, marker: wish.marker, writes: true })
  const gitDir = await adminDirOf(commonDir, wish.path)
  const checkout = { path: await realpath(wish.path), gitDir, commonDir, objectFormat }
  const commit =
    wish.start === 'unborn' ? emptyTree(objectFormat) : 'from' in wish.start ? wish.start.from : wish.start.existing
  return { checkout, ...(await layOut(git, checkout, commit, wish)) }
}

/** Writes the files of a commit into a checkout that has none yet. */
async function layOut(
  git: Git,
  checkout: Checkout,
  commit: string,
  { marker, whole = false }: Pick<NewWorktree, 'marker' | 'whole'>,
): Promise<Pick<Added, 'lfs' | 'drivers'>> {
  return withOverlay(git, checkout, async overlay => {
    const indexFile = join(checkout.gitDir, 'index')
    const args = ['read-tree', '--reset', '-u', '--end-of-options', commit]
    const options = { indexFile, ms: CHECKOUT_MS, maxBytes: 1024, marker }
    await overlay.run(whole ? ['-c', 'core.sparseCheckout=false', ...args] : args, options).catch((error: unknown) => {
      if (!whole || !(error instanceof GitError) || error.problem !== 'incomplete') throw error
      return overlay.run(args, options)
    })
    // Where no attributes are tracked or given there is nothing to ask for file by file.
    const [isListed, given] = await Promise.all([
      needsListing(indexFile, checkout.objectFormat),
      lstat(join(overlay.dir, 'info', 'attributes')).catch(() => undefined),
    ])
    if (!isListed && !given) return { lfs: { placed: 0, missing: 0 }, drivers: [] }
    const hasLfs = await lstat(join(checkout.commonDir, 'lfs', 'objects')).catch(() => undefined)
    const lfs = hasLfs ? await placeObjects(overlay, checkout.commonDir) : { placed: 0, missing: 0 }
    return { lfs, drivers: await driversAsked(overlay, indexFile) }
  })
}

function addArguments({ path, branch, start, force }: NewWorktree): string[] {
  const args = ['worktree', 'add', '--quiet', '--no-checkout', ...(force ? ['--force'] : [])]
  if (start === 'unborn') throw new Error('a worktree needs a commit')
  if ('existing' in start) return [...args, '--end-of-options', path, branch]
  const track = start.track === undefined ? ['--no-track'] : ['--track']
  return [...args, ...track, '-b', branch, '--end-of-options', path, start.track ?? start.from]
}

/** Git makes these only since 2.42; it is three small files. */
async function addUnborn(commonDir: string, { path, branch }: NewWorktree): Promise<void> {
  const admin = await freeAdminDir(commonDir, basename(path))
  await writeFile(join(admin, 'commondir'), '../..\n')
  await writeFile(join(admin, 'HEAD'), `ref: refs/heads/${branch}\n`)
  await writeFile(join(admin, 'gitdir'), `${join(path, '.git')}\n`)
  await writeFile(join(path, '.git'), `gitdir: ${admin}\n`)
}

async function freeAdminDir(commonDir: string, name: string): Promise<string> {
  await mkdir(join(commonDir, 'worktrees'), { recursive: true })
  for (let count = 0; ; count++) {
    const admin = join(commonDir, 'worktrees', count === 0 ? name : `${name}${count}`)
    try {
      await mkdir(admin)
      return admin
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

/** The repository's own notes about a checkout: found by the folder they name. */
async function adminDirOf(commonDir: string, path: string): Promise<string> {
  const text = await readSmallFile(join(path, '.git'))
  const named = linkIn(text)
  const admin = named && (await realpath(resolve(path, named)).catch(() => undefined))
  if (!admin || !(await isAdminOf(commonDir, admin, path)))
    throw new GitError('gone', `${path} is not a checkout of ${commonDir}`)
  return admin
}

/** Directly below the repository, and made for this folder. */
async function isAdminOf(commonDir: string, admin: string, path: string): Promise<boolean> {
  if (dirname(admin) !== join(commonDir, 'worktrees')) return false
  const info = await lstat(admin).catch(() => undefined)
  if (!info?.isDirectory()) return false
  const named = (await readSmallFile(join(admin, 'gitdir'))).trim()
  return named !== '' && resolve(admin, named) === join(path, '.git')
}

/** For when git ended before it could say. */
export async function adminDirsFor(commonDir: string, path: string): Promise<string[]> {
  const names = await readdir(join(commonDir, 'worktrees')).catch(() => [])
  const admins = names.map(name => join(commonDir, 'worktrees', name))
  const ours = await Promise.all(admins.map(admin => isAdminOf(commonDir, admin, path)))
  return admins.filter((_, at) => ours[at])
}

/** Takes the repository's notes about a checkout away into one of our folders. May be repeated after a crash at any point. */
export async function takeAdmin(commonDir: string, admin: string, path: string, to: string): Promise<void> {
  const kept = await lstat(to).catch(() => undefined)
  if (!(await isAdminOf(commonDir, admin, path))) return
  if (!kept) await moveFolder(admin, to)
  await rm(admin, { recursive: true, force: true })
}

/** The way back. `head` replaces what was checked out. Answers the place. May be repeated after a crash at any point. */
export async function returnAdmin(
  commonDir: string,
  from: string,
  wanted: string,
  path: string,
  head?: string,
): Promise<string> {
  const [there] = await adminDirsFor(commonDir, path)
  if (there === undefined) {
    // Before it is moved, so that it is found by its folder afterwards.
    await writeFile(join(from, 'gitdir'), `${join(path, '.git')}\n`)
    if (head !== undefined) await writeFile(join(from, 'HEAD'), `${head}\n`)
    await mkdir(join(commonDir, 'worktrees'), { recursive: true })
  }
  const target = there ?? (await freePlace(wanted))
  if (there === undefined) await moveFolder(from, target)
  await writeFile(join(path, '.git'), `gitdir: ${target}\n`)
  await rm(from, { recursive: true, force: true })
  return target
}

async function freePlace(wanted: string): Promise<string> {
  for (let count = 0; ; count++) {
    const place = count === 0 ? wanted : `${wanted}${count}`
    if (!(await lstat(place).catch(() => undefined))) return place
  }
}

/** Whole or not at all, also across file systems. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    const draft = `${to}.partial`
    await rm(draft, { recursive: true, force: true })
    await cp(from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    await rename(draft, to)
  }
}

/** Undoes the making of a branch, if it was not moved since. One that leads to another goes, and the other stays. */
export async function dropBranch(git: Git, commonDir: string, branch: string, commit: string): Promise<void> {
  const args = ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, commit]
  await git.run(args, { gitDir: commonDir, codes: [0, 1, 128], writes: true })
}

/** Keeps a commit from being collected while only we know of it. */
export async function keepCommit(git: Git, commonDir: string, ref: string, commit: string): Promise<void> {
  if (await writeOwnRef(commonDir, ref, commit)) return
  await git.run(['update-ref', '--end-of-options', ref, commit], { gitDir: commonDir, writes: true })
}

export async function dropRef(git: Git, commonDir: string, ref: string): Promise<void> {
  await git.run(['update-ref', '--no-deref', '-d', ref], { gitDir: commonDir, codes: [0, 1, 128], writes: true })
}
