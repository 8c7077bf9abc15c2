// Reads `--numstat -z`: how many lines of each file a change adds and removes.
import type { Change } from './changes.ts'

export type LineCounts = { added: number; removed: number } | { binary: true }

/** By the path that the file has now. A rename is three fields: the counts, the path before, the path now. */
export function lineCountsIn(fields: readonly string[]): Map<string, LineCounts> {
  const counts = new Map<string, LineCounts>()
  for (let at = 0; at < fields.length; at++) {
    const [, added, removed, name] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (added === undefined) continue
    const path = name === '' ? fields[(at += 2)] : name
    if (path === undefined) break
    counts.set(path, added === '-' ? { binary: true } : { added: Number(added), removed: Number(removed) })
  }
  return counts
}

export function withCounts(files: readonly Change[], counts: ReadonlyMap<string, LineCounts>): Change[] {
  return files.map(file => ({ ...file, ...counts.get(file.path) }))
}
