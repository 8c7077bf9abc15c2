// The agent configuration of a directory (what it makes agents do or load), as hashes. Reads, decides nothing. The hub looks
// where it starts engines, and a Runner where it does, which may be another machine.
import { createHash } from 'node:crypto'
import { constants, lstatSync } from 'node:fs'
import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { AgentConfigSeen } from '#contract/trust.ts'
import type { Config } from '#contract/config.ts'
import type { Git } from '#kernel/git/git.ts'
import { originOf } from '#kernel/git/repository.ts'
import { projectConfigNames } from './all-engines.ts'

const MAX_FILES = 5000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 16
/** Limits of what a Runner reports about it, which must fit into one request. */
const MAX_TOLD = 768 * 1024
const HASH_TOLD = 72

export type Looked = Omit<AgentConfigSeen, 'remote'>

export type ScoutOptions = {
  config: () => Pick<Config, 'engines'>
  git: Git
  /** What engines get their home from. */
  env: NodeJS.ProcessEnv
}

export class Scout {
  readonly #options: ScoutOptions

  constructor(options: ScoutOptions) {
    this.#options = options
  }

  /** Everything that programs started in `directory` would obey; `project` is the folder whose trust it has, where it has one. */
  async look(directory: string, project = directory): Promise<Looked> {
    const { config, env } = this.#options
    const home = await realOr(env['HOME'] ?? homedir())
    const start = await realOr(directory)
    const top = await topOf(start)
    const within = await realOr(project)
    const base = top ?? (isWithin(within, start) ? within : start)
    const collected = new Collection(base, projectConfigNames(config()))
    // A repository ends at its top, for the programs as well. Without one they look in every folder above.
    for (let folder = start; folder !== home; folder = dirname(folder)) {
      await collected.add(folder)
      if (folder === top || folder === dirname(folder)) break
    }
    return collected.found
  }

  /** The folder that trust in a project is kept for: the top of its repository, since the programs look there, too. */
  async placeOf(project: string): Promise<{ directory: string; remote: string }> {
    const real = await realOr(project)
    return { directory: (await topOf(real)) ?? real, remote: await originOf(this.#options.git, real) }
  }
}

class Collection {
  readonly #base: string
  readonly #names: readonly string[]
  readonly #apart: ReadonlySet<string>
  readonly #files: Record<string, string> = {}
  #excess: string | undefined
  #left = { files: MAX_FILES, bytes: MAX_BYTES, told: MAX_TOLD }

  constructor(base: string, names: readonly string[]) {
    this.#base = base
    this.#names = names.filter(name => !name.startsWith('!'))
    this.#apart = new Set(names.filter(name => name.startsWith('!')).map(name => name.slice(1)))
  }

  get found(): Looked {
    return { files: this.#files, ...(this.#excess === undefined ? {} : { excess: this.#excess }) }
  }

  async add(folder: string): Promise<void> {
    for (const name of this.#names) {
      if (this.#excess !== undefined) return
      if (mayBeThere(join(folder, name))) await this.#collect(folder, name, [])
    }
  }

  async #collect(root: string, path: string, above: readonly string[]): Promise<void> {
    if (this.#apart.has(path) || this.#excess !== undefined) return
    const full = join(root, path)
    const info = await lstat(full).catch(missing)
    if (!info) return
    if (--this.#left.files < 0 || above.length > MAX_DEPTH) return this.#tooMuch(full)
    if (info.isSymbolicLink()) {
      // Where it leads counts, and so does what is there: either may change without the other.
      const target = await this.#throughLink(root, path, above)
      return this.#put(full, sha(`link\0${await readlink(full)}\0${target}`))
    }
    if (info.isDirectory()) {
      const real = await realpath(full)
      if (above.includes(real)) return
      return this.#collectAll(root, path, full, [...above, real])
    }
    this.#put(full, info.isFile() ? await this.#hashFile(full) : sha('special'))
  }

  async #collectAll(root: string, path: string, folder: string, above: readonly string[]): Promise<void> {
    const names = await readdir(folder).catch(unreadable)
    if (names === undefined) return this.#put(join(root, path), sha('unreadable'))
    for (const name of names.sort()) await this.#collect(root, `${path}/${name}`, above)
  }

  async #throughLink(root: string, path: string, above: readonly string[]): Promise<string> {
    const target = await realpath(join(root, path)).catch(missing)
    if (target === undefined) return 'nowhere'
    const info = await lstat(target).catch(missing)
    if (info?.isFile()) return this.#hashFile(target)
    if (!info?.isDirectory() || above.includes(target)) return 'special'
    await this.#collectAll(root, path, target, [...above, target])
    return 'folder'
  }

  async #hashFile(file: string): Promise<string> {
    // Not blocked by a pipe that took the file's place meanwhile.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
    const handle = await open(file, flags).catch(unreadable)
    if (handle === undefined) return sha('unreadable')
    try {
      const info = await handle.stat()
      if (!info.isFile()) return sha('special')
      const hash = createHash('sha256').update(`file\0${info.mode & 0o111 ? 'x' : '-'}\0`)
      const block = Buffer.alloc(64 * 1024)
      for (;;) {
        const { bytesRead } = await handle.read(block, 0, block.length, null)
        if (bytesRead === 0) return hash.digest('hex')
        this.#left.bytes -= bytesRead
        if (this.#left.bytes < 0) {
          this.#tooMuch(file)
          return ''
        }
        hash.update(block.subarray(0, bytesRead))
      }
    } finally {
      await handle.close()
    }
  }

  #put(full: string, hash: string): void {
    const path = relative(this.#base, full)
    this.#left.told -= Buffer.byteLength(JSON.stringify(path)) + HASH_TOLD
    if (this.#left.told < 0) this.#tooMuch(full)
    if (this.#excess === undefined) this.#files[path] = hash
  }

  #tooMuch(full: string): void {
    this.#excess ??= relative(this.#base, full)
  }
}

/** The nearest folder from here up that is the top of a checkout. */
async function topOf(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const git = join(folder, '.git')
    if (mayBeThere(git) && (await lstat(git).catch(missing))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/**
 * Some twenty names in every folder upwards, hardly any of which exists, and all of that at each question whether to start: asked
 * for one by one through the thread pool they cost more than all else in the answer. It does not keep the hub waiting for a disk
 * that does not answer: the folder itself has just been reached the other way.
 */
function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true // Such as a folder that may not be read: the closer look decides.
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}

function realOr(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(error.code ?? '')) return undefined
  throw error
}

/** What we may not read, programs that we start may not read either. */
function unreadable(error: NodeJS.ErrnoException): undefined {
  if (['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(error.code ?? '')) return undefined
  throw error
}
