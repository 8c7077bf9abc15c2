// Commits and refs of our own, written as git writes them. A process of git costs more than all that it would do here, and every report
// and merge needs them. In a repository that is not a plain one, git does it.
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { codeOf } from '#system/files.ts'
import type { Author, Store } from './merge.ts'
import { readSmallFile } from './small-file.ts'

export type NewCommit = { tree: string; parents: readonly string[]; message: string; author: Author; at: number }

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** Rights for others, another way of keeping refs, or settings that stand elsewhere: git knows what follows from them. */
const NOT_PLAIN = /include|sharedrepository|refstorage|partialclone|promisor/i
const LOCK_MS = 60_000

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
  // What is left of one is swept up by git, which knows it by its name.
  const draft = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`)
  try {
    await makeFolder(folder)
    await writeNew(draft, deflateSync(object), 0o444)
    await rename(draft, join(folder, oid.slice(2)))
    return oid
  } catch (error) {
    // `git gc` has removed the folder since it was empty.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A ref of our own, as git takes it: under its lock. False where git must do it. */
export async function writeOwnRef(commonDir: string, ref: string, oid: string): Promise<boolean> {
  if (!/^refs\/toryo(?:\/[\w-]+)+$/.test(ref) || !OID.test(oid) || !(await isPlain(commonDir))) return false
  const file = join(commonDir, ref)
  const lock = `${file}.lock`
  try {
    await makeFolder(dirname(file))
    await takeLock(lock, `${oid}\n`)
  } catch (error) {
    // Git holds the lock, or has just removed the folder since it was empty.
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

/** Only hubs write there, and none takes this long: an old lock was left by a hub that was killed, and no other program would ever remove it. */
async function takeLock(lock: string, content: string): Promise<void> {
  try {
    await writeNew(lock, content, 0o644)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || Date.now() - (await stat(lock)).mtimeMs < LOCK_MS) throw error
    await rm(lock, { force: true })
    await writeNew(lock, content, 0o644)
  }
}

async function isPlain(commonDir: string): Promise<boolean> {
  const config = await readSmallFile(join(commonDir, 'config'))
  return config !== '' && !NOT_PLAIN.test(config)
}

/** With the rights that git gives: the hub's own umask would keep the repository's other users out. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  // The bits above are inherited, as the one for the group.
  for (let each = folder; each.length >= first.length; each = dirname(each))
    await chmod(each, ((await stat(each)).mode & 0o7000) | 0o755)
}

/** Leaves nothing behind when it cannot be written. */
async function writeNew(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(content)
    await handle.chmod(mode)
    await handle.sync()
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
