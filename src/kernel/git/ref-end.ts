// Where refs end. HEAD may be a link, and a branch may only lead to another: two names are of one branch when they end at the same.
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#system/files.ts'
import type { Git } from './git.ts'
import { GitError } from './git-error.ts'
import { readSmallFile } from './small-file.ts'

type Place = { gitDir: string; commonDir: string }

export const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** As many as git follows. */
const MOST_STEPS = 5
/** No branch, but git's sign that it keeps its refs in another way. */
const ELSEWHERE = 'refs/heads/.invalid'

/**
 * The last ref that this one leads to, by its full name; of `HEAD`, undefined where it stands on a commit alone. Throws where neither
 * git's files nor git itself say so.
 */
export async function endOf(git: Git, place: Place, name: string): Promise<string | undefined> {
  const { gitDir, commonDir } = place
  let ref = name
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const text = await refText(join(ref === 'HEAD' ? gitDir : commonDir, ref))
    if (text === 'link') throw unclear(gitDir, ref)
    const next = refIn(text)
    if (next === undefined && ref === 'HEAD' && OID.test(text ?? '')) return undefined
    // A commit, also one that is packed or still to come, or something that no git would read as one.
    if (next === undefined && ref !== 'HEAD') return ref
    // Others than branches may be a checkout's own.
    if (next === undefined || next === ELSEWHERE || !/^refs\/(?:heads|remotes)\//.test(next)) break
    ref = next
  }
  return asked(git, place, name)
}

/** What it leads to, if that is another ref. */
export function refIn(text: string | undefined): string | undefined {
  const [, ref] = /^ref:\s*(refs\/[^\s:?*[\\~^]+)$/.exec(text ?? '') ?? []
  return ref?.split('/').includes('..') ? undefined : ref
}

/** What the file of a ref says; undefined when there is none. Git follows a link by the ref that it names; any other is unclear. */
export async function refText(file: string): Promise<string | undefined> {
  const target = await readlink(file).catch(() => undefined)
  if (target !== undefined) return target.startsWith('refs/') ? `ref: ${target}` : 'link'
  const info = await lstat(file).catch((error: unknown) => codeOf(error))
  if (info === 'ENOENT' || (typeof info === 'object' && info.isDirectory())) return undefined
  // Where git keeps them in a table, a file stands in the place of the folder.
  if (info === 'ENOTDIR') return `ref: ${ELSEWHERE}`
  // Git would wait for what comes out of a pipe.
  if (typeof info === 'object' && !info.isFile()) return 'link'
  return (await readSmallFile(file)).trim()
}

async function asked(git: Git, { gitDir }: Place, name: string): Promise<string | undefined> {
  const { stdout, code } = await git.run(['symbolic-ref', '--quiet', name], { gitDir, codes: [0, 1, 128] })
  const ref = stdout.toString('utf8').trim()
  if (code === 0 && ref.startsWith('refs/') && ref !== ELSEWHERE) return ref
  if (code === 1) return name === 'HEAD' ? undefined : name
  throw unclear(gitDir, name)
}

function unclear(gitDir: string, ref: string): GitError {
  return new GitError('bad-head', `it cannot be told which branch ${ref} stands for`, gitDir)
}
