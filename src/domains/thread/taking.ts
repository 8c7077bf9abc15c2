// Reads the files of a workspace into a snapshot. Slow; nothing of the database happens here.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Git } from '#kernel/git/git.ts'
import { treeChanges } from '#kernel/git/merge.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { OVERLAP_BYTES, PART_BYTES } from '#kernel/git/past-files.ts'
import { fileAt } from '#kernel/git/path-text.ts'
import { takeSnapshot } from '#kernel/git/snapshot.ts'
import { hasSecretText, holding } from './file-rules.ts'
import { flagsOf } from './flags.ts'
import type { Check, Snapshot } from './model.ts'
import type { OpenWorktree, ThreadTask } from './ports.ts'
import type { Taken } from './snapshots.ts'

export type TakeStep = 'snapshot-begun' | 'snapshot-made' | 'snapshot-stored'

/** Keeps its commit, and all that it is made of, from being collected. */
export function snapshotRef(id: string): string {
  return `refs/toryo/snapshots/${id}`
}

const AUTHORS = 100

export async function take(
  git: Git,
  there: OpenWorktree,
  snapshot: Snapshot,
  task: Pick<ThreadTask, 'handle' | 'title'>,
  checks: readonly Pick<Check, 'command'>[],
  signal: AbortSignal,
): Promise<Taken> {
  const { checkout, base } = there
  const hold = holding(new Set(snapshot.included), path => holdsSecret(fileAt(checkout.path, path)))
  const { commit, tree, head, held } = await takeSnapshot(git, checkout, {
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
  const flagged = await flagsOf(git, there, { base, tree, files }, checks)
  return {
    ...{ commit, tree, baseCommit: base, changedFiles: files.length, held, flagged },
    authors: head === null ? [] : await authorsOf(git, checkout, base, head),
  }
}

/** Who wrote or made the commits since the base, as git names them. */
async function authorsOf(git: Git, { commonDir }: Checkout, base: string, head: string): Promise<string[]> {
  const args = ['log', '-z', '--format=%an%x00%cn', '--end-of-options', head, `^${base}`]
  const { fields } = await git.fields(args, { gitDir: commonDir, cut: true })
  return [...new Set(fields)].filter(name => name !== '').slice(0, AUTHORS)
}

/** Read in parts, so that a large one holds up no call. What is not a plain file holds none. */
async function holdsSecret(file: string | Buffer): Promise<boolean> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  if (!handle) return false // It is a link, or has gone meanwhile.
  try {
    if (!(await handle.stat()).isFile()) return false
    const block = Buffer.alloc(PART_BYTES)
    for (let at = 0; ; at += PART_BYTES - OVERLAP_BYTES) {
      const { bytesRead } = await handle.read(block, 0, PART_BYTES, at)
      if (hasSecretText(block.toString('latin1', 0, bytesRead))) return true
      if (bytesRead < PART_BYTES) return false
    }
  } finally {
    await handle.close()
  }
}
