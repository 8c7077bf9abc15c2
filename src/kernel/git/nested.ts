// Repositories inside of a checkout: submodules, and those that simply lie there. Read as files; git is never run in them here.
import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { linkedDir } from './repository.ts'
import { openInside } from './inside.ts'
import { OID, refIn, refText } from './ref-end.ts'
import { readSmallFile } from './small-file.ts'

/** Where there are many refs. */
const PACKED_BYTES = 16 * 1024 * 1024

/** The commit that a nested repository stands on. */
export async function headOfNested(root: string, path: string): Promise<string | undefined> {
  const gitDir = await nestedGitDir(root, path)
  if (gitDir === undefined) return undefined
  return commitInFiles(gitDir, gitDir)
}

/** Of HEAD, as far as git's files say so; undefined also where the repository keeps its refs in another way. */
export async function commitInFiles(gitDir: string, commonDir: string): Promise<string | undefined> {
  return (await headInFiles(gitDir, commonDir))?.commit
}

/** The same, and the branch that is checked out. */
export async function headInFiles(
  gitDir: string,
  commonDir: string,
): Promise<{ branch: string | undefined; commit: string } | undefined> {
  const head = await refText(join(gitDir, 'HEAD'))
  if (head !== undefined && OID.test(head)) return { branch: undefined, commit: head }
  const ref = refIn(head)
  const commit = ref === undefined ? undefined : await refInFiles(commonDir, ref)
  if (ref === undefined || commit === undefined) return undefined
  return { branch: ref.startsWith('refs/heads/') ? ref.slice(11) : undefined, commit }
}

/** The same of a branch, here or of a remote, by its full name. */
export async function refInFiles(commonDir: string, ref: string): Promise<string | undefined> {
  if (ref.split('/').includes('..')) return undefined
  // Tags may point to another object, and some refs are a checkout's own.
  if (!/^refs\/(?:heads|remotes)\//.test(ref)) return undefined
  const file = join(commonDir, ref)
  const loose = (await readSmallFile(file)).trim()
  if (OID.test(loose)) return loose
  // One that points to another, or is damaged, is git's to judge: what was packed is what it was before.
  const info = await lstat(file).catch(() => undefined)
  if (info && !info.isDirectory()) return undefined
  const packed = await readSmallFile(join(commonDir, 'packed-refs'), PACKED_BYTES)
  const line = packed.split('\n').find(one => one.endsWith(` ${ref}`))
  const oid = line?.slice(0, line.indexOf(' '))
  return oid !== undefined && OID.test(oid) ? oid : undefined
}

async function nestedGitDir(root: string, path: string): Promise<string | undefined> {
  const entry = await openInside(root, `${path.replace(/\/+$/, '')}/.git`)
  if (entry?.kind === 'file') await entry.handle.close()
  if (!entry || entry.kind === 'link') return undefined
  const dotGit = join(root, path, '.git')
  return realpath(entry.kind === 'file' ? await linkedDir(dotGit) : dotGit).catch(() => undefined)
}
