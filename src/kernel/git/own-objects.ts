// Commits and refs of our own, written as git writes them. A process of git costs more than all that it would do here, and every report
// and merge needs them. Where a repository is not a plain one, git is asked all the same.
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { codeOf } from '#system/files.ts'
import type { Author, Store } from './merge.ts'
import { readSmallFile } from './small-file.ts'

export type NewCommit = { tree: string; parents: readonly string[]; message: string; author: Author; at: number }

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** Rights for others, another way of keeping refs, or settings that stand elsewhere: git knows what follows from them. */
const NOT_PLAIN = /include|sharedrepository|refstorage|partialclone|promisor/i

/** Its number; undefined where git must write it. On the disk when this returns, as git's own are. */
export async function writeCommit({ commonDir, objectFormat }: Store, wish: NewCommit): Promise<string | undefined> {
  const { tree, parents, message, author, at } = wish
  if (message.includes('\0') || ![tree, ...parents].every(oid => OID.test(oid)) || !(await isPlain(commonDir)))
    return undefined
  const who = `${author.name} <${author.email}> ${Math.floor(at / 1000)} +0000`
  const heads = [
    `tree ${tree}`,
    ...[...new Set(parents)].map(one => `parent ${one}`),
    `author ${who}`,
    `committer ${who}`,
  ]
  const body = Buffer.from(`${heads.join('\n')}\n\n${message}`)
  const object = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body])
  const oid = createHash(objectFormat).update(object).digest('hex')
  const folder = join(commonDir, 'objects', oid.slice(0, 2))
  await mkdir(folder, { recursive: true })
  // What is left of one is swept up by git, which knows it by its name.
  const draft = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`)
  await writeNew(draft, deflateSync(object))
  await chmod(draft, 0o444)
  await rename(draft, join(folder, oid.slice(2)))
  return oid
}

/** A ref of our own, as git takes it: under its lock. False where git must do it. */
export async function writeOwnRef(commonDir: string, ref: string, oid: string): Promise<boolean> {
  if (!/^refs\/toryo(?:\/[\w-]+)+$/.test(ref) || !OID.test(oid) || !(await isPlain(commonDir))) return false
  const file = join(commonDir, ref)
  const lock = `${file}.lock`
  await mkdir(dirname(file), { recursive: true })
  try {
    await writeNew(lock, `${oid}\n`)
  } catch (error) {
    // Git is at it, or has just removed the folder since it was empty.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false
    throw error
  }
  try {
    await rename(lock, file)
    return true
  } catch (error) {
    await rm(lock, { force: true })
    if (['EISDIR', 'ENOTEMPTY', 'ENOENT'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

async function isPlain(commonDir: string): Promise<boolean> {
  const config = await readSmallFile(join(commonDir, 'config'))
  return config !== '' && !NOT_PLAIN.test(config)
}

async function writeNew(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
