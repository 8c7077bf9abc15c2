// Finds repositories and reads their refs and commits. Asks git only for what executes nothing, whatever the configuration.
import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Git } from './git.ts'
import { GitError } from './git-error.ts'
import { isRevision } from './names.ts'
import type { Checkout } from './overlay.ts'
import { endOf, OID } from './ref-end.ts'
import { readSmallFile } from './small-file.ts'

export type Repository = {
  /** Where refs and objects are. */
  commonDir: string
  objectFormat: Checkout['objectFormat']
  /** The checkout that was asked about; undefined in a bare repository. */
  checkout: Checkout | undefined
}

/** Where HEAD points. An unborn branch has no commit. */
export type Head = { branch: string | undefined; commit: string | undefined }

/**
 * The repository that a folder belongs to. We look for it ourselves: its configuration may name any folder of the machine as
 * its checkout.
 */
export async function openRepository(git: Git, folder: string): Promise<Repository> {
  const start = await realpath(folder).catch(() => undefined)
  if (start === undefined || !(await isFolder(start))) throw new GitError('gone', `${folder} is not a folder`)
  for (let at = start; ; at = dirname(at)) {
    const found = (await repositoryAt(git, at)) ?? (at === start ? await bareAt(git, at) : undefined)
    if (found) return found
    if (dirname(at) === at) throw new GitError('not-a-repository', `${folder} is in no git repository`)
  }
}

async function repositoryAt(git: Git, top: string): Promise<Repository | undefined> {
  const dotGit = join(top, '.git')
  const info = await lstat(dotGit).catch(() => undefined)
  if (!info) return undefined
  // As git does: a folder of that name without anything of a repository in it is just a folder.
  if (info.isDirectory() && (await partsOf(dotGit)).length === 0) return undefined
  const gitDir = info.isFile() ? await linkedDir(dotGit) : dotGit
  const real = await realpath(gitDir).catch(() => undefined)
  if (real === undefined) throw new GitError('bad-link', `${dotGit} leads to ${gitDir}`, dotGit)
  await refuseForeign(git, top, [dotGit, real])
  const { commonDir, objectFormat } = await look(git, real)
  return { commonDir, objectFormat, checkout: { path: top, gitDir: real, commonDir, objectFormat } }
}

/**
 * The same with its main checkout. Of a git folder that lies elsewhere, as a submodule's does, only that checkout itself says where it
 * is, or else its settings do. `near`: a folder that may be in it.
 */
export async function withMain(git: Git, repository: Repository, near: string | null): Promise<Repository> {
  const { commonDir } = repository
  if (repository.checkout?.gitDir === commonDir) return repository
  const files = ['config', 'config.worktree'].map(name => join(commonDir, name))
  for (const place of [async () => near, ...files.map(file => () => worktreeIn(git, file))]) {
    const folder = await place()
    if (folder === null) continue
    const { checkout } = (await openRepository(git, resolve(commonDir, folder)).catch(ignoreGit)) ?? {}
    // What a setting names counts only if it leads back.
    if (checkout?.gitDir === commonDir) return { ...repository, checkout }
  }
  return repository
}

function ignoreGit(error: unknown): undefined {
  if (!(error instanceof GitError)) throw error
}

async function worktreeIn(git: Git, file: string): Promise<string | null> {
  if (!/worktree/i.test(await readSmallFile(file))) return null
  const args = ['config', '--file', file, '--no-includes', '--get', 'core.worktree']
  const { stdout } = await git.run(args, { codes: [0, 1] })
  return stdout.toString('utf8').trimEnd() || null
}

async function bareAt(git: Git, folder: string): Promise<Repository | undefined> {
  if ((await partsOf(folder)).length < PARTS.length) return undefined
  await refuseForeign(git, folder, [folder])
  return { ...(await look(git, folder)), checkout: undefined }
}

const PARTS = ['HEAD', 'objects', 'refs'] as const

async function partsOf(folder: string): Promise<string[]> {
  const there = await Promise.all(PARTS.map(name => exists(join(folder, name))))
  return PARTS.filter((_, index) => there[index])
}

/** One that another user laid above our folder would say where our work goes. Git itself refuses it as well. */
async function refuseForeign(git: Git, top: string, paths: readonly string[]): Promise<void> {
  const infos = await Promise.all(paths.map(path => lstat(path)))
  if (process.getuid === undefined || infos.every(({ uid }) => git.owners.includes(uid))) return
  const { safe } = await git.settings()
  if (safe.includes('*') || safe.includes(top)) return
  throw new GitError('foreign', `${top} belongs to another user`, top)
}

/** What git said of gitdirs, by the files that it says it from. */
const looks = new WeakMap<Git, Map<string, Pick<Repository, 'commonDir' | 'objectFormat'>>>()
const LOOKS = 500

async function look(git: Git, gitDir: string): Promise<Pick<Repository, 'commonDir' | 'objectFormat'>> {
  const key = await filesBehind(gitDir)
  const known = looks.get(git) ?? new Map()
  looks.set(git, known)
  const found = (key !== undefined && known.get(key)) || (await ask(git, gitDir))
  if (key === undefined || known.has(key) || key !== (await filesBehind(gitDir))) return found
  if (known.size >= LOOKS) known.clear()
  known.set(key, found)
  return found
}

/** Undefined where something is missing or said in other files, too: then git is asked every time. */
async function filesBehind(gitDir: string): Promise<string | undefined> {
  const link = await readSmallFile(join(gitDir, 'commondir'))
  const commonDir = resolve(gitDir, link.trimEnd())
  const [real, parts, head, shared, own] = await Promise.all([
    realpath(commonDir).catch(() => undefined),
    partsOf(commonDir),
    readSmallFile(join(gitDir, 'HEAD')),
    readSmallFile(join(commonDir, 'config')),
    readSmallFile(join(gitDir, 'config.worktree')),
  ])
  if (real === undefined || headIn(head) === undefined || shared === '' || /include/i.test(shared + own))
    return undefined
  return parts.length < PARTS.length ? undefined : [gitDir, link, real, shared, own].join('\0')
}

async function ask(git: Git, gitDir: string): Promise<Pick<Repository, 'commonDir' | 'objectFormat'>> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-object-format']
  const { stdout } = await git
    .run(args, { gitDir })
    .catch(async error => Promise.reject(await explained(git, gitDir, error)))
  const lines = stdout.toString('utf8').split('\n').slice(0, -1)
  const [commonDir, format] = lines
  if (lines.length !== 2 || commonDir === undefined || !isAbsolute(commonDir))
    throw new GitError('damaged', 'git cannot say where it is', gitDir)
  return { commonDir: await realpath(commonDir), objectFormat: format === 'sha256' ? 'sha256' : 'sha1' }
}

/** What git refuses here is a repository: it was found. Git's own "not a git repository" would send people the wrong way. */
async function explained(git: Git, gitDir: string, error: unknown): Promise<unknown> {
  if (!(error instanceof GitError)) return error
  const { problem, message } = error
  if (problem === 'newer-repository')
    return new GitError(problem, `git ${(await git.program()).version}: ${message}`, gitDir)
  if (problem === 'bad-config' || problem === 'bad-link') return new GitError(problem, message, gitDir)
  if (problem !== 'damaged' && problem !== 'failed') return error
  const parts = await partsOf(gitDir)
  const isLinked = await exists(join(gitDir, 'commondir'))
  const missing = isLinked ? [] : PARTS.filter(name => name !== 'HEAD' && !parts.includes(name))
  if (missing.length > 0) return new GitError('damaged', `${missing.join(' and ')} missing`, gitDir)
  if (headIn(await readSmallFile(join(gitDir, 'HEAD'))) === undefined) return new GitError('bad-head', '', gitDir)
  return new GitError('damaged', message, gitDir)
}

/** `.git` of a linked checkout or a submodule is a file that names the real one. */
export async function linkedDir(file: string): Promise<string> {
  const text = await readSmallFile(file)
  const target = linkIn(text)
  if (target === undefined) throw new GitError('bad-link', `${file} is not git's`, file)
  return resolve(dirname(file), target)
}

/** The folder that such a file names. */
export function linkIn(text: string): string | undefined {
  const lead = 'gitdir: '
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return text.startsWith(lead) && end > lead.length ? text.slice(lead.length, end) : undefined
}

/** The address of its origin; empty when it has none, or is in no repository that can be asked. */
export async function originOf(git: Git, folder: string): Promise<string> {
  try {
    const { commonDir } = await openRepository(git, folder)
    // The one file alone: what it includes is not its own.
    const args = ['config', '--file', join(commonDir, 'config'), '--no-includes', '--get', 'remote.origin.url']
    const { stdout } = await git.run(args, { codes: [0, 1] })
    return stdout.toString('utf8').trim()
  } catch (error) {
    if (error instanceof GitError) return ''
    throw error
  }
}

/** From the file itself: the checkout's own settings, which whatever works in it can write, have no say in where the repository is. */
export async function readHead(git: Git, checkout: Pick<Checkout, 'gitDir' | 'commonDir'>): Promise<Head> {
  const { branch, commit } = await readHeadAnd(git, checkout, undefined)
  return { branch, commit }
}

/** The same, and in the same question the commit of another ref. */
export async function readHeadAnd(
  git: Git,
  checkout: Pick<Checkout, 'gitDir' | 'commonDir'>,
  ref: string | undefined,
): Promise<Head & { other: string | undefined }> {
  const { gitDir, commonDir } = checkout
  const own = await endOf(git, checkout, 'HEAD')
  const wanted = [own, ref].filter(name => name !== undefined)
  const found = await commitsOf(git, checkout, wanted)
  const commit = own === undefined ? await detachedAt(git, gitDir) : found.get(own)
  // A branch without a commit is one before its first. A broken one must not be taken for that.
  if (own !== undefined && commit === undefined && (await readSmallFile(join(commonDir, own))) !== '')
    throw new GitError('damaged', `the commit of ${own} cannot be read`, commonDir)
  return {
    branch: own?.startsWith('refs/heads/') ? own.slice(11) : undefined,
    commit,
    other: ref === undefined ? undefined : found.get(ref),
  }
}

async function detachedAt(git: Git, gitDir: string): Promise<string | undefined> {
  const head = (await readSmallFile(join(gitDir, 'HEAD'))).trim()
  return OID.test(head) ? head : commitOf(git, { commonDir: gitDir }, 'HEAD')
}

function headIn(text: string): { ref: string } | { oid: string } | undefined {
  const [, ref] = /^ref: *(refs\/\S+)\s*$/.exec(text) ?? []
  if (ref !== undefined) return { ref }
  const oid = text.trim()
  return OID.test(oid) ? { oid } : undefined
}

/** The commits of refs by their full names, in one question. */
async function commitsOf(
  git: Git,
  repository: { commonDir: string },
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  if (names.length === 0) return found
  const stdin = names.map(name => `${name}^{commit}\n`).join('')
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)']
  const { stdout } = await git.run(args, { gitDir: repository.commonDir, stdin })
  const lines = stdout.toString('utf8').split('\n')
  for (const [index, name] of names.entries()) {
    const [oid = '', type] = lines[index]?.split(' ') ?? []
    if (type === 'commit' && OID.test(oid)) found.set(name, oid)
  }
  return found
}

/** The commit of a ref by its full name, or of a commit by its number. */
export async function commitOf(git: Git, repository: { commonDir: string }, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  const { stdout, code } = await git.run(args, { gitDir: repository.commonDir, codes: [0, 1, 128] })
  const oid = stdout.toString('latin1').trim()
  return code === 0 && /^[0-9a-f]{40,64}$/.test(oid) ? oid : undefined
}

/** What a caller named as a base: branch, tag, commit or remote branch. `ref` is its full name, where it is one. */
export async function resolveRevision(
  git: Git,
  repository: { commonDir: string },
  name: string,
): Promise<{ commit: string; ref: string | undefined } | undefined> {
  if (!isRevision(name)) return undefined
  const commit = await commitOf(git, repository, name)
  if (commit === undefined) return undefined
  const args = ['rev-parse', '--symbolic-full-name', '--verify', '--quiet', '--end-of-options', name]
  const { stdout } = await git.run(args, { gitDir: repository.commonDir, codes: [0, 1, 128] })
  const ref = stdout.toString('utf8').trim()
  return { commit, ref: /^refs\/\S+$/.test(ref) ? ref : undefined }
}

/** The commits of branches by their full names, in one question; undefined where one is damaged or only points to another. */
export async function plainBranches(
  git: Git,
  repository: { commonDir: string },
  refs: readonly string[],
): Promise<Map<string, string> | undefined> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname) %(objecttype) %(symref)', ...refs]
  // Of a ref without its object git says nothing but that.
  const { stdout, code } = await git.run(args, { gitDir: repository.commonDir, codes: [0, 1, 128] })
  if (code !== 0) return undefined
  const found = new Map<string, string>()
  for (const line of stdout.toString('utf8').split('\n')) {
    const [ref = '', oid = '', type, symref] = line.split(' ')
    if (!refs.includes(ref)) continue
    if (type !== 'commit' || symref !== '' || !OID.test(oid)) return undefined
    found.set(ref, oid)
  }
  return found
}

/** The remote branches that would be meant by this name, by their full names. */
export async function remoteBranches(git: Git, repository: { commonDir: string }, branch: string): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', `refs/remotes/*/${branch}`]
  const { stdout } = await git.run(args, { gitDir: repository.commonDir })
  const names = stdout.toString('utf8').split('\n').filter(Boolean)
  return names.filter(name => name.split('/').slice(3).join('/') === branch)
}

/** The target of a symbolic ref such as refs/remotes/origin/HEAD. */
export async function refBehind(
  git: Git,
  repository: { commonDir: string },
  name: string,
): Promise<string | undefined> {
  const { stdout, code } = await git.run(['symbolic-ref', '--quiet', name], {
    gitDir: repository.commonDir,
    codes: [0, 1, 128],
  })
  return code === 0 ? stdout.toString('utf8').trim() || undefined : undefined
}

/** The newest commit that both come from; undefined when they have nothing in common, or one of them is not there. */
export async function mergeBase(
  git: Git,
  repository: { commonDir: string },
  one: string,
  other: string,
): Promise<string | undefined> {
  if (one === other) return one
  const { stdout, code } = await git.run(['merge-base', '--end-of-options', one, other], {
    gitDir: repository.commonDir,
    codes: [0, 1, 128],
  })
  return code === 0 ? stdout.toString('latin1').trim() : undefined
}

/** Whether a commit is another, or comes after it. False also where one of them is not there. */
export async function contains(
  git: Git,
  { commonDir }: { commonDir: string },
  commit: string,
  other: string,
): Promise<boolean> {
  if (commit === other) return true
  const args = ['merge-base', '--is-ancestor', '--end-of-options', other, commit]
  const { code } = await git.run(args, { gitDir: commonDir, codes: [0, 1, 128] })
  return code === 0
}

/** How many commits each has that the other has not. Undefined when one of them is not there. */
export async function distance(
  git: Git,
  repository: { commonDir: string },
  from: string,
  to: string,
): Promise<{ ahead: number; behind: number } | undefined> {
  if (from === to) return { ahead: 0, behind: 0 }
  const range = ['--left-right', '--count', '--end-of-options', `${from}...${to}`]
  const { stdout, code } = await git.run(['rev-list', ...range, '--'], {
    gitDir: repository.commonDir,
    codes: [0, 128],
  })
  const [, behind, ahead] = /^(\d+)\s+(\d+)/.exec(stdout.toString('latin1')) ?? []
  return code === 0 && ahead !== undefined ? { ahead: Number(ahead), behind: Number(behind) } : undefined
}

/** Nothing was there before the first commit. */
export function emptyTree(objectFormat: Checkout['objectFormat']): string {
  return objectFormat === 'sha1'
    ? '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    : '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
