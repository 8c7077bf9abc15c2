// Reads and writes below a folder without ever leaving it, also while another process swaps folders for links.
import fs, { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { join, relative, sep, isAbsolute } from 'node:path'
import { codeOf } from '#system/files.ts'
import { GitError } from './git-error.ts'
import { fileAt } from './path-text.ts'

/** Linux resolves names from an open folder through here; elsewhere the way is checked before and after. */
const DESCRIPTORS = process.platform === 'linux' ? '/proc/self/fd' : undefined

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

class Outside extends GitError {
  constructor(message: string) {
    super('failed', message)
  }
}

export type Entry =
  | { kind: 'file'; handle: FileHandle; size: number; executable: boolean }
  | { kind: 'link'; target: Buffer }
  | { kind: 'other' }

/** What is at this path; undefined when nothing is, or when the way there leads through a link. */
export async function openInside(root: string, path: string): Promise<Entry | undefined> {
  const parts = partsOf(path)
  const leaf = parts.pop() as string
  let folder: FileHandle | undefined
  try {
    folder = await walk(root, parts)
    const full = fileAt(await at(folder, root, parts), leaf)
    const info = await lstat(full)
    if (info.isSymbolicLink()) return { kind: 'link', target: await readlink(full, 'buffer') }
    if (!info.isFile()) return { kind: 'other' }
    const handle = await open(full, FILE)
    return await fileEntry(handle)
  } catch (error) {
    if (NOT_THERE.has(codeOf(error))) return undefined
    throw error
  } finally {
    await folder?.close()
  }
}

/** The text of a file of at most so many bytes; undefined when there is none, or anything else. */
export async function readInside(root: string, path: string, most: number): Promise<string | undefined> {
  const entry = await openInside(root, path)
  if (entry?.kind !== 'file') return undefined
  try {
    return entry.size > most ? undefined : await entry.handle.readFile('utf8')
  } finally {
    await entry.handle.close()
  }
}

/** Makes the folders on the way. Throws EEXIST when something is there. */
export async function createInside(root: string, path: string, mode: number): Promise<FileHandle> {
  const parts = partsOf(path)
  const leaf = parts.pop() as string
  const folder = await walk(root, parts, true)
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    return await open(fileAt(await at(folder, root, parts), leaf), flags, mode)
  } finally {
    await folder.close()
  }
}

/** EINVAL: what was a link a moment ago is none any more. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EINVAL'])

async function fileEntry(handle: FileHandle): Promise<Entry> {
  const info: Stats = await handle.stat()
  if (info.isFile()) return { kind: 'file', handle, size: info.size, executable: (info.mode & 0o100) !== 0 }
  await handle.close()
  return { kind: 'other' }
}

function partsOf(path: string): string[] {
  const parts = path.split('/')
  const strange = parts.some(part => part === '' || part === '.' || part === '..' || part.includes('\0'))
  if (strange || isAbsolute(path)) throw new Outside(`${path} is not a path inside of a folder`)
  return parts
}

/** Part by part, so that none of them can be a link. */
async function walk(root: string, parts: readonly string[], make = false): Promise<FileHandle> {
  let folder = await open(root, FOLDER)
  const gone: string[] = []
  for (const part of parts) {
    const before = folder
    try {
      const full = fileAt(await at(before, root, gone), part)
      if (make) await mkdir(full).catch(existsAlready)
      folder = await open(full, FOLDER)
    } finally {
      await before.close()
    }
    gone.push(part)
  }
  return folder
}

async function at(folder: FileHandle, root: string, parts: readonly string[]): Promise<string> {
  if (DESCRIPTORS) return `${DESCRIPTORS}/${folder.fd}`
  const full = join(root, ...parts)
  if ((await realpath(full)) !== join(await realpath(root), ...parts)) throw new Outside(`${full} leads elsewhere`)
  return full
}

function existsAlready(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

export type Content =
  /** `bytes` is missing when there are more than asked for. */
  { kind: 'file'; bytes: Buffer | undefined; size: number; executable: boolean } | { kind: 'link'; target: Buffer }

/**
 * Reads many files below one folder, by the same way. Folders stay open for the next path, so they should come in order. It
 * blocks the process while it reads: for small files that costs far less than an asynchronous call per step.
 */
export class Reader implements Disposable {
  readonly #root: string
  /** Of the root and of the folders of `#parts`. */
  readonly #folders: number[]
  #parts: string[] = []

  constructor(root: string) {
    this.#root = root
    this.#folders = [fs.openSync(root, FOLDER)]
  }

  [Symbol.dispose](): void {
    this.#leave(-1)
  }

  /** Undefined when no file and no link is there, or when the way there leads through a link. */
  read(path: string, most: number): Content | undefined {
    const parts = partsOf(path)
    const leaf = parts.pop() as string
    try {
      this.#enter(parts)
      const full = fileAt(this.#here(), leaf)
      const info = fs.lstatSync(full)
      if (info.isSymbolicLink()) return { kind: 'link', target: fs.readlinkSync(full, 'buffer') }
      return info.isFile() ? readFile(full, most) : undefined
    } catch (error) {
      if (NOT_THERE.has(codeOf(error))) return undefined
      throw error
    }
  }

  #enter(parts: readonly string[]): void {
    let shared = 0
    while (shared < this.#parts.length && this.#parts[shared] === parts[shared]) shared++
    this.#leave(shared)
    for (const part of parts.slice(shared)) {
      this.#folders.push(fs.openSync(fileAt(this.#here(), part), FOLDER))
      this.#parts.push(part)
    }
  }

  #leave(depth: number): void {
    while (this.#folders.length > depth + 1) fs.closeSync(this.#folders.pop() as number)
    this.#parts = this.#parts.slice(0, Math.max(depth, 0))
  }

  #here(): string {
    if (DESCRIPTORS) return `${DESCRIPTORS}/${this.#folders.at(-1)}`
    const full = join(this.#root, ...this.#parts)
    if (fs.realpathSync(full) !== join(fs.realpathSync(this.#root), ...this.#parts))
      throw new Outside(`${full} leads elsewhere`)
    return full
  }
}

function readFile(full: string | Buffer, most: number): Content | undefined {
  const file = fs.openSync(full, FILE)
  try {
    const info = fs.fstatSync(file)
    if (!info.isFile()) return undefined
    const bytes = info.size > most ? undefined : fs.readFileSync(file)
    return { kind: 'file', bytes, size: info.size, executable: (info.mode & 0o100) !== 0 }
  } finally {
    fs.closeSync(file)
  }
}

/** By parts of the path: /home/a/shop-2 is not inside of /home/a/shop. Both without links. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}

/** Whether a path names something below the folder, outside of git's own, and no link or file is on the way there. */
export function isPlainWay(root: string, path: string): boolean {
  const parts = path.split('/')
  const strange = parts.some(part => ['', '.', '..'].includes(part) || /^\.git$/i.test(part) || part.includes('\0'))
  if (strange || isAbsolute(path)) return false
  let folder: string | Buffer = root
  for (const part of parts.slice(0, -1)) {
    folder = fileAt(folder, part)
    const info = fs.lstatSync(folder, { throwIfNoEntry: false })
    if (!info) return true
    if (!info.isDirectory()) return false
  }
  return true
}
