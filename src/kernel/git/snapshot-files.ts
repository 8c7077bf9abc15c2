// Copies files out of a folder that others write into, by a way that follows no link. A copy is what git reads then: nothing that
// is swapped in meanwhile can bring in content from elsewhere.
import fs, { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '#system/files.ts'
import { Turn } from '#system/turn.ts'
import { GitError } from './git-error.ts'
import { type Content, openInside, Reader } from './inside.ts'
import { fileAt } from './path-text.ts'

/** Larger ones are copied piece by piece. */
const AT_ONCE = 8 * 1024 * 1024
const TRIES = 3

/** `paths` in order. Only files and links that still exist are in the copy. Answers those that we are not allowed to read. */
export async function copyFiles(root: string, tree: string, paths: readonly string[]): Promise<string[]> {
  using reader = new Reader(root)
  const turn = new Turn()
  const folders = new Folders(tree)
  const closed: string[] = []
  for (const path of paths) {
    try {
      await copyOne(root, reader, path, folders)
    } catch (error) {
      if (!['EACCES', 'EPERM'].includes(codeOf(error))) throw error
      closed.push(path)
    }
    await turn.over()
  }
  return closed
}

/** A file that is written while it is read is read again, so that the copy is what it was at one moment. */
async function copyOne(root: string, reader: Reader, path: string, folders: Folders): Promise<void> {
  for (let count = 1; count <= TRIES; count++) {
    const before = await stamp(root, path)
    const content = contentOf(reader, path)
    const target = content && folders.placeFor(path)
    if (target === undefined) return
    fs.rmSync(target, { force: true })
    if (content?.kind === 'link') return fs.symlinkSync(content.target, target)
    const mode = content?.executable ? 0o755 : 0o644
    if (content?.bytes === undefined) await copyLarge(root, path, target, mode)
    else fs.writeFileSync(target, content.bytes, { flag: 'wx', mode })
    if (before === (await stamp(root, path))) return
  }
}

/** By its name, so that a person can do something about it. */
function contentOf(reader: Reader, path: string): Content | undefined {
  try {
    return reader.read(path, AT_ONCE)
  } catch (error) {
    const code = codeOf(error)
    if (!UNREADABLE.has(code)) throw error
    throw new GitError('failed', `${path} cannot be read (${code})`, path)
  }
}

/** About the file; what else there may be is about this process, or the disk. What we may not read is held back, by its name. */
const UNREADABLE = new Set(['EIO'])

class Folders {
  readonly #tree: string
  readonly #made = new Set([''])
  readonly #files = new Set<string>()

  constructor(tree: string) {
    this.#tree = tree
  }

  /** None below something that was copied as a file, and may be a link: nothing is ever written through it. */
  placeFor(path: string): string | Buffer | undefined {
    if (this.#made.has(path)) return undefined
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at)
      if (this.#files.has(folder)) return undefined
      if (!this.#made.has(folder)) fs.mkdirSync(fileAt(this.#tree, folder))
      this.#made.add(folder)
    }
    this.#files.add(path)
    return fileAt(this.#tree, path)
  }
}

async function stamp(root: string, path: string): Promise<string> {
  const info = await lstat(fileAt(root, path), { bigint: true }).catch(() => undefined)
  return info ? `${info.ino} ${info.size} ${info.mtimeNs}` : ''
}

async function copyLarge(root: string, path: string, target: string | Buffer, mode: number): Promise<void> {
  const entry = await openInside(root, path)
  if (entry?.kind !== 'file') return
  const to = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode)
  // Both streams close what they are given.
  await pipeline(entry.handle.createReadStream(), to.createWriteStream())
}
