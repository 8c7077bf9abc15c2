// Merges commits and compares them without any checkout. What the repository would have run for it (merge drivers, textconv,
// external diffs) does not exist here: the gitdir is our own, and only objects are the repository's.
import { join } from 'node:path'
import type { Change, Changes, Diff, Part } from './changes.ts'
import { type Conflict, conflictsIn } from './conflicts.ts'
import type { Git } from './git.ts'
import { GitError } from './git-error.ts'
import { lineCountsIn, withCounts } from './line-counts.ts'
import { writeCommit } from './own-objects.ts'
import { type Overlay, withBareOverlay } from './overlay.ts'
import { isPlain, patchText, textOf } from './path-text.ts'
import { type Item, writeTrees } from './raw-objects.ts'
import type { Repository } from './repository.ts'

export type Store = Pick<Repository, 'commonDir' | 'objectFormat'>
export type Author = { name: string; email: string }

/** The author of commits made without a person: no name is taken from a configuration. */
export const OWN_NAME: Author = { name: 'Toryo', email: 'toryo@localhost' }

const NAMES_BYTES = 64 * 1024 * 1024
const MOST_FILES = 20_000
const TIME_MS = 300_000

/** Objects of the result stay in the repository, and are collected one day if nothing refers to them. */
export function mergeTrees(
  git: Git,
  repository: Store,
  { ours, theirs }: { ours: string; theirs: string },
): Promise<{ tree: string } | { conflicts: Conflict[] }> {
  return withBareOverlay(git, repository, async overlay => {
    const args = ['merge-tree', '--write-tree', '-z', '--end-of-options', ours, theirs]
    const options = { objects: overlay.objects, codes: [0, 1], maxBytes: NAMES_BYTES, ms: TIME_MS }
    const { stdout, code } = await overlay.run(args, options)
    const fields = textOf(stdout).split('\0')
    const [tree = ''] = fields
    if (!/^[0-9a-f]{40,64}$/.test(tree)) throw new GitError('failed', 'git merge-tree named no tree')
    return code === 0 ? { tree } : { conflicts: await conflictsIn(overlay, tree, fields.slice(1)) }
  })
}

/** The author is also the committer. `at` in milliseconds. */
export async function commitTree(
  git: Git,
  repository: Store,
  wish: { tree: string; parents: readonly string[]; message: string; author?: Author; at: number },
): Promise<string> {
  const { tree, parents, message, author = OWN_NAME, at } = wish
  const own = author === OWN_NAME ? await writeCommit(repository, { tree, parents, message, author, at }) : undefined
  if (own !== undefined) return own
  // Not signed: this command signs only when it is asked to.
  const args = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '-F', '-', ...parents.flatMap(one => ['-p', one])]
  const options = { gitDir: repository.commonDir, identity: { ...author, at }, stdin: message }
  const { stdout } = await git.run([...args, tree], options)
  return stdout.toString('latin1').trim()
}

/**
 * A commit that takes back what another changed: merged into a branch that has the other, it is the revert. Kept by nothing. `before`:
 * what it was made on.
 */
export async function inverseOf(
  git: Git,
  repository: Store,
  { commit, before, at }: { commit: string; before: string; at: number },
): Promise<{ theirs: string; subject: string }> {
  const args = ['log', '-1', '--no-walk', '-z', '--format=%T%x00%s', '--end-of-options']
  const options = { gitDir: repository.commonDir }
  const [{ fields: old }, { fields: now }] = await Promise.all([
    git.fields([...args, before], options),
    git.fields([...args, commit], options),
  ])
  const [tree = ''] = old
  const theirs = await commitTree(git, repository, { tree, parents: [commit], message: 'Take it back\n', at })
  return { theirs, subject: now[1] ?? '' }
}

/** Between two commits or trees. */
export function treeChanges(git: Git, repository: Store, from: string, to: string): Promise<Changes> {
  return withBareOverlay(git, repository, async overlay => {
    const args = (renames: string) => ['diff-tree', '-r', '-z', '--name-status', renames, '--end-of-options', from, to]
    const options = { maxBytes: NAMES_BYTES, cut: true, ms: TIME_MS }
    const { fields, cut } = await overlay
      .fields(args('--find-renames'), options)
      // In a partial clone the contents of old files may be missing, which renames are found by.
      .catch(() => overlay.fields(args('--no-renames'), options))
    const files = changesIn(fields)
    return { files: files.slice(0, MOST_FILES), truncated: cut || files.length > MOST_FILES }
  })
}

const STATUSES: Record<string, Change['status']> = { A: 'added', D: 'deleted', R: 'renamed' }

function changesIn(fields: readonly string[]): Change[] {
  const files: Change[] = []
  for (let at = 0; at + 1 < fields.length; ) {
    const letter = fields[at++]?.[0] ?? ''
    const from = letter === 'R' ? fields[at++] : undefined
    const path = fields[at++]
    if (path === undefined) break
    files.push({ path, status: STATUSES[letter] ?? 'modified', ...(from !== undefined && { from }) })
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

/** With the lines of each. */
export async function countedTreeChanges(git: Git, repository: Store, from: string, to: string): Promise<Changes> {
  const [changes, counts] = await Promise.all([
    treeChanges(git, repository, from, to),
    withBareOverlay(git, repository, async overlay => {
      const args = ['diff-tree', '-r', '-z', '--numstat', '--find-renames', '--no-ext-diff', '--no-textconv']
      const options = { maxBytes: NAMES_BYTES, cut: true, ms: TIME_MS }
      return lineCountsIn((await overlay.fields([...args, '--end-of-options', from, to], options)).fields)
      // In a partial clone the contents may be missing: then the lines are not counted.
    }).catch(() => new Map()),
  ])
  return { ...changes, files: withCounts(changes.files, counts) }
}

/** `paths`: only of these. */
export function treeDiff(
  git: Git,
  repository: Store,
  from: string,
  to: string,
  maxBytes: number,
  paths: readonly string[] = [],
  { context }: Pick<Part, 'context'> = {},
): Promise<Diff> {
  return withBareOverlay(git, repository, async overlay => {
    const around = context === undefined ? [] : [`--unified=${context}`]
    const [one, other] = paths.every(isPlain) ? [from, to] : await onlyOf(overlay, from, to, paths)
    const named = paths.filter(isPlain).length < paths.length ? [] : paths
    const shape = ['--find-renames', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', ...around]
    const args = ['diff-tree', '-r', '-p', ...shape]
    const { stdout, cut } = await overlay.run(
      [...args, '--no-ext-diff', '--no-textconv', '--no-color', '--end-of-options', one, other, '--', ...named],
      { maxBytes, cut: true, ms: TIME_MS },
    )
    const whole = cut ? stdout.subarray(0, stdout.lastIndexOf(0x0a) + 1) : stdout
    return { diff: patchText(whole), truncated: cut }
  })
}

/** Trees of nothing else, for paths that a command line cannot name. */
async function onlyOf(overlay: Overlay, from: string, to: string, paths: readonly string[]): Promise<[string, string]> {
  const touched = (await touchedPaths(overlay, from, to)).filter(({ path }) => paths.includes(path))
  const treeOf = (items: readonly (readonly [string, Item | undefined])[]) => {
    const known = items.flatMap(([path, item]) => (item ? [[path, item] as const] : []))
    return writeTrees(join(overlay.dir, 'objects'), overlay.checkout.objectFormat, known)
  }
  const before = await treeOf(touched.map(({ path, old }) => [path, old]))
  return [before, await treeOf(touched.map(({ path, now }) => [path, now]))]
}

export type Touched = { path: string; old?: Item; now?: Item }

/** Every path that differs, with what it was and is; no renames. */
export async function touchedPaths(overlay: Overlay, from: string, to: string): Promise<Touched[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--end-of-options', from, to]
  const { fields } = await overlay.fields(args, { maxBytes: NAMES_BYTES, ms: TIME_MS })
  const found: Touched[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, oldMode = '', mode = '', oldOid = '', oid = ''] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(fields[at] as string) ?? []
    const path = fields[at + 1] as string
    const old = Number(oldMode) === 0 ? {} : { old: { mode: oldMode, oid: oldOid } }
    const now = Number(mode) === 0 ? {} : { now: { mode, oid } }
    found.push({ path, ...old, ...now })
  }
  return found
}
