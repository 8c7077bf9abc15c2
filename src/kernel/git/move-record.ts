// The record of moving a branch together with the checkout that has it checked out. It lies in the repository itself: whoever comes
// after a crash finds it, whatever became of the rest. One folder per move; what is in it is on the same file system as the indexes.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, syncFolder } from '#system/files.ts'
import { lifeOf, ownMark, type ProcessMark, readMark } from '#system/process-identity.ts'

/** A path that the move changes. Numbers name files in `aside`, where what was there is kept until the end. */
export type Step = {
  path: string
  /** What lies there afterwards; null: nothing. */
  digest: string | null
  /** Whether something lay there before. */
  old: boolean
  folder?: true
}

export type Plan = { steps: Step[]; newFolders: string[] }

export type MoveRecord = {
  ref: string
  from: string
  to: string
  checkouts: { path: string; gitDir: string }[]
  owner: ProcessMark
}

export type Move = { dir: string; record: MoveRecord }

/** Moves of this very process that are under way. */
const own = new Set<string>()

function movesOf(commonDir: string): string {
  return join(commonDir, 'toryo', 'moves')
}

export async function beginMove(commonDir: string, wish: Omit<MoveRecord, 'owner'>): Promise<Move> {
  const dir = join(movesOf(commonDir), randomBytes(8).toString('hex'))
  const record = { ...wish, owner: ownMark() }
  own.add(dir)
  await mkdir(dir, { recursive: true })
  for (const at of wish.checkouts.keys()) await mkdir(join(dir, String(at), 'aside'), { recursive: true })
  createFile(fs, join(dir, 'record.json'), JSON.stringify(record))
  // Its twin in the checkout is the lock of its index, which is ours as long as both are one file.
  createFile(fs, join(dir, 'lock'), `toryo ${dir}\n`, { sync: false })
  syncFolder(fs, movesOf(commonDir))
  return { dir, record }
}

export async function endMove({ dir }: Move): Promise<void> {
  // First of all, so that a folder that is removed only in part is not taken for a move.
  await rm(join(dir, 'record.json'), { force: true })
  await rm(dir, { recursive: true, force: true })
  own.delete(dir)
}

/** This process gives it up as it is: a later look finds it. */
export function abandonMove({ dir }: Move): void {
  own.delete(dir)
}

/** Those whose process is gone. Folders without a record are removed on the way. */
export async function leftMoves(commonDir: string): Promise<Move[]> {
  const root = movesOf(commonDir)
  const left: Move[] = []
  for (const name of (await readdir(root).catch(() => [])).sort()) {
    const dir = join(root, name)
    if (own.has(dir)) continue
    const record = await readRecord(dir)
    if (record === undefined) await removeStray(dir)
    else if (isLeft(record.owner)) left.push({ dir, record })
  }
  return left
}

function isLeft(owner: ProcessMark): boolean {
  const mine = ownMark()
  if (owner.pid === mine.pid && owner.start === mine.start && owner.boot === mine.boot) return true
  return lifeOf(owner) === 'dead'
}

async function readRecord(dir: string): Promise<MoveRecord | undefined> {
  const text = await readFile(join(dir, 'record.json'), 'utf8').catch(() => '')
  try {
    const record = JSON.parse(text) as MoveRecord
    return readMark(record.owner) ? record : undefined
  } catch {
    return undefined // Not written to its end: nothing was done yet.
  }
}

const STRAY_MS = 60_000

/** Another process may just be about to write its record. */
async function removeStray(dir: string): Promise<void> {
  const info = fs.statSync(dir, { throwIfNoEntry: false })
  if (info && Date.now() - info.mtimeMs > STRAY_MS) await rm(dir, { recursive: true, force: true })
}
