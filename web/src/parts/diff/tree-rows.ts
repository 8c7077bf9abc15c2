// Pure: changed files under the folders that they are in. The order is that of the diff, so that the next file is the next row.
import type { FileDiff } from './parse.ts'

export type TreeRow =
  | { kind: 'folder'; path: string; count: number }
  | { kind: 'file'; file: FileDiff; index: number; folder: string }

/** A folder stands once above each run of files in it; files of the top have none. What is folded has its folder alone. */
export function treeRows(files: readonly FileDiff[], folded: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  let head: Extract<TreeRow, { kind: 'folder' }> | undefined
  files.forEach((file, index) => {
    const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')))
    if (folder === '') head = undefined
    else if (head?.path === folder) head.count++
    else rows.push((head = { kind: 'folder', path: folder, count: 1 }))
    if (!folded.has(folder)) rows.push({ kind: 'file', file, index, folder })
  })
  return rows
}
