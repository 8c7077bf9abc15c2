// Writes what git would need a process of its own for: an index and the trees of a few files, in git's formats, into a gitdir of
// our own.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { Turn } from '#system/turn.ts'
import { bytesOf } from './path-text.ts'

type Format = 'sha1' | 'sha256'
/** What a path is: the mode as git writes it, and the object's number. */
export type Item = { mode: string; oid: string }

const STAT_BYTES = 40
const ASSUME_VALID = 0x8000
const LONGEST = 0xfff

/** Entries without times and sizes, so that git compares contents; `assumed` ones are taken for what the index says. */
export async function writeIndex(
  file: string,
  format: Format,
  entries: ReadonlyMap<string, Item & { assumed?: boolean }>,
): Promise<void> {
  const turn = new Turn()
  const header = Buffer.alloc(12)
  header.write('DIRC', 'latin1')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(entries.size, 8)
  const parts = [header]
  const sorted = [...entries].map(([path, entry]) => ({ name: bytesOf(path), entry }))
  for (const { name, entry } of sorted.sort((a, b) => Buffer.compare(a.name, b.name))) {
    const oid = Buffer.from(entry.oid, 'hex')
    const length = STAT_BYTES + oid.length + 2 + name.length
    // At least one zero at the end, up to a multiple of eight.
    const bytes = Buffer.alloc(length + 8 - (length % 8))
    bytes.writeUInt32BE(Number.parseInt(entry.mode, 8), 24)
    oid.copy(bytes, STAT_BYTES)
    bytes.writeUInt16BE(Math.min(name.length, LONGEST) | (entry.assumed ? ASSUME_VALID : 0), STAT_BYTES + oid.length)
    name.copy(bytes, STAT_BYTES + oid.length + 2)
    parts.push(bytes)
    await turn.over()
  }
  const content = Buffer.concat(parts)
  await writeFile(file, Buffer.concat([content, createHash(format).update(content).digest()]))
}

type Folder = Map<string, Item | Folder>

/** The number of the tree that holds exactly these, which is written into `objects` with all its subtrees. */
export async function writeTrees(
  objects: string,
  format: Format,
  entries: Iterable<readonly [string, Item]>,
): Promise<string> {
  const root: Folder = new Map()
  for (const [path, item] of entries) {
    const parts = path.split('/')
    const leaf = parts.pop() as string
    let folder = root
    for (const part of parts) {
      const next = folder.get(part)
      if (next instanceof Map) folder = next
      else folder.set(part, (folder = new Map()))
    }
    folder.set(leaf, item)
  }
  return writeTree(objects, format, root, new Turn())
}

async function writeTree(objects: string, format: Format, folder: Folder, turn: Turn): Promise<string> {
  const lines: { key: Buffer; bytes: Buffer }[] = []
  for (const [name, item] of folder) {
    const isFolder = item instanceof Map
    const { mode, oid } = isFolder ? { mode: '40000', oid: await writeTree(objects, format, item, turn) } : item
    const bytes = Buffer.concat([bytesOf(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])
    // Git sorts folders as if their names ended with a slash.
    lines.push({ key: bytesOf(isFolder ? `${name}/` : name), bytes })
  }
  lines.sort((a, b) => Buffer.compare(a.key, b.key))
  const body = Buffer.concat(lines.map(({ bytes }) => bytes))
  const object = Buffer.concat([Buffer.from(`tree ${body.length}\0`), body])
  const oid = createHash(format).update(object).digest('hex')
  const file = join(objects, oid.slice(0, 2), oid.slice(2))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, deflateSync(object))
  await turn.over()
  return oid
}
