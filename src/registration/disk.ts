// Every step on the disk goes through here, so that a test can end us before any of them.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** With jitter, or two that met would meet again. */
export function pause(ms: number): Promise<void> {
  return sleep(ms * (0.5 + Math.random()))
}

export function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? ''
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

export type NewFile = { mode: number; uid?: number; gid?: number }

/** A new file, on the disk when this returns. */
export function writeNew(disk: Disk, file: string, text: string, { mode, uid, gid }: NewFile): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants
  const fd = disk.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += disk.writeSync(fd, bytes, at)
    const made = disk.fstatSync(fd)
    if (uid !== undefined && gid !== undefined && (made.uid !== uid || made.gid !== gid)) disk.fchownSync(fd, uid, gid)
    // Last: a change of owner takes bits away.
    disk.fchmodSync(fd, mode)
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

export function removeIfThere(disk: Disk, file: string): void {
  try {
    disk.unlinkSync(file)
  } catch (cause) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(cause))) throw cause
  }
}

export function syncFolder(disk: Disk, folder: string): void {
  try {
    const fd = disk.openSync(folder, 'r')
    try {
      disk.fsyncSync(fd)
    } finally {
      disk.closeSync(fd)
    }
  } catch (cause) {
    // Windows and some file systems cannot; the file is then only as durable as they make it.
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(codeOf(cause))) throw cause
  }
}

/** An empty one. */
export function removeFolder(disk: Disk, folder: string): void {
  try {
    disk.rmdirSync(folder)
  } catch (cause) {
    // Somebody put something in, or was faster.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EPERM', 'EACCES'].includes(codeOf(cause))) throw cause
  }
}
