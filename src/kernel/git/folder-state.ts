// Which files of a checkout are not as its index says, in one look. Asked of an overlay whose index is a copy of the checkout's own:
// that one knows which files are as they were when they were written, so that they need not be read again.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Turn } from '#system/turn.ts'
import type { Overlay } from './overlay.ts'

export type Entry = {
  path: string
  mode: string
  /** The blob that the index names; undefined while it has a conflict. */
  before?: string
}

export type FolderState = {
  /** Tracked, and another now, or gone. */
  changed: Entry[]
  /** Not tracked and not ignored. */
  loose: string[]
  /** Repositories that lie in the folder, with a slash at the end. */
  nested: string[]
  /** Said to be unchanged by a flag, which is not believed: they are among the changed. */
  flagged: Entry[]
  hasAttributes: boolean
}

const NAMES_BYTES = 256 * 1024 * 1024
const TIME_MS = 300_000

const LOOKING = ['ls-files', '-z', '-v', '--stage', '--cached', '--modified', '--deleted']

export async function changedInFolder(overlay: Overlay, { others = true } = {}): Promise<FolderState> {
  const args = others ? [...LOOKING, '--others', '--exclude-standard'] : LOOKING
  const { fields } = await overlay.fields(args, { maxBytes: NAMES_BYTES, ms: TIME_MS })
  const turn = new Turn()
  const changed = new Map<string, Entry>()
  const flagged: Entry[] = []
  const loose: string[] = []
  const nested: string[] = []
  let hasAttributes = (await lstat(join(overlay.dir, 'info', 'attributes')).catch(() => undefined)) !== undefined
  for (const field of fields) {
    await turn.over()
    hasAttributes ||= field.endsWith('.gitattributes')
    if (field.startsWith('? ')) {
      ;(field.endsWith('/') ? nested : loose).push(field.slice(2))
      continue
    }
    // The usual line says nothing: tracked, and no flag on it.
    const tab = field.indexOf('\t')
    if (field.startsWith('H ') && field[tab - 1] === '0') continue
    const [tag = '', mode = '', before, stage] = field.slice(0, tab).split(' ')
    const path = field.slice(tab + 1)
    if (tab < 0 || before === undefined || tag.toUpperCase() === 'S') continue
    const isFlagged = tag !== tag.toUpperCase()
    const entry = stage === '0' ? { path, mode, before } : { path, mode }
    if (isFlagged && !changed.has(path)) flagged.push(entry)
    changed.set(path, entry)
  }
  return { changed: [...changed.values()], loose, nested, flagged, hasAttributes }
}

/** Of a file or link; undefined when it is neither, or not there. */
export async function sizeOf(root: string, path: string): Promise<number | undefined> {
  const info = await lstat(join(root, path)).catch(() => undefined)
  return info?.isFile() || info?.isSymbolicLink() ? info.size : undefined
}
