// What git has laid out from its blobs, looked at again: where a disk was full for a moment, a file may be cut short without a word.
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { GitError } from './git-error.ts'
import type { Touched } from './merge.ts'
import type { Overlay } from './overlay.ts'
import { fileAt } from './path-text.ts'
import { sizesOf } from './past-files.ts'
import { COMPARING, NAMES_BYTES, TIME_MS } from './survey.ts'

type Place = { indexFile: string; tree: string }
type File = { path: string; oid: string }

const CHECKOUT_MS = 30 * 60_000

/** Lays the new files out in the empty folder `tree`, each of them whole. Answers those that a sparse checkout does not have. */
export async function layOut(overlay: Overlay, place: Place, touched: readonly Touched[]): Promise<Set<string>> {
  const files = touched.flatMap(({ path, now }) => (now && now.mode !== '160000' ? [{ path, oid: now.oid }] : []))
  const { code } = await checkoutIndex(overlay, place, files, [0, 1])
  const away = await skipped(overlay, place, files)
  const here = files.filter(({ path }) => !away.has(path))
  // Those that are not laid out are said to be missing, and are. Nothing else may be said.
  if (code !== 0) await checkoutIndex(overlay, place, here, [0])
  await mustBeWhole(overlay, place, here)
  return away
}

function checkoutIndex(overlay: Overlay, { indexFile, tree }: Place, files: readonly File[], codes: readonly number[]) {
  const stdin = files.map(({ path }) => `${path}\0`).join('')
  const args = ['checkout-index', '-q', '-f', '-z', '--stdin']
  return overlay.run(args, { indexFile, workTree: tree, stdin, codes, ms: CHECKOUT_MS, maxBytes: 1024 * 1024 })
}

/** What is not in the index as a file that is laid out. */
async function skipped(overlay: Overlay, { indexFile, tree }: Place, files: readonly File[]): Promise<Set<string>> {
  const missing = files.filter(({ path }) => !lstatSync(fileAt(tree, path), { throwIfNoEntry: false }))
  if (missing.length === 0) return new Set()
  const { fields } = await overlay.fields(['ls-files', '-z', '-t'], { indexFile, maxBytes: 256 * 1024 * 1024 })
  const away = new Set(fields.filter(field => field.startsWith('S ')).map(field => field.slice(2)))
  const lost = missing.find(({ path }) => !away.has(path))
  if (lost) throw notWhole(lost.path)
  return away
}

/** Throws where what lies there is not the whole of its blob. */
async function mustBeWhole(overlay: Overlay, { indexFile, tree }: Place, files: readonly File[]): Promise<void> {
  const other: File[] = []
  for (const one of files) if ((await blobOf(overlay, fileAt(tree, one.path))) !== one.oid) other.push(one)
  if (other.length === 0) return
  // Line ends and the like were converted on the way: as git would store them they are the same again.
  const args = ['diff', '-z', '--name-only', '--diff-filter=d', '--no-renames', ...COMPARING]
  const { fields } = await overlay.fields(args, { indexFile, workTree: tree, maxBytes: NAMES_BYTES, ms: TIME_MS })
  const differs = new Set(fields)
  // Stored in a form that git itself would not store, it differs whenever it is laid out; what is converted only grows.
  const doubtful = other.filter(({ path }) => differs.has(path))
  const sizes = await sizesOf(overlay, new Set(doubtful.map(({ oid }) => oid)))
  for (const { path, oid } of doubtful) {
    const { size } = await lstat(fileAt(tree, path))
    if (size < (sizes.get(oid) ?? 0)) throw notWhole(path)
  }
}

function notWhole(path: string): GitError {
  return new GitError('failed', `${path} could not be written whole. Is the disk full?`, path)
}

async function blobOf({ checkout }: Overlay, file: string | Buffer): Promise<string> {
  const info = await lstat(file)
  const hash = createHash(checkout.objectFormat)
  if (info.isSymbolicLink()) {
    const target = await readlink(file, { encoding: 'buffer' })
    return hash.update(`blob ${target.length}\0`).update(target).digest('hex')
  }
  hash.update(`blob ${info.size}\0`)
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
