// A file that belongs to another program, looked at and replaced as a whole: old or new, never a part; never over a change that was not
// seen; with its links, mode and owner kept. Knows nothing of what is in it.
import fs from 'node:fs'
import path from 'node:path'
import { TextDecoder } from 'node:util'
import { pause } from '#system/pause.ts'
import {
  codeOf,
  type Disk,
  makeFolder as makePrivate,
  openNoFollow,
  readAll,
  removeIfThere,
  syncFolder,
  writeNew,
} from '#system/files.ts'
import { Unusable } from './format.ts'

export type Snapshot = {
  /** As the engine names it. */
  readonly file: string
  /** Without links. */
  readonly real: string
  readonly text: string
  readonly bytes: Buffer
  readonly stats: fs.Stats
}

const MAX_BYTES = 10 * 1024 * 1024
/** How often a latecomer is looked at without a pause, and with pauses that grow: ten seconds in all, for a machine that is busy. */
const AT_ONCE = 50
const LATER = 26
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500

/** Undefined when it is missing. Throws Unusable for one that must stay as it is. */
export function look(disk: Disk, file: string): Snapshot | undefined {
  const real = resolve(disk, file)
  if (real === undefined) return undefined
  const fd = open(disk, real)
  if (fd === undefined) return undefined
  try {
    const stats = disk.fstatSync(fd)
    check(stats)
    const bytes = readAll(disk, fd, MAX_BYTES)
    if (bytes.length === 0) throw new Unusable({ en: 'it is empty', ja: '空のファイルです' })
    if (bytes.length > MAX_BYTES) throw tooLarge()
    return { file, real, text: decode(bytes), bytes, stats }
  } finally {
    disk.closeSync(fd)
  }
}

/** `changed`: another program was faster, nothing was done. `overtook`: `lost` is what another program wrote at that very moment. */
export type Replaced = { state: 'done' } | { state: 'changed' } | { state: 'overtook'; lost: string }

/** Whether a text is all that a program meant to write. */
export type IsWhole = (text: string) => boolean

export async function replace(
  disk: Disk,
  seen: Snapshot,
  text: string,
  draft: string,
  isWhole: IsWhole,
): Promise<Replaced> {
  const { real, stats } = seen
  let old: number | undefined
  try {
    writeNew(disk, draft, text, { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid })
    old = open(disk, real)
    if (old === undefined || !isUnchanged(disk, seen, old)) return { state: 'changed' }
    disk.renameSync(draft, real)
    const lost = await latecomer(disk, seen, old, isWhole)
    syncFolder(disk, path.dirname(real))
    return lost === undefined ? { state: 'done' } : { state: 'overtook', lost }
  } catch (cause) {
    throw asUnusable(cause)
  } finally {
    if (old !== undefined) disk.closeSync(old)
    removeIfThere(disk, draft)
  }
}

/** For the user alone; it may be there already. */
export function makeFolder(disk: Disk, folder: string): void {
  try {
    makePrivate(disk, folder)
  } catch (cause) {
    throw asUnusable(cause)
  }
}

/** False when another program has made it meanwhile. */
export function create(disk: Disk, file: string, text: string, draft: string): boolean {
  try {
    writeNew(disk, draft, text)
    disk.linkSync(draft, file)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw asUnusable(cause)
  } finally {
    removeIfThere(disk, draft)
    syncFolder(disk, path.dirname(file))
  }
}

/** False when it is no longer what was seen. */
export function remove(disk: Disk, seen: Snapshot): boolean {
  const fd = open(disk, seen.real)
  if (fd === undefined) return true
  try {
    if (!isUnchanged(disk, seen, fd)) return false
    disk.unlinkSync(seen.real)
    syncFolder(disk, path.dirname(seen.real))
    return true
  } catch (cause) {
    throw asUnusable(cause)
  } finally {
    disk.closeSync(fd)
  }
}

function resolve(disk: Disk, file: string): string | undefined {
  try {
    const stats = disk.lstatSync(file, { throwIfNoEntry: false })
    if (!stats) return undefined
    return disk.realpathSync(file)
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOTDIR') return undefined
    if (code === 'ENOENT' || code === 'ELOOP')
      throw new Unusable({ en: 'it is a link that leads nowhere', ja: 'リンク先がありません' })
    throw asUnusable(cause)
  }
}

function open(disk: Disk, real: string): number | undefined {
  try {
    return openNoFollow(disk, real)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw asUnusable(cause)
  }
}

function check(stats: fs.Stats): void {
  if (!stats.isFile()) throw new Unusable({ en: 'it is not a regular file', ja: '通常のファイルではありません' })
  if (stats.size > MAX_BYTES) throw tooLarge()
  if ((stats.mode & 0o200) === 0) throw new Unusable({ en: 'it is read-only', ja: '読み取り専用です' })
  if (stats.nlink > 1)
    throw new Unusable({
      en: 'it has a second name (a hard link), which would be cut off',
      ja: 'ハードリンクがあり、変更すると切れてしまいます',
    })
  const uid = process.getuid?.()
  if (uid !== undefined && uid !== 0 && stats.uid !== uid)
    throw new Unusable({ en: `it belongs to user ${stats.uid}`, ja: `所有者がユーザー ${stats.uid} です` })
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unusable({ en: 'it is not UTF-8', ja: 'UTF-8 ではありません' })
  }
}

/** The look at the name comes last: between it and the next step there must be nothing. */
function isUnchanged(disk: Disk, seen: Snapshot, fd: number): boolean {
  if (!readAll(disk, fd, MAX_BYTES).equals(seen.bytes) || resolve(disk, seen.file) !== seen.real) return false
  const { ino, dev, mode, size } = seen.stats
  const now = disk.lstatSync(seen.real, { throwIfNoEntry: false })
  return now !== undefined && now.ino === ino && now.dev === dev && now.mode === mode && now.size === size
}

/**
 * A program that opened the old file right before we replaced it, to write into it, now writes into a file that no program reads. Opening it
 * emptied it, so that we see it here; what it writes is what the file must hold, and soon, before it reads again.
 */
async function latecomer(disk: Disk, seen: Snapshot, old: number, isWhole: IsWhole): Promise<string | undefined> {
  let before = seen.bytes
  for (let tries = 0; tries < AT_ONCE + LATER; tries++) {
    const now = readAll(disk, old, MAX_BYTES)
    if (tries === 0 && now.equals(before)) return undefined
    if (now.length > 0 && now.equals(before) && isWhole(now.toString('utf8'))) return now.toString('utf8')
    before = now
    if (tries >= AT_ONCE) await pause(Math.min(FIRST_PAUSE_MS * 2 ** (tries - AT_ONCE), LONGEST_PAUSE_MS))
  }
  return undefined // It was emptied and never written: what it held before is in the new file.
}

function tooLarge(): Unusable {
  return new Unusable({ en: 'it is larger than 10 MB', ja: '10 MB を超えています' })
}

function asUnusable(cause: unknown): unknown {
  const code = codeOf(cause)
  if (cause instanceof Unusable || code === '') return cause
  return new Unusable({ en: `the system refuses it (${code})`, ja: `システムに拒否されました (${code})` })
}
