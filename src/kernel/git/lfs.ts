// Large files that git keeps as pointers (git-lfs). The program git-lfs is never run: what is here already is recognised and
// put into place by its own hash.
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#system/files.ts'
import { openInside } from './inside.ts'
import type { Overlay } from './overlay.ts'
import { fileAt } from './path-text.ts'

type Pointer = { oid: string; size: number }

const POINTER_BYTES = 1024
const BATCH_BYTES = 64 * 1024 * 1024

export async function sameAsPointers(
  overlay: Overlay,
  commonDir: string,
  changed: readonly { path: string; before: string }[],
): Promise<Set<string>> {
  const same = new Set<string>()
  if (changed.length === 0 || !(await stat(join(commonDir, 'lfs')).catch(() => undefined))) return same
  const pointers = await pointersAmong(overlay, [...new Set(changed.map(({ before }) => before))])
  for (const { path, before } of changed) {
    const pointer = pointers.get(before)
    if (pointer && (await holds(overlay.checkout.path, path, pointer))) same.add(path)
  }
  return same
}

/** Replaces pointers in a fresh checkout by the files they refer to, as far as this machine has them. */
export async function placeObjects(overlay: Overlay, commonDir: string): Promise<{ placed: number; missing: number }> {
  const store = join(commonDir, 'lfs', 'objects')
  const report = { placed: 0, missing: 0 }
  for (const path of await lfsPaths(overlay)) {
    const pointer = await pointerAt(overlay.checkout.path, path)
    if (!pointer) continue
    const object = join(store, pointer.oid.slice(0, 2), pointer.oid.slice(2, 4), pointer.oid)
    if (await place(overlay, object, path, pointer)) report.placed++
    else report.missing++
  }
  return report
}

/** The names of the drivers that this checkout would have used, besides git-lfs. They were not run. */
export async function driversAsked(overlay: Overlay, indexFile: string): Promise<string[]> {
  const names = new Set((await attributes(overlay, indexFile)).map(({ value }) => value))
  names.delete('lfs')
  return [...names].sort()
}

/** Of these files below a folder: the drivers that would convert them before git stores them. */
export async function filtersOf(
  overlay: Overlay,
  workTree: string,
  paths: readonly string[],
): Promise<{ path: string; value: string }[]> {
  const stdin = paths.map(path => `${path}\0`).join('')
  if (stdin === '') return []
  const args = ['check-attr', '-z', '--stdin', 'filter']
  const { fields } = await overlay.fields(args, { workTree, stdin, maxBytes: 2 * BATCH_BYTES })
  return driversIn(fields)
}

/** Puts pointers in the place of large files, and their content into the store: what git-lfs would do. */
export async function asPointers(root: string, paths: readonly string[], store: string | undefined): Promise<void> {
  for (const path of paths) {
    const file = fileAt(root, path)
    const info = await lstat(file).catch(() => undefined)
    // An empty file stays one, as with git-lfs.
    if (!info?.isFile() || info.size === 0 || (await pointerAt(root, path))) continue
    const oid = await hashOf(file)
    if (store !== undefined) await keepObject(file, store, oid)
    await writeFile(file, `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${info.size}\n`)
  }
}

async function keepObject(file: string | Buffer, store: string, oid: string): Promise<void> {
  const folder = join(store, oid.slice(0, 2), oid.slice(2, 4))
  if (await stat(join(folder, oid)).catch(() => undefined)) return
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${oid}.toryo-${process.pid}`)
  await copyFile(file, draft, constants.COPYFILE_FICLONE)
  await rename(draft, join(folder, oid))
}

async function hashOf(file: string | Buffer): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function lfsPaths(overlay: Overlay): Promise<string[]> {
  const found = await attributes(overlay, join(overlay.checkout.gitDir, 'index'))
  return found.filter(({ value }) => value === 'lfs').map(({ path }) => path)
}

async function attributes(overlay: Overlay, indexFile: string): Promise<{ path: string; value: string }[]> {
  const { stdout } = await overlay.run(['ls-files', '-z'], { indexFile, maxBytes: BATCH_BYTES })
  if (stdout.length === 0) return []
  const args = ['check-attr', '-z', '--stdin', 'filter']
  const { fields } = await overlay.fields(args, { indexFile, stdin: stdout, maxBytes: 2 * BATCH_BYTES })
  return driversIn(fields)
}

function driversIn(fields: readonly string[]): { path: string; value: string }[] {
  const found: { path: string; value: string }[] = []
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2] as string
    if (value !== 'unspecified' && value !== 'unset' && value !== 'set')
      found.push({ path: fields[at] as string, value })
  }
  return found
}

async function place(overlay: Overlay, object: string, path: string, pointer: Pointer): Promise<boolean> {
  const info = await stat(object).catch(() => undefined)
  if (!info?.isFile() || info.size !== pointer.size) return false
  const draft = join(overlay.dir, 'lfs-object')
  try {
    await copyFile(object, draft, constants.COPYFILE_FICLONE)
    if (!(await holds(overlay.dir, 'lfs-object', pointer))) return false
    const entry = await openInside(overlay.checkout.path, path)
    if (entry?.kind !== 'file') return false
    await entry.handle.close()
    await rename(draft, fileAt(overlay.checkout.path, path))
    return true
  } catch (error) {
    // On another file system than ours: the pointer stays, and git-lfs itself can fetch it.
    if (codeOf(error) === 'EXDEV') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function pointersAmong(overlay: Overlay, oids: readonly string[]): Promise<Map<string, Pointer>> {
  const list = await overlay.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    stdin: oids.map(oid => `${oid}\n`).join(''),
    maxBytes: BATCH_BYTES,
  })
  const small = list.stdout
    .toString('latin1')
    .split('\n')
    .map(line => line.split(' '))
    .filter(([, size]) => Number(size) > 0 && Number(size) < POINTER_BYTES)
    .map(([oid]) => oid as string)
  const found = new Map<string, Pointer>()
  if (small.length === 0) return found
  const { stdout } = await overlay.run(['cat-file', '--batch'], {
    stdin: small.map(oid => `${oid}\n`).join(''),
    maxBytes: BATCH_BYTES,
  })
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0x0a, at)
    const [oid = '', , size] = stdout.subarray(at, end).toString('latin1').split(' ')
    const content = stdout.subarray(end + 1, end + 1 + Number(size))
    const pointer = readPointer(content.toString('utf8'))
    if (pointer) found.set(oid, pointer)
    at = end + 1 + Number(size) + 1
  }
  return found
}

async function pointerAt(root: string, path: string): Promise<Pointer | undefined> {
  const entry = await openInside(root, path)
  if (entry?.kind !== 'file') return undefined
  try {
    if (entry.size >= POINTER_BYTES) return undefined
    return readPointer(await entry.handle.readFile('utf8'))
  } finally {
    await entry.handle.close()
  }
}

function readPointer(text: string): Pointer | undefined {
  const [, oid, size] =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n$/.exec(
      text,
    ) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}

async function holds(root: string, path: string, { oid, size }: Pointer): Promise<boolean> {
  const entry = await openInside(root, path)
  if (entry?.kind !== 'file') return false
  try {
    if (entry.size !== size) return false
    const hash = createHash('sha256')
    for await (const chunk of entry.handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer)
    return hash.digest('hex') === oid
  } finally {
    await entry.handle.close()
  }
}
