// Compares the changed files of a checkout with a commit, as copies: what another program swaps into the folder meanwhile brings nothing
// from outside into the text.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Turn } from '#system/turn.ts'
import { Reader } from './inside.ts'
import { headOfNested } from './nested.ts'
import type { Overlay } from './overlay.ts'
import { fileAt } from './path-text.ts'
import { type Item, writeIndex, writeTrees } from './raw-objects.ts'
import { COMPARING, emptyBlob, type Found, PLAIN, type Survey, TIME_MS } from './survey.ts'

/** Files that are larger are shown as binary ones are. */
const LARGEST_SHOWN = 16 * 1024 * 1024

/**
 * The changed files are copied out first, by a way that follows no link, and compared as copies: what a program swaps in
 * meanwhile cannot bring anything from outside into the text. Of the base only what changed takes part.
 */
export async function compareCopies(
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
    const target = fileAt(this.#tree, path)
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
      mkdirSync(fileAt(this.#tree, folder))
      this.#folders.add(folder)
    }
    return true
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]()
  }
}
