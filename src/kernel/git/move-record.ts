// The record of moving a branch together with the checkout that has it checked out. Files wait in the repository itself, on the
// file system of its index. What was planned is written down in our own folder: a person who can write into a repository, or packs one
// for us, must not decide which files we replace. That folder outlives the process: the process after a crash finds it there.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { lstat, lutimes, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, createFile, syncFolder } from '#system/files.ts'
import { lifeOf, ownMark, type ProcessMark, readMark } from '#system/process-identity.ts'
import { readSmallFile } from './small-file.ts'

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
  commonDir: string
  ref: string
  from: string
  to: string
  checkouts: { path: string; gitDir: string }[]
  owner: ProcessMark
}

/** `dir`: in the repository, never believed. `notes`: in our own folder. */
export type Move = { dir: string; notes: string; record: MoveRecord }

const RECORD_BYTES = 1024 * 1024

/** Moves of this very process that are under way, by their notes. */
const own = new Set<string>()

/** `folder`: where our own git keeps its things. */
export async function beginMove(folder: string, wish: Omit<MoveRecord, 'owner'>): Promise<Move> {
  const name = randomBytes(8).toString('hex')
  const root = join(folder, 'moves')
  const move = { dir: dirOf(wish.commonDir, name), notes: join(root, name), record: { ...wish, owner: ownMark() } }
  own.add(move.notes)
  try {
    await makePlaces(move, root)
  } catch (error) {
    own.delete(move.notes)
    throw error
  }
  return move
}

async function makePlaces({ dir, notes, record }: Move, root: string): Promise<void> {
  const parts = [...record.checkouts.keys()].map(String)
  await mkdir(notes, { recursive: true, mode: 0o700 })
  for (const part of parts) await mkdir(join(notes, part))
  // First of all: from here on, what is in the repository has an owner.
  createFile(fs, join(notes, 'record.json'), JSON.stringify(record))
  syncFolder(fs, root)
  await clearWay(record.commonDir)
  for (const part of parts) await mkdir(join(dir, part, 'aside'), { recursive: true })
  // Its twin in the checkout is the lock of its index, which is ours as long as both are one file.
  createFile(fs, join(dir, 'lock'), `toryo ${dir}\n`, { sync: false })
  syncFolder(fs, movesOf(record.commonDir))
}

function movesOf(commonDir: string): string {
  return join(commonDir, 'toryo', 'moves')
}

function dirOf(commonDir: string, name: string): string {
  return join(movesOf(commonDir), name)
}

/** A foreign link or file there is moved out of the way. */
async function clearWay(commonDir: string): Promise<void> {
  for (const place of [join(commonDir, 'toryo'), movesOf(commonDir)]) {
    const info = await lstat(place).catch(() => undefined)
    if (info && !info.isDirectory()) await rename(place, `${place}.${randomBytes(4).toString('hex')}`)
  }
}

export async function endMove({ dir, notes }: Move): Promise<void> {
  // First of all, so that a folder that is removed only in part is not taken for a move.
  await rename(join(notes, 'record.json'), join(notes, 'ended.json')).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  await removeEnded(dir, notes)
  own.delete(notes)
}

async function removeEnded(dir: string, notes: string): Promise<void> {
  await rm(dir, { recursive: true, force: true })
  await rm(notes, { recursive: true, force: true })
}

/** This process gives it up as it is: a later look finds it. */
export function abandonMove({ notes }: Move): void {
  own.delete(notes)
}

/** It is not what is there now: nothing is done, and both halves stay for a person to look at, from now on for two weeks. */
export async function setAside(folder: string, notes: string, dir: string): Promise<void> {
  const away = join(folder, 'moves-set-aside')
  await mkdir(away, { recursive: true, mode: 0o700 })
  const now = new Date()
  for (const place of [notes, dir])
    await lutimes(place, now, now).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
  await rename(notes, join(away, randomBytes(8).toString('hex')))
}

/** Those of this repository whose process is gone. What ended is removed on the way; a record that says nothing is set aside. */
export async function leftMoves(folder: string, commonDir: string): Promise<Move[]> {
  const root = join(folder, 'moves')
  const left: Move[] = []
  for (const name of await readdir(root).catch(() => [])) {
    const notes = join(root, name)
    if (own.has(notes)) continue
    const move = await readNotes(notes, name)
    if (move === 'broken') await setAside(folder, notes, dirOf(commonDir, name))
    else if (move === undefined) await removeStray(notes)
    else if (move.record.commonDir !== commonDir || !isLeft(move.record.owner)) continue
    else if (move.ended || !isFolder(move.dir)) await removeEnded(move.dir, notes)
    else left.push(move)
  }
  return left
}

/** As long as branches of merged work are kept. */
const ASIDE_MS = 14 * 24 * 3600_000

/**
 * What crashed moves left and no later process could finish: files in the repository that none of our records leads to, and records that were set
 * aside. They wait for a person, and not for ever.
 */
export async function pruneAside(folder: string, commonDir: string, now: number): Promise<void> {
  const root = movesOf(commonDir)
  const isOwn = isFolder(join(commonDir, 'toryo')) && isFolder(root)
  for (const name of isOwn ? await readdir(root) : []) {
    if (/^[0-9a-f]{16}$/.test(name) && !fs.existsSync(join(folder, 'moves', name)))
      await removeOld(join(root, name), now)
  }
  const away = join(folder, 'moves-set-aside')
  for (const name of await readdir(away).catch(() => [])) await removeOld(join(away, name), now)
}

async function removeOld(place: string, now: number): Promise<void> {
  const info = fs.lstatSync(place, { throwIfNoEntry: false })
  if (info && now - info.mtimeMs > ASIDE_MS) await rm(place, { recursive: true, force: true })
}

function isLeft(owner: ProcessMark): boolean {
  const mine = ownMark()
  if (owner.pid === mine.pid && owner.start === mine.start && owner.boot === mine.boot) return true
  return lifeOf(owner) === 'dead'
}

/** Undefined before it was written, and after it was removed: nothing was done yet, or all is. */
async function readNotes(notes: string, name: string): Promise<(Move & { ended: boolean }) | 'broken' | undefined> {
  for (const [file, ended] of [
    ['ended.json', true],
    ['record.json', false],
  ] as const) {
    if (!fs.existsSync(join(notes, file))) continue
    const record = readRecord(await readSmallFile(join(notes, file), RECORD_BYTES))
    return record ? { dir: dirOf(record.commonDir, name), notes, record, ended } : 'broken'
  }
  return undefined
}

function readRecord(text: string): MoveRecord | undefined {
  try {
    const record = JSON.parse(text) as MoveRecord
    const texts = [record.commonDir, record.ref, record.from, record.to]
    const isWhole = readMark(record.owner) && texts.every(one => typeof one === 'string')
    return isWhole && Array.isArray(record.checkouts) ? record : undefined
  } catch {
    return undefined
  }
}

const STRAY_MS = 60_000

/** Another process may just be about to write its record. */
async function removeStray(notes: string): Promise<void> {
  const info = fs.statSync(notes, { throwIfNoEntry: false })
  if (info && Date.now() - info.mtimeMs > STRAY_MS) await rm(notes, { recursive: true, force: true })
}

function isFolder(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
