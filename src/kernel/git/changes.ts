// What differs between a commit and the files of a checkout: committed or not, staged or not, tracked or not.
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { copyFile, lstat, mkdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { Turn } from '../processes/table.ts'
import { Reader } from './inside.ts'
import { sameAsPointers } from './lfs.ts'
import { type Checkout, type Overlay, type OverlayRun, withOverlay } from './overlay.ts'
import { headOfNested } from './nested.ts'

export type Change = {
  path: string
  status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** The path it had before. */
  from?: string
}

export type Changes = { files: Change[]; truncated: boolean }
export type Diff = { diff: string; truncated: boolean }

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

export function diff(
  git: Git,
  checkout: Checkout,
  base: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Diff> {
  return withOverlay(git, checkout, overlay => patch(overlay, base, maxBytes), signal)
}

type Found = {
  path: string
  letter: string
  from?: string
  mode: string
  /** The blob that it was. */
  before?: string
  /** The blob that it is, where no file lies in the folder. */
  oid?: string
}

type Compared = { found: Found[]; truncated: boolean }

type Survey = Compared & { inBase: Map<string, Tracked>; attributeFiles: string[] }

/** Fills the overlay's index with the base and finds out what is different in the folder. */
async function survey(overlay: Overlay, base: string): Promise<Survey> {
  const { path: root, gitDir, commonDir } = overlay.checkout
  await seed(overlay, base)
  const inBase = await entries(overlay, overlay.index)
  const tracked = await entries(overlay, join(gitDir, 'index')).catch(() => new Map<string, Tracked>())
  const loose = await overlay.fields(['ls-files', '-z', '--others', '--exclude-standard'], {
    maxBytes: NAMES_BYTES,
    cut: true,
    ms: TIME_MS,
  })
  const nested = loose.fields.filter(path => path.endsWith('/'))
  const extra = loose.fields.filter(path => !path.endsWith('/'))
  // What was added although it is ignored.
  for (const [path, { skipped }] of tracked)
    if (!skipped && !inBase.has(path) && (await lstat(join(root, path)).catch(() => undefined))) extra.push(path)
  const names = [...new Set(extra)]
  await indexInfo(
    overlay,
    names.map(path => nameEntry(overlay, path)),
  )
  const raw = await compare(overlay, base)
  const pointers = await sameAsPointers(overlay, commonDir, raw.found.filter(isPlainChange))
  const found = raw.found.filter(one => !pointers.has(one.path) && !tracked.get(one.path)?.skipped)
  return {
    found: [...found, ...beyondSight(tracked, inBase), ...nested.map(nestedAt)].sort(byPath),
    truncated: raw.truncated || loose.cut,
    inBase,
    attributeFiles: [...inBase.keys(), ...names].filter(path => /(?:^|\/)\.gitattributes$/.test(path)),
  }
}

/**
 * The checkout's own index knows which files are as they were when they were written, so that they need not be read again.
 * Flags that would hide a change are not taken over.
 */
async function seed(overlay: Overlay, base: string): Promise<void> {
  const options = { ms: TIME_MS }
  const own = join(overlay.checkout.gitDir, 'index')
  const copied = await copyIndex(own, overlay.index)
  const readTree = ['read-tree', '--reset', '--end-of-options', base]
  if (copied) {
    try {
      await unhide(overlay)
      await overlay.run(readTree, options)
    } catch {
      // Damaged, or newer than this git: every file is read instead.
      await overlay.run(['read-tree', '--empty'], options)
      await overlay.run(readTree, options)
    }
  } else await overlay.run(readTree, options)
  await overlay.run(['update-index', '-q', '--refresh'], { ...options, codes: [0, 1] })
}

/**
 * With its time: git looks again at files that were written in the same second as the index, and would take a later one for
 * the proof that they have not changed since.
 */
async function copyIndex(from: string, to: string): Promise<boolean> {
  const info = await stat(from).catch(() => undefined)
  if (!info?.isFile()) return false
  await copyFile(from, to)
  const written = Math.floor(info.mtimeMs / 1000)
  await utimes(to, written, written)
  return true
}

async function unhide(overlay: Overlay): Promise<void> {
  const { fields } = await overlay.fields(['ls-files', '-z', '-v'], { maxBytes: NAMES_BYTES, ms: TIME_MS })
  const hidden = (test: (tag: string) => boolean) =>
    fields.filter(field => test(field[0] ?? '')).map(field => field.slice(2))
  const assumed = hidden(tag => tag !== tag.toUpperCase())
  const skipped = hidden(tag => tag.toUpperCase() === 'S')
  await update(overlay, ['--no-assume-unchanged', '-z', '--stdin'], assumed)
  await update(overlay, ['--no-skip-worktree', '-z', '--stdin'], skipped)
}

type Tracked = { mode: string; oid: string; skipped: boolean }

async function entries(overlay: Overlay, indexFile: string): Promise<Map<string, Tracked>> {
  const args = ['ls-files', '-z', '-t', '--stage', '--cached']
  const { fields } = await overlay.fields(args, { indexFile, maxBytes: NAMES_BYTES, ms: TIME_MS })
  const found = new Map<string, Tracked>()
  for (const field of fields) {
    const [, tag, mode, oid, path] = /^(?:(\S) )?(\d{6}) ([0-9a-f]+) \d\t(.*)$/s.exec(field) ?? []
    if (path !== undefined && mode !== undefined && oid !== undefined)
      found.set(path, { mode, oid, skipped: tag === 'S' })
  }
  return found
}

const COMPARING = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--no-color']

async function compare(overlay: Overlay, base: string): Promise<Compared> {
  const run = (renames: string) =>
    overlay.fields(['diff-index', '-z', '--raw', '--no-abbrev', renames, ...COMPARING, '--end-of-options', base], {
      maxBytes: NAMES_BYTES,
      cut: true,
      ms: TIME_MS,
    })
  // In a partial clone the contents of old files may be missing, which renames are found by.
  const { fields, cut } = await run('--find-renames').catch(() => run('--no-renames'))
  const found: Found[] = []
  for (let at = 0; at < fields.length; ) {
    const [, oldMode, mode, oldOid, letter] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/.exec(fields[at++] ?? '') ?? []
    const path = fields[at++]
    if (letter === undefined || mode === undefined || path === undefined) break
    if (letter !== 'R') {
      found.push({ path, letter, mode, ...(letter === 'M' && oldMode === mode && { before: oldOid as string }) })
      continue
    }
    const target = fields[at++]
    if (target !== undefined) found.push({ path: target, from: path, letter, mode })
  }
  return { found, truncated: cut }
}

function isPlainChange(one: Found): one is Found & { before: string } {
  return one.before !== undefined && one.mode.startsWith('100')
}

/** In a sparse checkout: what was committed where no files are laid out. */
function beyondSight(tracked: Map<string, Tracked>, inBase: Map<string, Tracked>): Found[] {
  const found: Found[] = []
  for (const [path, { mode, oid, skipped }] of tracked) {
    if (!skipped) continue
    const before = inBase.get(path)
    if (before?.oid === oid && before.mode === mode) continue
    found.push({ path, letter: before ? 'M' : 'A', mode, oid })
  }
  return found
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
async function patch(overlay: Overlay, base: string, maxBytes: number): Promise<Diff> {
  const { found, inBase, attributeFiles, truncated } = await survey(overlay, base)
  const tree = join(overlay.dir, 'tree')
  await mkdir(tree)
  const options = { indexFile: join(overlay.dir, 'patch-index'), workTree: tree, ms: TIME_MS }
  using copies = await copyOut(overlay.checkout.path, tree, found, maxBytes)
  const shown = found.slice(0, copies.reached)
  // Of the folder's own attributes only those count that lie beside the copies.
  for (const path of attributeFiles) copies.add(path)
  await indexInfo(
    overlay,
    shown.flatMap(({ path, from }) => [...entryOf(inBase, path), ...entryOf(inBase, from)]),
    options,
  )
  const { stdout } = await overlay.run(['write-tree', '--missing-ok'], options)
  const added = shown.filter(({ path }) => copies.made.has(path) && !inBase.has(path))
  const elsewhere = await notInFolder(overlay, shown)
  await indexInfo(overlay, [...added.map(({ path }) => nameEntry(overlay, path)), ...elsewhere.values()], options)
  // These are taken from the index, whatever lies beside it.
  await update(overlay, ['--assume-unchanged', '-z', '--stdin'], [...elsewhere.keys()], options)
  const args = ['diff-index', '-p', '--find-renames', '--full-index', '--src-prefix=a/', '--dst-prefix=b/']
  const output = await overlay.run([...args, ...COMPARING, '--end-of-options', stdout.toString('latin1').trim()], {
    ...options,
    maxBytes,
    cut: true,
  })
  return {
    diff: output.cut ? wholeLines(output.stdout) : output.stdout.toString('utf8'),
    truncated: truncated || output.cut || shown.length < found.length,
  }
}

/** Commits of nested repositories, and what a sparse checkout does not lay out: path → entry. */
async function notInFolder(overlay: Overlay, shown: readonly Found[]): Promise<Map<string, string>> {
  const entries = new Map<string, string>()
  for (const { path, mode, letter, oid } of shown) {
    if (letter === 'D' || path.endsWith('/')) continue
    const known = mode === '160000' ? await headOfNested(overlay.checkout.path, path) : oid
    if (known !== undefined) entries.set(path, `${mode} ${known} 0\t${path}`)
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

function entryOf(entries: Map<string, Tracked>, path: string | undefined): string[] {
  const entry = path === undefined ? undefined : entries.get(path)
  return entry ? [`${entry.mode} ${entry.oid} 0\t${path}`] : []
}

/** Without a time: whatever lies there is compared by its content. */
function nameEntry({ checkout }: Overlay, path: string): string {
  return `100644 ${createHash(checkout.objectFormat).update('blob 0\0').digest('hex')} 0\t${path}`
}

function indexInfo(overlay: Overlay, entries: readonly string[], options: OverlayRun = {}): Promise<void> {
  return update(overlay, ['-z', '--index-info'], entries, options)
}

async function update(
  overlay: Overlay,
  args: readonly string[],
  fields: readonly string[],
  options: OverlayRun = {},
): Promise<void> {
  if (fields.length > 0)
    await overlay.run(['update-index', ...args], { ms: TIME_MS, ...options, stdin: joined(fields) })
}

function wholeLines(bytes: Buffer): string {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1).toString('utf8')
}

function joined(fields: readonly string[]): string {
  return fields.map(field => `${field}\0`).join('')
}
