// What differs between a commit and the files of a checkout: committed or not, staged or not, tracked or not.
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { copyFile, lstat, mkdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { Turn } from '#system/turn.ts'
import { Reader } from './inside.ts'
import { sameAsPointers } from './lfs.ts'
import { type Checkout, type Overlay, withOverlay } from './overlay.ts'
import { type Item, writeIndex, writeTrees } from './raw-objects.ts'
import { headOfNested } from './nested.ts'
import { lineCountsIn, withCounts } from './line-counts.ts'

export type Change = {
  path: string
  status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** The path it had before. */
  from?: string
  /** Lines, where they were counted and it is text. */
  added?: number
  removed?: number
  binary?: boolean
}

export type Changes = { files: Change[]; truncated: boolean }
export type Diff = { diff: string; truncated: boolean }
/** Only of one file, by the path that it has now; with so many lines around each change. */
export type Part = { path?: string | undefined; context?: number | undefined }

const MOST_FILES = 20_000
const NAMES_BYTES = 64 * 1024 * 1024
/** Files that are larger are shown as binary ones are. */
const LARGEST_SHOWN = 16 * 1024 * 1024
const TIME_MS = 300_000

/** `base` is a commit or tree by its number. */
export function changedFiles(git: Git, checkout: Checkout, base: string, signal?: AbortSignal): Promise<Changes> {
  return withOverlay(
    git,
    checkout,
    async overlay => {
      const { found, truncated } = await survey(overlay, base)
      return { files: found.slice(0, MOST_FILES).map(toChange), truncated: truncated || found.length > MOST_FILES }
    },
    signal,
  )
}

/** With the lines of each: every changed file is read for it. Files beyond `maxBytes` have none. */
export function countedFiles(
  git: Git,
  checkout: Checkout,
  base: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Changes> {
  return withOverlay(
    git,
    checkout,
    async overlay => {
      const surveyed = await survey(overlay, base)
      const { output } = await compareCopies(overlay, surveyed, maxBytes, ['--numstat', '-z'], NAMES_BYTES)
      const files = surveyed.found.slice(0, MOST_FILES).map(toChange)
      const counts = lineCountsIn(output.stdout.toString('utf8').split('\0'))
      return {
        files: withCounts(files, counts),
        truncated: surveyed.truncated || output.cut || surveyed.found.length > MOST_FILES,
      }
    },
    signal,
  )
}

export function diff(
  git: Git,
  checkout: Checkout,
  base: string,
  maxBytes: number,
  signal?: AbortSignal,
  part: Part = {},
): Promise<Diff> {
  return withOverlay(git, checkout, overlay => patch(overlay, base, maxBytes, part), signal)
}

type Found = {
  path: string
  letter: string
  from?: string
  mode: string
  /** What it was in the base, under this path or the one that it had before. */
  old?: Item
  /** The blob that it was, where nothing but its content changed. */
  before?: string
  /** The blob that it is, where no file lies in the folder. */
  oid?: string
}

type Compared = { found: Found[]; truncated: boolean }

type Survey = Compared & { attributeFiles: string[] }

/**
 * What is different in the folder. The checkout's own index knows which files are as they were when they were written, so that they
 * need not be read again; flags that would hide a change are not taken over.
 */
async function survey(overlay: Overlay, base: string): Promise<Survey> {
  const { commonDir } = overlay.checkout
  await copyIndex(join(overlay.checkout.gitDir, 'index'), overlay.index)
  const look = () => Promise.all([listAll(overlay), compare(overlay, base)])
  const [{ tracked, doubtful, loose, cut }, first] = await look().catch(async () => {
    // Damaged, or newer than this git: every file is read instead.
    await rm(overlay.index, { force: true })
    return look()
  })
  let raw = first
  const nested = loose.filter(path => path.endsWith('/'))
  const names = loose.filter(path => !path.endsWith('/'))
  const lost = raw.found.filter(({ letter }) => letter === 'D').map(({ path }) => path)
  const ignored = await present(
    overlay,
    lost.filter(path => !tracked.has(path)),
  )
  let added = names.map((path): Found => ({ path, letter: 'A', mode: PLAIN }))
  // A file that git does not know may be one that is missing, under its own name or another.
  if (doubtful.length > 0 || ignored.length > 0 || (names.length > 0 && lost.length > 0)) {
    const unknown = [...new Set([...names, ...ignored])].map(path => nameEntry(overlay, path))
    await indexInfo(overlay, [...doubtful, ...unknown])
    raw = await compare(overlay, base)
    added = []
  }
  const pointers = await sameAsPointers(overlay, commonDir, raw.found.filter(isPlainChange))
  const found = raw.found.filter(({ path }) => !pointers.has(path)).map(one => beyondSight(one, tracked))
  return {
    found: [...found, ...added, ...nested.map(nestedAt)].sort(byPath),
    truncated: raw.truncated || cut,
    attributeFiles: [...tracked.keys(), ...names, ...ignored].filter(path => /(?:^|\/)\.gitattributes$/.test(path)),
  }
}

/**
 * With its time: git looks again at files that were written in the same second as the index, and would take a later one for
 * the proof that they have not changed since.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const info = await stat(from).catch(() => undefined)
  if (!info?.isFile()) return
  await copyFile(from, to)
  const written = Math.floor(info.mtimeMs / 1000)
  await utimes(to, written, written)
}

type Tracked = Item & { skipped: boolean }

type Listed = {
  tracked: Map<string, Tracked>
  /** Entries to be put in place of what hides a change: files said to be unchanged, and those with a conflict. */
  doubtful: string[]
  /** What git does not know, and does not ignore. */
  loose: string[]
  cut: boolean
}

async function listAll(overlay: Overlay): Promise<Listed> {
  const args = ['ls-files', '-z', '-v', '--stage', '--cached', '--others', '--exclude-standard']
  const { fields, cut } = await overlay.fields(args, { maxBytes: NAMES_BYTES, cut: true, ms: TIME_MS })
  const turn = new Turn()
  const tracked = new Map<string, Tracked>()
  const doubtful = new Map<string, string>()
  const loose: string[] = []
  for (const field of fields) {
    await turn.over()
    if (field.startsWith('? ')) {
      loose.push(field.slice(2))
      continue
    }
    const [, tag = '', mode, oid, stage, path] = /^(\S) (\d{6}) ([0-9a-f]+) (\d)\t(.*)$/s.exec(field) ?? []
    if (path === undefined || mode === undefined || oid === undefined) continue
    tracked.set(path, { mode, oid, skipped: tag.toUpperCase() === 'S' })
    if (stage !== '0') doubtful.set(path, nameEntry(overlay, path))
    else if (tag !== tag.toUpperCase() && tag !== 's') doubtful.set(path, `${mode} ${oid} 0\t${path}`)
  }
  return { tracked, doubtful: [...doubtful.values()], loose, cut }
}

/** Those that are in the folder all the same. */
async function present(overlay: Overlay, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) if (await lstat(join(overlay.checkout.path, path)).catch(() => undefined)) found.push(path)
  return found
}

const COMPARING = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--no-color']

/** Not `diff-index`, which would also name files that were touched and are as they were. */
async function compare(overlay: Overlay, base: string): Promise<Compared> {
  const run = (renames: string) =>
    overlay.fields(['diff', '-z', '--raw', '--no-abbrev', renames, ...COMPARING, '--end-of-options', base, '--'], {
      maxBytes: NAMES_BYTES,
      cut: true,
      ms: TIME_MS,
    })
  // In a partial clone the contents of old files may be missing, which renames are found by.
  const { fields, cut } = await run('--find-renames').catch(() => run('--no-renames'))
  const found: Found[] = []
  for (let at = 0; at < fields.length; ) {
    const [, oldMode = '', mode, oldOid = '', letter] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/.exec(fields[at++] ?? '') ?? []
    const path = fields[at++]
    if (letter === undefined || mode === undefined || path === undefined) break
    const old = letter === 'A' ? {} : { old: { mode: oldMode, oid: oldOid } }
    if (letter !== 'R') {
      found.push({ path, letter, mode, ...old, ...(letter === 'M' && oldMode === mode && { before: oldOid }) })
      continue
    }
    const target = fields[at++]
    if (target !== undefined) found.push({ path: target, from: path, letter, mode, ...old })
  }
  return { found, truncated: cut }
}

function isPlainChange(one: Found): one is Found & { before: string } {
  return one.before !== undefined && one.mode.startsWith('100')
}

/** In a sparse checkout: what was committed where no files are laid out is what the index says. */
function beyondSight(one: Found, tracked: Map<string, Tracked>): Found {
  const entry = tracked.get(one.path)
  return entry?.skipped && one.letter !== 'D' ? { ...one, oid: entry.oid } : one
}

/** A repository that lies there and belongs to nobody. */
function nestedAt(path: string): Found {
  return { path, letter: 'A', mode: '160000' }
}

const STATUSES: Record<string, Change['status']> = { A: 'added', D: 'deleted', R: 'renamed' }

function toChange({ path, letter, from }: Found): Change {
  return { path, status: STATUSES[letter] ?? 'modified', ...(from !== undefined && { from }) }
}

function byPath(a: Found, b: Found): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
}

/**
 * The changed files are copied out first, by a way that follows no link, and compared as copies: what a program swaps in
 * meanwhile cannot bring anything from outside into the text. Of the base only what changed takes part.
 */
async function compareCopies(
  overlay: Overlay,
  { found, attributeFiles }: Survey,
  maxBytes: number,
  args: readonly string[],
  outputBytes: number,
) {
  const tree = join(overlay.dir, 'tree')
  await mkdir(tree)
  const { objectFormat } = overlay.checkout
  using copies = await copyOut(overlay.checkout.path, tree, found, maxBytes)
  const shown = found.slice(0, copies.reached)
  // Of the folder's own attributes only those count that lie beside the copies.
  for (const path of attributeFiles) copies.add(path)
  const before = shown.flatMap(({ path, from, old }) => (old ? [[from ?? path, old] as const] : []))
  const oldTree = await writeTrees(join(overlay.dir, 'objects'), objectFormat, before)
  const now = new Map<string, Item & { assumed?: boolean }>()
  for (const { path, from, old } of shown) {
    // Without a time: whatever lies there is compared by its content.
    const known = from === undefined ? old : undefined
    if (copies.made.has(path)) now.set(path, known ?? { mode: PLAIN, oid: emptyBlob(objectFormat) })
  }
  // These are taken from the index, whatever lies beside it.
  for (const [path, item] of await notInFolder(overlay, shown)) now.set(path, { ...item, assumed: true })
  const indexFile = join(overlay.dir, 'patch-index')
  await writeIndex(indexFile, objectFormat, now)
  const options = { indexFile, workTree: tree, ms: TIME_MS, maxBytes: outputBytes, cut: true }
  const compared = ['diff-index', '--find-renames', ...args, ...COMPARING, '--end-of-options', oldTree, '--']
  return { output: await overlay.run(compared, options), isWhole: shown.length === found.length }
}

async function patch(overlay: Overlay, base: string, maxBytes: number, { path, context }: Part): Promise<Diff> {
  const all = await survey(overlay, base)
  const surveyed = path === undefined ? all : { ...all, found: all.found.filter(one => one.path === path) }
  const around = context === undefined ? [] : [`--unified=${context}`]
  const args = ['-p', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', ...around]
  const { output, isWhole } = await compareCopies(overlay, surveyed, maxBytes, args, maxBytes)
  return {
    diff: output.cut ? wholeLines(output.stdout) : output.stdout.toString('utf8'),
    truncated: all.truncated || output.cut || !isWhole,
  }
}

/** Commits of nested repositories, and what a sparse checkout does not lay out. */
async function notInFolder(overlay: Overlay, shown: readonly Found[]): Promise<Map<string, Item>> {
  const entries = new Map<string, Item>()
  for (const { path, mode, letter, oid } of shown) {
    if (letter === 'D' || path.endsWith('/')) continue
    const known = mode === '160000' ? await headOfNested(overlay.checkout.path, path) : oid
    if (known !== undefined) entries.set(path, { mode, oid: known })
  }
  return entries
}

/** As many as can be shown. */
async function copyOut(root: string, tree: string, found: readonly Found[], maxBytes: number): Promise<Copies> {
  const copies = new Copies(root, tree)
  const turn = new Turn()
  let text = 0
  for (const one of found) {
    if (text > maxBytes || copies.bytes > Math.max(LARGEST_SHOWN, 8 * maxBytes)) break
    if (one.letter !== 'D' && one.mode !== '160000' && one.oid === undefined) copies.add(one.path)
    text += leastText(one)
    copies.reached++
    await turn.over()
  }
  return copies
}

/** What a change takes up in the text at the very least. */
function leastText({ path, letter, before, from }: Found): number {
  const name = Buffer.byteLength(from ?? path)
  if (path.endsWith('/')) return 0
  if (before !== undefined) return 140 + 4 * name
  return letter === 'D' || letter === 'A' ? 120 + 2 * name : 40 + 2 * name
}

class Copies {
  readonly #reader: Reader
  readonly #tree: string
  readonly #folders = new Set<string>()
  readonly made = new Set<string>()
  bytes = 0
  /** How many of the changes were looked at. */
  reached = 0

  constructor(root: string, tree: string) {
    this.#reader = new Reader(root)
    this.#tree = tree
  }

  add(path: string): void {
    if (this.made.has(path) || !this.#makeFolders(path)) return
    const content = this.#reader.read(path, LARGEST_SHOWN)
    if (content === undefined) return
    const target = join(this.#tree, path)
    if (content.kind === 'link') symlinkSync(content.target, target)
    else {
      // A stand-in for what is too large to show; the zero makes git call it binary.
      const bytes = content.bytes ?? `\0${content.size} bytes`
      writeFileSync(target, bytes, { flag: 'wx', mode: content.executable ? 0o755 : 0o644 })
      this.bytes += bytes.length
    }
    this.made.add(path)
  }

  /** False where a copy is in the way, which may be a link by now: nothing is ever written through it. */
  #makeFolders(path: string): boolean {
    if (this.#folders.has(path)) return false
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at)
      if (this.made.has(folder)) return false
      if (this.#folders.has(folder)) continue
      mkdirSync(join(this.#tree, folder))
      this.#folders.add(folder)
    }
    return true
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]()
  }
}

const PLAIN = '100644'

/** Without a time: whatever lies there is compared by its content. */
function nameEntry({ checkout }: Overlay, path: string): string {
  return `${PLAIN} ${emptyBlob(checkout.objectFormat)} 0\t${path}`
}

function emptyBlob(format: Checkout['objectFormat']): string {
  return createHash(format).update('blob 0\0').digest('hex')
}

async function indexInfo(overlay: Overlay, entries: readonly string[]): Promise<void> {
  await overlay.run(['update-index', '-z', '--index-info'], { ms: TIME_MS, stdin: joined(entries) })
}

function wholeLines(bytes: Buffer): string {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1).toString('utf8')
}

function joined(fields: readonly string[]): string {
  return fields.map(field => `${field}\0`).join('')
}
