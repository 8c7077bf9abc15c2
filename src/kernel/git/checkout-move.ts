// Brings one checkout from a commit to another with its index and files, in steps that can each be taken back. Only what differs
// between the two is touched; other files stay as they are, changed or not.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readFile, readlink, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, createFile } from '#system/files.ts'
import { copyIndex } from './survey.ts'
import { layOut } from './laid-out.ts'
import { placeObjects } from './lfs.ts'
import type { Touched } from './merge.ts'
import { isPlainWay } from './inside.ts'
import type { Move, Plan, Step } from './move-record.ts'
import { type Checkout, Overlay } from './overlay.ts'
import type { Git } from './git.ts'
import { fileAt, textOf } from './path-text.ts'
import { unsavedIn } from './unsaved-paths.ts'

const TIME_MS = 30 * 60_000
/** An index of its own stays whole: its other half would be written into the overlay, which goes. */
const WHOLE = ['-c', 'core.splitIndex=false']

export type Watch = (step: string) => void | Promise<void>

export class CheckoutMove {
  readonly #checkout: Checkout
  /** For this checkout, below the folder of the move in the repository. */
  readonly #dir: string
  /** For this checkout, in our own folder: what is done here follows from these alone. */
  readonly #notes: string
  readonly #lockFile: string
  #stamps = new Map<string, string>()

  constructor(checkout: Checkout, { dir, notes }: Pick<Move, 'dir' | 'notes'>, at: number) {
    this.#checkout = checkout
    this.#dir = join(dir, String(at))
    this.#notes = join(notes, String(at))
    this.#lockFile = join(dir, 'lock')
  }

  get path(): string {
    return this.#checkout.path
  }

  /** False when git is writing there, or was killed while it did. */
  lock(): boolean {
    try {
      fs.linkSync(this.#lockFile, this.#indexLock)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  }

  holdsLock(): boolean {
    const [lock, twin] = [this.#indexLock, this.#lockFile].map(file => fs.statSync(file, { throwIfNoEntry: false }))
    return lock !== undefined && twin !== undefined && lock.ino === twin.ino && lock.dev === twin.dev
  }

  unlock(): void {
    if (this.holdsLock()) fs.unlinkSync(this.#indexLock)
  }

  get #indexLock(): string {
    return join(this.#checkout.gitDir, 'index.lock')
  }

  /** The files that are in the way: changed, staged, or not known to git. Remembers how the others are now. */
  async dirty(overlay: Overlay, touched: readonly Touched[], from: string): Promise<string[]> {
    const { path: root } = this.#checkout
    for (const { path } of touched) this.#stamps.set(path, await stampOf(fileAt(root, path)))
    const { unsaved, unmerged } = await unsavedIn(overlay, from)
    const leaving = new Set(touched.filter(({ old, now }) => old && !now).map(({ path }) => path))
    // The index cannot be brought along while it has a conflict, wherever that is.
    const found = [...unmerged]
    for (const one of touched) if (unsaved.has(one.path) || (await isBlocked(root, one, leaving))) found.push(one.path)
    return found
  }

  /** Lays out the new files and the new index beside the checkout, and writes down what will be done. */
  async prepare(git: Git, overlay: Overlay, touched: readonly Touched[], from: string, to: string): Promise<Plan> {
    const indexFile = join(this.#dir, 'index')
    const tree = join(this.#dir, 'tree')
    await mkdir(tree)
    await copyIndex(join(this.#checkout.gitDir, 'index'), indexFile)
    const options = { indexFile, ms: TIME_MS, maxBytes: 1024 * 1024 }
    // Of what is touched it knows no times: git compares these by their content until it writes the index again.
    await overlay.run([...WHOLE, 'read-tree', '-i', '-m', '--end-of-options', from, to], options)
    const away = await layOut(overlay, { indexFile, tree }, touched)
    if (fs.existsSync(join(this.#checkout.commonDir, 'lfs', 'objects'))) {
      const here = new Overlay(git, overlay.dir, { ...this.#checkout, path: tree, gitDir: this.#dir })
      await placeObjects(here, this.#checkout.commonDir)
    }
    const plan = await this.#plan(tree, touched, away)
    createFile(fs, join(this.#notes, 'plan.json'), JSON.stringify(plan))
    return plan
  }

  async #plan(tree: string, touched: readonly Touched[], away: ReadonlySet<string>): Promise<Plan> {
    const steps: Step[] = []
    const newFolders = new Set<string>()
    for (const { path, now } of touched) {
      if (away.has(path) || (!now && this.#stamps.get(path) === '')) continue
      const wasThere = this.#stamps.get(path) !== ''
      if (now?.mode === '160000') {
        if (wasThere) steps.push({ path, digest: null, old: true })
        steps.push({ path, digest: null, old: false, folder: true })
      } else steps.push({ path, digest: now ? await digestOf(fileAt(tree, path)) : null, old: wasThere })
      for (let at = path.indexOf('/'); at >= 0 && now; at = path.indexOf('/', at + 1)) {
        const folder = path.slice(0, at)
        if (!fs.lstatSync(fileAt(this.path, folder), { throwIfNoEntry: false })?.isDirectory()) newFolders.add(folder)
      }
    }
    return { steps, newFolders: [...newFolders] }
  }

  /** Files that vanish go first, so that a folder can take the place of a file. The first that is not as it was stops all. */
  async place({ steps }: Plan, watch: Watch): Promise<string | undefined> {
    for (const [at, step] of steps.entries()) {
      if (step.digest !== null || step.folder) continue
      if (!(await this.#isAsSeen(step))) return step.path
      await this.#moveFile(fileAt(this.path, step.path), this.#aside(at))
      await this.#removeEmpty(dirname(step.path))
      await watch(`removed ${step.path}`)
    }
    for (const [at, step] of steps.entries()) {
      const target = fileAt(this.path, step.path)
      // As git does for a submodule. What belongs in it is git's own business.
      if (step.folder && isPlainWay(this.path, step.path)) await mkdir(target, { recursive: true })
      if (step.digest === null) continue
      if (!(await this.#isAsSeen(step))) return step.path
      await mkdir(fileAt(this.path, dirname(step.path)), { recursive: true })
      if (step.old) await linkFile(target, this.#aside(at))
      await watch(`kept ${step.path}`)
      await rmdir(target).catch(() => {}) // An empty folder gives way.
      await this.#moveFile(fileAt(join(this.#dir, 'tree'), step.path), target)
      await watch(`placed ${step.path}`)
    }
    return undefined
  }

  #aside(at: number): string {
    return join(this.#dir, 'aside', String(at))
  }

  async #isAsSeen({ path }: Step): Promise<boolean> {
    return isPlainWay(this.path, path) && (await stampOf(fileAt(this.path, path))) === this.#stamps.get(path)
  }

  /** Nothing to do where that has been done already. */
  async installIndex(): Promise<void> {
    const from = join(this.#dir, 'index')
    if (fs.existsSync(from)) await rename(from, join(this.#checkout.gitDir, 'index'))
  }

  /** Whether the index is still the one that the new one was made from. After a crash, a person may have removed the lock. */
  async seal(): Promise<void> {
    const digest = await digestOf(join(this.#checkout.gitDir, 'index'))
    await writeFile(join(this.#notes, 'index-before'), digest ?? 'none')
  }

  async isSealed(): Promise<boolean> {
    const before = await readFile(join(this.#notes, 'index-before'), 'utf8').catch(() => undefined)
    return before === ((await digestOf(join(this.#checkout.gitDir, 'index'))) ?? 'none')
  }

  /** Takes back what was placed, but for files that are another now than what we placed, and those named. */
  async undo(except: ReadonlySet<string>): Promise<void> {
    const plan = await this.#readPlan()
    if (plan === undefined || plan === 'broken') return
    const { steps, newFolders } = plan
    const numbered = [...steps.entries()].reverse()
    for (const [at, step] of numbered) {
      // A folder may have become a link since: what is behind it is not ours.
      if (!isPlainWay(this.path, step.path)) continue
      const target = fileAt(this.path, step.path)
      if (step.folder) await rmdir(target).catch(() => {}) // Something is in it.
      if (step.digest === null || except.has(step.path)) continue
      if ((await digestOf(target)) !== step.digest) continue
      if (!step.old) await rm(target)
      else if (await exists(this.#aside(at))) await this.#moveFile(this.#aside(at), target)
    }
    for (const folder of newFolders.sort().reverse())
      if (isPlainWay(this.path, folder)) await rmdir(fileAt(this.path, folder)).catch(() => {}) // In use.
    for (const [at, step] of numbered) {
      if (step.digest !== null || step.folder || except.has(step.path)) continue
      if (!isPlainWay(this.path, step.path)) continue
      const target = fileAt(this.path, step.path)
      if (!(await exists(this.#aside(at))) || (await exists(target))) continue
      await mkdir(fileAt(this.path, dirname(step.path)), { recursive: true })
      await this.#moveFile(this.#aside(at), target)
    }
  }

  async isReadable(): Promise<boolean> {
    return (await this.#readPlan()) !== 'broken'
  }

  /** Undefined as long as nothing was planned, and so nothing done. */
  async #readPlan(): Promise<Plan | 'broken' | undefined> {
    const text = await readFile(join(this.#notes, 'plan.json'), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    try {
      const plan = JSON.parse(text) as Plan
      return Array.isArray(plan.steps) && Array.isArray(plan.newFolders) ? plan : 'broken'
    } catch {
      return 'broken'
    }
  }

  /** Whole or not at all, also from another file system. */
  async #moveFile(from: string | Buffer, to: string | Buffer): Promise<void> {
    try {
      await rename(from, to)
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error
      const beside = Buffer.from(to)
      const draft = fileAt(beside.subarray(0, beside.lastIndexOf('/')), `.toryo-${process.pid}-${Date.now()}`)
      try {
        await copyEntry(from, draft)
        await rename(draft, to)
      } catch (failed) {
        await rm(draft, { force: true })
        throw failed
      }
      await rm(from)
    }
  }

  async #removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at !== '.'; at = dirname(at)) {
      try {
        await rmdir(fileAt(this.path, at))
      } catch {
        return // Something is in it, or it is gone.
      }
    }
  }
}

/** Something that git does not know lies where a file has to go, or on the way there. */
async function isBlocked(root: string, { path, old, now }: Touched, leaving: ReadonlySet<string>): Promise<boolean> {
  if (!now) return false
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at)
    const info = await lstat(fileAt(root, folder)).catch(() => undefined)
    if (!info) return false
    if (!info.isDirectory()) return !leaving.has(folder)
  }
  const info = await lstat(fileAt(root, path)).catch(() => undefined)
  if (!info || now.mode === '160000') return info !== undefined && !info.isDirectory() && !old
  if (info.isDirectory()) return !(await holdsOnly(root, path, leaving))
  return !old
}

async function holdsOnly(root: string, folder: string, known: ReadonlySet<string>): Promise<boolean> {
  for (const entry of await readdir(fileAt(root, folder), { withFileTypes: true, encoding: 'buffer' })) {
    const path = `${folder}/${textOf(entry.name)}`
    if (entry.isDirectory() ? !(await holdsOnly(root, path, known)) : !known.has(path)) return false
  }
  return true
}

/** What is there, and since when; empty when nothing is. A folder is only that. */
async function stampOf(file: string | Buffer): Promise<string> {
  const info = await lstat(file, { bigint: true }).catch(() => undefined)
  if (!info || info.isDirectory()) return ''
  return `${info.ino} ${info.size} ${info.mtimeNs} ${info.mode}`
}

async function digestOf(file: string | Buffer): Promise<string | null> {
  const info = await lstat(file).catch(() => undefined)
  if (info?.isSymbolicLink()) return `link ${textOf(await readlink(file, 'buffer'))}`
  if (!info?.isFile()) return null
  const hash = createHash('sha256')
  for await (const chunk of fs.createReadStream(file)) hash.update(chunk as Buffer)
  return `${info.mode & 0o100 ? 'x' : '-'} ${hash.digest('hex')}`
}

/** A second name for it, so that it never vanishes while another takes its place. */
async function linkFile(from: string | Buffer, to: string): Promise<void> {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error
    await copyEntry(from, to)
  }
}

async function copyEntry(from: string | Buffer, to: string | Buffer): Promise<void> {
  const info = await lstat(from)
  if (info.isSymbolicLink()) fs.symlinkSync(await readlink(from, 'buffer'), to)
  else await copyFile(from, to)
}

async function exists(file: string | Buffer): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined
}
