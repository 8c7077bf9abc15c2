// Files that a line of commits brought and that its end may not show any more: a reader of the commits gets them, too.
import { Turn } from '#system/turn.ts'
import { GitError } from './git-error.ts'
import type { Overlay } from './overlay.ts'

export type PastFile = {
  path: string
  /** Of its largest version. */
  bytes: number
  /** Its versions. */
  blobs: { oid: string; bytes: number }[]
}

const COMMITS_BYTES = 4 * 1024 * 1024
const NAMES_BYTES = 64 * 1024 * 1024
const TIME_MS = 60_000
/** In all: what is beyond is too much to read. */
const TEXTS_BYTES = 64 * 1024 * 1024
/** Files are looked through in parts, so that a large one holds up nothing. What is looked for may lie across two. */
export const PART_BYTES = 256 * 1024
export const OVERLAP_BYTES = 4096

const CHANGES = ['diff-tree', '--stdin', '--no-commit-id', '-r', '-m', '--root', '-z', '--raw', '--no-abbrev']
const NEW = /^:\d{6} (?:100|120)\d{3} [0-9a-f]+ ([0-9a-f]+) [A-Z]$/

/** What is in some commit of `head` that `base` has not, at a path that `base` has not. Undefined when it is too much to look at. */
export async function pastFiles(overlay: Overlay, base: string, head: string): Promise<PastFile[] | undefined> {
  if (base === head) return []
  try {
    const found = await versions(overlay, base, head)
    if (found.size === 0) return []
    const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', base]
    const { fields } = await overlay.fields(args, { maxBytes: 4 * NAMES_BYTES, ms: TIME_MS })
    for (const path of fields) found.delete(path)
    const sizes = await sizesOf(overlay, new Set([...found.values()].flatMap(blobs => [...blobs])))
    return [...found].sort(byPath).map(([path, oids]) => {
      const blobs = [...oids].map(oid => ({ oid, bytes: sizes.get(oid) ?? 0 }))
      return { path, bytes: blobs.reduce((most, { bytes }) => Math.max(most, bytes), 0), blobs }
    })
  } catch (error) {
    if (error instanceof GitError && (error.problem === 'too-much' || error.problem === 'time')) return undefined
    throw error
  }
}

/** The blobs that lay at each path. A merge is compared with each of its parents. */
async function versions(overlay: Overlay, base: string, head: string): Promise<Map<string, Set<string>>> {
  const range = ['rev-list', '--end-of-options', head, `^${base}`]
  const { stdout } = await overlay.run(range, { maxBytes: COMMITS_BYTES, ms: TIME_MS })
  const found = new Map<string, Set<string>>()
  if (stdout.length === 0) return found
  const args = [...CHANGES, '--no-renames', '--diff-filter=AMT']
  const { fields } = await overlay.fields(args, { stdin: stdout, maxBytes: NAMES_BYTES, ms: TIME_MS })
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, blob] = NEW.exec(fields[at] as string) ?? []
    const path = fields[at + 1] as string
    if (blob !== undefined) found.set(path, (found.get(path) ?? new Set()).add(blob))
  }
  return found
}

/** Of blobs. */
export async function sizesOf(overlay: Overlay, blobs: ReadonlySet<string>): Promise<Map<string, number>> {
  if (blobs.size === 0) return new Map()
  const stdin = [...blobs].map(blob => `${blob}\n`).join('')
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)']
  const { stdout } = await overlay.run(args, { stdin, maxBytes: NAMES_BYTES, ms: TIME_MS })
  const lines = stdout.toString('latin1').split('\n')
  return new Map(lines.map(line => [line.slice(0, line.indexOf(' ')), Number(line.slice(line.indexOf(' ') + 1)) || 0]))
}

/** Those with a version of which a part `isHeld`, which has a character for each byte. Undefined when that is too much to read. */
export async function pastTexts(
  overlay: Overlay,
  files: readonly PastFile[],
  isHeld: (path: string, text: string) => boolean,
): Promise<Set<string> | undefined> {
  const versions = files.flatMap(({ path, blobs }) => blobs.map(blob => ({ path, ...blob })))
  const all = versions.filter(({ bytes }) => bytes > 0)
  const sum = all.reduce((total, { bytes }) => total + bytes, 0)
  if (sum > TEXTS_BYTES) return undefined
  const held = new Set<string>()
  const stdin = all.map(({ oid }) => `${oid}\n`).join('')
  const maxBytes = sum + 100 * (all.length + 1)
  const { stdout } = await overlay.run(['cat-file', '--batch=%(objectsize)'], { stdin, maxBytes, ms: TIME_MS })
  const turn = new Turn()
  let start = 0
  for (const { path, bytes } of all) {
    start = stdout.indexOf('\n', start) + 1
    const text = stdout.subarray(start, start + bytes)
    start += bytes + 1
    for (let at = 0; at === 0 || at + OVERLAP_BYTES < bytes; at += PART_BYTES - OVERLAP_BYTES) {
      if (isHeld(path, text.toString('latin1', at, at + PART_BYTES))) held.add(path)
      await turn.over()
    }
  }
  return held
}

function byPath([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}
