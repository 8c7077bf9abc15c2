// Finds what is different in the folder of a checkout: committed or not, staged or not, tracked or not. Reads no more files than it must.
import { copyFile, lstat, rm, stat, utimes } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Turn } from '#system/turn.ts'
import { closedIn, Present } from './folder-state.ts'
import { sameAsPointers } from './lfs.ts'
import type { Checkout, Overlay } from './overlay.ts'
import { fieldsOf, fileAt } from './path-text.ts'
import type { Item } from './raw-objects.ts'

export const NAMES_BYTES = 64 * 1024 * 1024
export const TIME_MS = 300_000
export const COMPARING = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--no-color']
export const PLAIN = '100644'

export type Found = {
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

export type Survey = Compared & { attributeFiles: string[] }

/**
 * What is different in the folder. The checkout's own index knows which files are as they were when they were written, so that they
 * need not be read again; flags that would hide a change are not taken over.
 */
export async function survey(overlay: Overlay, base: string): Promise<Survey> {
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
  /** Entries to be put in place of what hides a change: files said to be unchanged or skipped, and those with a conflict. */
  doubtful: string[]
  /** What git does not know, and does not ignore. With a slash at the end: it is not known what lies there. */
  loose: string[]
  cut: boolean
}

async function listAll(overlay: Overlay): Promise<Listed> {
  const args = ['ls-files', '-z', '-v', '--stage', '--cached', '--others', '--exclude-standard']
  const { stdout, stderr, cut } = await overlay.run(args, { maxBytes: NAMES_BYTES, cut: true, ms: TIME_MS })
  const turn = new Turn()
  const tracked = new Map<string, Tracked>()
  const doubtful = new Map<string, string>()
  const loose = closedIn(stderr)
  const present = new Present(overlay.checkout.path)
  for (const field of fieldsOf(stdout, cut)) {
    await turn.over()
    if (field.startsWith('? ')) {
      loose.push(field.slice(2))
      continue
    }
    const [, tag = '', mode, oid, stage, path] = /^(\S) (\d{6}) ([0-9a-f]+) (\d)\t(.*)$/s.exec(field) ?? []
    if (path === undefined || mode === undefined || oid === undefined) continue
    const isThere = tag.toUpperCase() === 'S' && present.has(path)
    tracked.set(path, { mode, oid, skipped: tag.toUpperCase() === 'S' && !isThere })
    if (stage !== '0') doubtful.set(path, nameEntry(overlay, path))
    else if (isThere || (tag !== tag.toUpperCase() && tag !== 's')) doubtful.set(path, `${mode} ${oid} 0\t${path}`)
  }
  return { tracked, doubtful: [...doubtful.values()], loose, cut }
}

/** Those that are still in the folder. */
async function present(overlay: Overlay, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths)
    if (await lstat(fileAt(overlay.checkout.path, path)).catch(() => undefined)) found.push(path)
  return found
}

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

/** A repository inside the folder that git does not track, or a folder that may not be read. */
function nestedAt(path: string): Found {
  return { path, letter: 'A', mode: '160000' }
}

function byPath(a: Found, b: Found): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
}

/** Without a time: whatever lies there is compared by its content. */
function nameEntry({ checkout }: Overlay, path: string): string {
  return `${PLAIN} ${emptyBlob(checkout.objectFormat)} 0\t${path}`
}

export function emptyBlob(format: Checkout['objectFormat']): string {
  return createHash(format).update('blob 0\0').digest('hex')
}

async function indexInfo(overlay: Overlay, entries: readonly string[]): Promise<void> {
  await overlay.run(['update-index', '-z', '--index-info'], { ms: TIME_MS, stdin: joined(entries) })
}

function joined(fields: readonly string[]): string {
  return fields.map(field => `${field}\0`).join('')
}
