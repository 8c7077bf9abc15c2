// A gitdir of our own over a user's repository: its objects by alternates, none of its configuration, hooks or drivers. All
// reading of worktrees and every checkout goes through one, so that nothing a repository says is executed. One per use,
// gone afterwards.
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git, GitOutput, GitRun } from './git.ts'
import { GitError } from './git-error.ts'
import { bytesOf, fieldsOf } from './path-text.ts'
import { readSmallFile } from './small-file.ts'
import type { UserSettings } from './user-settings.ts'

/** One checkout of a repository. All paths absolute and without links. */
export type Checkout = {
  /** The folder with the files. */
  path: string
  /** Its own part of the repository: HEAD and index. */
  gitDir: string
  /** The repository. */
  commonDir: string
  objectFormat: 'sha1' | 'sha256'
}

export type OverlayRun = Omit<GitRun, 'gitDir' | 'cwd'>

export class Overlay {
  readonly dir: string
  readonly checkout: Checkout
  readonly #git: Git
  readonly #signal: AbortSignal | undefined

  constructor(git: Git, dir: string, checkout: Checkout, signal?: AbortSignal) {
    this.#git = git
    this.dir = dir
    this.checkout = checkout
    this.#signal = signal
  }

  /** The index that is worked with, unless another is named. */
  get index(): string {
    return join(this.dir, 'index')
  }

  /** The repository's own, where objects stay. */
  get objects(): string {
    return join(this.checkout.commonDir, 'objects')
  }

  run(args: readonly string[], options: OverlayRun = {}): Promise<GitOutput> {
    return this.#git.run(args, this.#placed(options))
  }

  /** Paths among them are as `path-text.ts` has them, and so are those that are given as `stdin`. */
  async fields(args: readonly string[], options: OverlayRun = {}): Promise<{ fields: string[]; cut: boolean }> {
    const { stdout, cut } = await this.run(args, options)
    return { fields: fieldsOf(stdout, cut), cut }
  }

  #placed(options: OverlayRun): GitRun {
    const workTree = options.workTree ?? this.checkout.path
    const { stdin, indexFile = this.index } = options
    const input = typeof stdin === 'string' ? { stdin: bytesOf(stdin) } : {}
    const given = { ...options, ...input, gitDir: this.dir, workTree, cwd: workTree, indexFile }
    return this.#signal ? { ...given, signal: this.#signal } : given
  }
}

/** Settings that say how files are compared and written, and run nothing. Anything else stays where it is. */
const SAFE =
  /^core\.(?:autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|sparsecheckout|sparsecheckoutcone|sharedrepository)$/
const SAFE_VALUE = /^(?:true|false|yes|no|on|off|0|1|input|lf|crlf|native|group|all|world|everybody|umask|0[0-7]{3})?$/i
const INFO_BYTES = 1024 * 1024

export async function withOverlay<T>(
  git: Git,
  checkout: Checkout,
  use: (overlay: Overlay) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const overlay = await makeOverlay(git, checkout, signal)
  try {
    return await use(overlay)
  } finally {
    await rm(overlay.dir, { recursive: true, force: true })
  }
}

/** One to keep for a while; its folder is the caller's to remove. */
export async function makeOverlay(git: Git, checkout: Checkout, signal?: AbortSignal): Promise<Overlay> {
  await mkdir(git.folder, { recursive: true, mode: 0o700 })
  const dir = await mkdtemp(join(git.folder, 'overlay-'))
  try {
    await furnish(git, dir, checkout)
    return new Overlay(git, dir, checkout, signal)
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/** For work on objects alone, without any checkout. */
export async function withBareOverlay<T>(
  git: Git,
  repository: BareOf,
  use: (overlay: Overlay) => Promise<T>,
): Promise<T> {
  const overlay = await makeBareOverlay(git, repository)
  try {
    return await use(overlay)
  } finally {
    await rm(overlay.dir, { recursive: true, force: true })
  }
}

type BareOf = Pick<Checkout, 'commonDir' | 'objectFormat'>

/** One to keep for a while; its folder is the caller's to remove. */
export async function makeBareOverlay(git: Git, { commonDir, objectFormat }: BareOf): Promise<Overlay> {
  await mkdir(git.folder, { recursive: true, mode: 0o700 })
  const dir = await mkdtemp(join(git.folder, 'overlay-'))
  try {
    const tree = join(dir, 'tree')
    await Promise.all([mkdir(join(dir, 'objects', 'info'), { recursive: true }), mkdir(join(dir, 'refs')), mkdir(tree)])
    await Promise.all([
      writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n'),
      writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(commonDir, 'objects')}\n`),
      writeFile(join(dir, 'config'), configOf(objectFormat, [])),
      // Where the history of a shallow clone ends.
      adopt(join(commonDir, 'shallow'), join(dir, 'shallow')),
    ])
    return new Overlay(git, dir, { path: tree, gitDir: dir, commonDir, objectFormat })
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/** What a crash left behind. Only when no other process uses the folder. */
export async function sweepOverlays(git: Git): Promise<void> {
  const names = await readdir(git.folder).catch(() => [])
  for (const name of names)
    if (name.startsWith('overlay-')) await rm(join(git.folder, name), { recursive: true, force: true })
}

async function furnish(git: Git, dir: string, checkout: Checkout): Promise<void> {
  const { commonDir, gitDir } = checkout
  if (/[\n\r]/.test(commonDir)) throw new GitError('failed', 'its path contains a line break', commonDir)
  const [config, names] = await Promise.all([
    configText(git, checkout),
    readdir(gitDir).catch(() => []),
    mkdir(join(dir, 'objects', 'info'), { recursive: true }),
    mkdir(join(dir, 'refs')),
    mkdir(join(dir, 'info')),
    writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n'),
  ])
  await Promise.all([
    writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(commonDir, 'objects')}\n`),
    writeFile(join(dir, 'config'), config),
    adopt(join(commonDir, 'info', 'exclude'), join(dir, 'info', 'exclude')),
    adopt(join(commonDir, 'info', 'attributes'), join(dir, 'info', 'attributes')),
    adopt(join(gitDir, 'info', 'sparse-checkout'), join(dir, 'info', 'sparse-checkout')),
    // A split index names its other half, which git looks for beside it.
    ...names
      .filter(name => /^sharedindex\.[0-9a-f]+$/.test(name))
      .map(name => symlink(join(gitDir, name), join(dir, name))),
  ])
}

/** By the files that it is made from: git is asked again only when one of them says something else. */
const configs = new WeakMap<Git, Map<string, string>>()
const CONFIGS = 200

async function configText(git: Git, checkout: Checkout): Promise<string> {
  const { commonDir, gitDir, objectFormat } = checkout
  const [shared, own, user] = await Promise.all([
    readSmallFile(join(commonDir, 'config')),
    readSmallFile(join(gitDir, 'config.worktree')),
    git.settings(),
  ])
  // What another file says is not seen here; nor is one that is too large to be read.
  if (shared === '' || /include/i.test(shared + own)) return makeConfig(git, gitDir, objectFormat, user)
  // Not by the checkout: of one repository all that were just made say the same.
  const key = [objectFormat, shared, own, JSON.stringify(user)].join('\0')
  const known = configs.get(git) ?? new Map<string, string>()
  configs.set(git, known)
  const found = known.get(key) ?? (await makeConfig(git, gitDir, objectFormat, user))
  if (known.size >= CONFIGS) known.clear()
  known.set(key, found)
  return found
}

async function makeConfig(
  git: Git,
  gitDir: string,
  objectFormat: Checkout['objectFormat'],
  user: UserSettings,
): Promise<string> {
  const settings = new Map<string, string>()
  const own = { 'core.autocrlf': user.autocrlf, 'core.eol': user.eol }
  for (const [name, value] of Object.entries(own)) if (value !== undefined) settings.set(name, value)
  const args = ['config', '-z', '--get-regexp', '^core\\.']
  const { fields } = await git.fields(args, { gitDir, codes: [0, 1] })
  for (const field of fields) {
    const [name = '', value = 'true'] = cutAt(field, '\n')
    if (SAFE.test(name) && SAFE_VALUE.test(value)) settings.set(name, value)
  }
  const lines = [...settings].map(([name, value]) => `\t${name.replace('core.', '')} = ${value}`)
  const excludes = user.excludesFile === undefined ? [] : [`\texcludesFile = ${quoted(user.excludesFile)}`]
  return configOf(objectFormat, [...excludes, ...lines])
}

function configOf(objectFormat: Checkout['objectFormat'], lines: readonly string[]): string {
  const sha256 = objectFormat === 'sha256'
  return [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    '\tbare = false',
    '\thooksPath = /dev/null',
    '\tlogAllRefUpdates = false',
    ...lines,
    ...(sha256 ? ['[extensions]', '\tobjectFormat = sha256'] : []),
    '',
  ].join('\n')
}

function cutAt(text: string, sign: string): [string, string?] {
  const at = text.indexOf(sign)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`
}

async function adopt(from: string, to: string): Promise<void> {
  const info = await stat(from).catch(() => undefined)
  if (info?.isFile() && info.size <= INFO_BYTES) await copyFile(from, to)
}
