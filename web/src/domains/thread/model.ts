// Pure: where comments stand in a diff, and what a reader has seen of it.
import type { CommentView, EvidenceView, MergeView } from '#contract/thread.ts'
import type { FileDiff } from '../../parts/diff/parse.ts'

/** So many lines of one file are drawn where the list is not a long one. */
export const LINES = 500

export type Placed = {
  /** By `keyOf` of the line that they stand under. */
  onLines: ReadonlyMap<string, readonly CommentView[]>
  /** By path: on the file, or on lines that this diff does not show. */
  onFiles: ReadonlyMap<string, readonly CommentView[]>
  /** On no file, or on one that this diff does not have. */
  others: readonly CommentView[]
}

export function keyOf(path: string, side: 'old' | 'now', line: number): string {
  return `${side}:${line}:${path}`
}

/**
 * A comment names lines of the snapshot that it was written on. Those of the current one are the new side of the diff; those of the
 * snapshot that is compared with are its old side. Of any other, only the file is known.
 */
export function placeComments(
  comments: readonly CommentView[],
  files: readonly FileDiff[],
  current: string | undefined,
  since: string | undefined,
): Placed {
  const shown = linesShown(files)
  const paths = new Set(files.map(({ path }) => path))
  const onLines = new Map<string, CommentView[]>()
  const onFiles = new Map<string, CommentView[]>()
  const others: CommentView[] = []
  for (const comment of comments) {
    const { path, to_line: line, snapshot_id: snapshot } = comment
    const side = snapshot === current ? 'now' : snapshot === since ? 'old' : undefined
    const key = path === null || line === null || side === undefined ? undefined : keyOf(path, side, line)
    if (key !== undefined && shown.has(key)) onLines.set(key, [...(onLines.get(key) ?? []), comment])
    else if (path !== null && paths.has(path)) onFiles.set(path, [...(onFiles.get(path) ?? []), comment])
    else others.push(comment)
  }
  return { onLines, onFiles, others }
}

function linesShown(files: readonly FileDiff[]): Set<string> {
  const shown = new Set<string>()
  for (const { path, from, hunks } of files)
    for (const { old, now } of hunks.flatMap(({ lines }) => lines)) {
      if (now !== null) shown.add(keyOf(path, 'now', now))
      if (old !== null) shown.add(keyOf(from ?? path, 'old', old))
    }
  return shown
}

export type Queue = { base: string; project: string; merges: readonly MergeView[] }

/** One for each base, in the order of its entries. */
export function queuesOf(merges: readonly MergeView[]): Queue[] {
  const queues = new Map<string, MergeView[]>()
  for (const merge of merges.filter(({ outcome }) => outcome === null)) {
    const key = `${merge.project_id} ${merge.base}`
    queues.set(key, [...(queues.get(key) ?? []), merge])
  }
  return [...queues.values()].map(own => ({
    ...{ base: own[0]?.base ?? '', project: own[0]?.project_id ?? '', merges: own },
  }))
}

/** Every required check has passed on it, and there was one. */
export function isVerified(evidence: readonly Pick<EvidenceView, 'outcome' | 'required'>[]): boolean {
  const required = evidence.filter(one => one.required)
  return required.length > 0 && required.every(({ outcome }) => outcome === 'passed')
}

export type Earlier = { evidence: EvidenceView; number: number }

/** What checks said of snapshots before this one, the newest first, with the number that people know each by. */
export function earlierEvidence(
  evidence: readonly EvidenceView[],
  snapshots: readonly { snapshot_id: string; number: number }[],
  current: string | undefined,
): Earlier[] {
  const numbers = new Map(snapshots.map(({ snapshot_id, number }) => [snapshot_id, number]))
  return evidence.flatMap(one => {
    const number = one.snapshot_id === null || one.snapshot_id === current ? undefined : numbers.get(one.snapshot_id)
    return number === undefined ? [] : [{ evidence: one, number }]
  })
}
