// Reads the files of a workspace into a snapshot. Slow; nothing of the database happens here.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { FlaggedFile } from '#contract/thread.ts'
import type { Git } from '#kernel/git/git.ts'
import { treeChanges } from '#kernel/git/merge.ts'
import { fileAt } from '#kernel/git/path-text.ts'
import { takeSnapshot } from '#kernel/git/snapshot.ts'
import { flagOf, hasSecretText, holding, READ_BYTES } from './file-rules.ts'
import type { Snapshot } from './model.ts'
import type { OpenWorktree, ThreadTask } from './ports.ts'
import type { Taken } from './snapshots.ts'

export type TakeStep = 'snapshot-begun' | 'snapshot-made' | 'snapshot-stored'

/** Keeps its commit, and all that it is made of, from being collected. */
function snapshotRef(id: string): string {
  return `refs/toryo/snapshots/${id}`
}

/** No person reads a change of so many files file by file. */
const FLAGGED = 500

export async function take(
  git: Git,
  { checkout, base }: OpenWorktree,
  snapshot: Snapshot,
  task: Pick<ThreadTask, 'handle' | 'title'>,
  signal: AbortSignal,
): Promise<Taken> {
  const hold = holding(new Set(snapshot.included), path => smallText(fileAt(checkout.path, path)))
  const { commit, tree, held } = await takeSnapshot(git, checkout, {
    ref: snapshotRef(snapshot.id),
    message: `${task.handle}: ${task.title}\n\n${snapshot.summary ?? ''}`.trimEnd() + '\n',
    at: snapshot.at,
    hold,
    // In commits since the base that the folder does not show any more.
    holdsText: (path, text) => !snapshot.included.includes(path) && hasSecretText(text),
    base,
    signal,
  })
  const { files } = await treeChanges(git, checkout, base, tree)
  const flagged = files.flatMap(({ path }): FlaggedFile[] => {
    const why = flagOf(path)
    return why ? [{ path, why }] : []
  })
  return { commit, tree, baseCommit: base, changedFiles: files.length, held, flagged: flagged.slice(0, FLAGGED) }
}

/** Undefined for what is not a small plain file of text. Few files are new, so that reading them at once holds up no call for long. */
function smallText(file: string | Buffer): string | undefined {
  let handle: number | undefined
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const info = fstatSync(handle)
    if (!info.isFile() || info.size > READ_BYTES) return undefined
    const block = Buffer.alloc(info.size)
    const bytes = readSync(handle, block, 0, block.length, 0)
    const text = block.subarray(0, bytes)
    return text.includes(0) ? undefined : text.toString('latin1')
  } catch {
    return undefined // It is a link, or has gone meanwhile: then it is no file of a secret's text.
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
