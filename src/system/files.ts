// Owns how our files are written: for their owner alone, never through a link, whole or not at all, and on the disk before we go
// on. Must not know what is in them. Every step goes through a Disk, so that a test can end us before any of them.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export type Disk = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'fsyncSync'
  | 'fstatSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'lstatSync'
  | 'realpathSync'
  | 'readdirSync'
  | 'linkSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'mkdirSync'
  | 'rmdirSync'
>

export type NewFile = { mode?: number; uid?: number; gid?: number } & Durability
export type Durability = {
  /** False where nothing of it is needed after a loss of power. */
  sync?: boolean
}

const PRIVATE = 0o600

export function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? ''
}

/** Readers see the old file or the new one, never a part. A link in its place is replaced, not followed. */
export function replaceFile(disk: Disk, file: string, text: string, { sync = true }: Durability = {}): void {
  const draft = draftFor(file)
  try {
    writeNew(disk, draft, text, { sync })
    disk.renameSync(draft, file)
  } catch (cause) {
    removeIfThere(disk, draft)
    throw cause
  }
  if (sync) syncFolder(disk, path.dirname(file))
}

/** Whole from its first moment. False when there is one already; it stays as it is. */
export function createFile(disk: Disk, file: string, text: string, { sync = true }: Durability = {}): boolean {
  const draft = draftFor(file)
  try {
    writeNew(disk, draft, text, { sync })
    disk.linkSync(draft, file)
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  } finally {
    removeIfThere(disk, draft)
  }
  if (sync) syncFolder(disk, path.dirname(file))
  return true
}

/** A new file, with exactly this mode whatever the umask, on the disk when this returns. */
export function writeNew(
  disk: Disk,
  file: string,
  text: string,
  { mode = PRIVATE, uid, gid, sync = true }: NewFile = {},
): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants
  const fd = disk.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += disk.writeSync(fd, bytes, at)
    const made = disk.fstatSync(fd)
    if (uid !== undefined && gid !== undefined && (made.uid !== uid || made.gid !== gid)) disk.fchownSync(fd, uid, gid)
    // Last: a change of owner takes bits away.
    disk.fchmodSync(fd, mode)
    if (sync) disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

/** For reading; throws ELOOP for a link. A pipe in its place does not make us wait for its writer. */
export function openNoFollow(disk: Disk, file: string): number {
  // Two of them are undefined on Windows, which counts as 0.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  return disk.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
}

/** The text of a file, also behind a link. A pipe or device in its place would hold the whole process up, and is refused. */
export function readRegular(disk: Disk, file: string, limit: number): string {
  const fd = disk.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  try {
    if (!disk.fstatSync(fd).isFile()) throw new Error('it is not a regular file')
    const bytes = readAll(disk, fd, limit)
    if (bytes.length > limit) throw new Error(`it is larger than ${limit} bytes`)
    return bytes.toString('utf8')
  } finally {
    disk.closeSync(fd)
  }
}

/** All that the descriptor's file holds now, wherever it was read before. */
export function readAll(disk: Disk, fd: number, limit: number): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at <= limit; ) {
    const chunk = Buffer.allocUnsafe(64 * 1024)
    const read = disk.readSync(fd, chunk, 0, chunk.length, at)
    if (read === 0) break
    chunks.push(chunk.subarray(0, read))
    at += read
  }
  return Buffer.concat(chunks)
}

/** A name beside the file that no other writer has. */
export function draftFor(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}.tmp`
}

/** What writers left that were ended while they wrote. Younger ones than this may still be written by another process. */
export function removeDrafts(disk: Disk, file: string, olderThanMs?: number): void {
  const folder = path.dirname(file)
  const prefix = `${path.basename(file)}.`
  for (const name of disk.readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue
    const draft = path.join(folder, name)
    if (olderThanMs === undefined || ageOf(disk, draft) > olderThanMs) removeIfThere(disk, draft)
  }
}

function ageOf(disk: Disk, file: string): number {
  const stats = disk.lstatSync(file, { throwIfNoEntry: false })
  return stats ? Math.abs(Date.now() - stats.mtimeMs) : 0
}

export function removeIfThere(disk: Disk, file: string): void {
  try {
    disk.unlinkSync(file)
  } catch (cause) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(cause))) throw cause
  }
}

export function syncFile(disk: Disk, file: string): void {
  const fd = disk.openSync(file, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

export function syncFolder(disk: Disk, folder: string): void {
  try {
    syncFile(disk, folder)
  } catch (cause) {
    // Windows and some file systems cannot; the file is then only as durable as they make it.
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(codeOf(cause))) throw cause
  }
}

/**
 * With its parents, where they are missing. Node's own way of doing that never returns where the file system itself refuses new
 * folders as missing, as /proc does.
 */
export function makeFolders(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST' && fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    const parent = path.dirname(folder)
    if (codeOf(cause) !== 'ENOENT' || fs.existsSync(parent)) throw cause
    makeFolders(parent)
    // Another process may have made it by now, as when two clients start on a new machine.
    makeFolders(folder)
  }
}

/** Makes it where it is missing, its parents too. Refuses what is not a folder, or another user's; its mode is the caller's to judge. */
export function makePrivateFolder(folder: string): fs.Stats {
  makeFolders(folder)
  const stats = fs.lstatSync(folder)
  const uid = process.getuid?.()
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder`)
  if (uid !== undefined && stats.uid !== uid)
    throw new Error(`${folder} belongs to user ${stats.uid}, not to you (${uid})`)
  return stats
}

/** One level; it may be there already. */
export function makeFolder(disk: Disk, folder: string): void {
  try {
    disk.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
  }
}

/** An empty one. */
export function removeFolder(disk: Disk, folder: string): void {
  try {
    disk.rmdirSync(folder)
  } catch (cause) {
    // Another program put something in, or removed it first.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EPERM', 'EACCES'].includes(codeOf(cause))) throw cause
  }
}
