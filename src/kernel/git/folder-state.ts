// Which files of a checkout are not as its index says, in one look. Asked of an overlay whose index is a copy of the checkout's own:
// that one knows which files are as they were when they were written, so that they need not be read again.
import { lstatSync, type Stats } from 'node:fs'
import { lstat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Turn } from '#system/turn.ts'
import { needsListing } from './index-file.ts'
import type { Overlay } from './overlay.ts'
import { fieldsOf, fileAt } from './path-text.ts'

export type Entry = {
  path: string
  mode: string
  /** The blob that the index names; undefined while it names none, or has a conflict. */
  before?: string
}

export type FolderState = {
  /** Tracked, and another now, or gone. */
  changed: Entry[]
  /** In the index, and not in the commit that it is compared with. */
  added: string[]
  /** In the index another than in that commit, or taken out of it. */
  staged: string[]
  /** With a conflict. */
  unmerged: string[]
  /** Not tracked and not ignored. */
  loose: string[]
  /** Repositories that lie in the folder, with a slash at the end. */
  nested: string[]
  /** Folders that could not be opened, with a slash at the end. What lies there is not known. */
  closed: string[]
  /** Said to be unchanged or skipped by a flag, which is not believed of what lies there: they are among the changed. */
  flagged: Entry[]
  hasAttributes: boolean
}

const NAMES_BYTES = 256 * 1024 * 1024
const TIME_MS = 300_000

const LOOKING = ['status', '--porcelain=v2', '-z', '--no-renames', '--no-ahead-behind', '--ignore-submodules=dirty']

/**
 * `commit`: what the index is compared with; undefined before the first one. `skipped`: whether files that lie there although git was
 * told to skip them count.
 */
export async function changedInFolder(
  overlay: Overlay,
  commit: string | undefined,
  { others = true, skipped = true } = {},
): Promise<FolderState> {
  if (commit !== undefined) await writeFile(join(overlay.dir, 'HEAD'), `${commit}\n`)
  const options = { maxBytes: NAMES_BYTES, ms: TIME_MS }
  const [{ stdout, stderr }, listing, ownAttributes] = await Promise.all([
    overlay.run([...LOOKING, `--untracked-files=${others ? 'all' : 'no'}`], options),
    needsListing(overlay.index, overlay.checkout.objectFormat),
    lstat(join(overlay.dir, 'info', 'attributes')).catch(() => undefined),
  ])
  const state: FolderState = {
    changed: [],
    added: [],
    staged: [],
    unmerged: [],
    loose: [],
    nested: [],
    closed: closedIn(stderr),
    flagged: [],
    hasAttributes: false,
  }
  const fields = fieldsOf(stdout)
  const turn = new Turn()
  for (const field of fields) {
    await turn.over()
    take(field, state)
  }
  if (listing) await unmask(overlay, state, skipped)
  state.hasAttributes = listing || ownAttributes !== undefined || fields.some(field => field.endsWith('.gitattributes'))
  return state
}

/** Git warns of them, and goes on without. */
export function closedIn(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.+)': /gm)].map(([, path]) => path as string)
}

function take(field: string, { changed, added, staged, unmerged, loose, nested }: FolderState): void {
  if (field.startsWith('? ')) {
    ;(field.endsWith('/') ? nested : loose).push(field.slice(2))
    return
  }
  const [, index, folder, mode = '', now = '', oid = '', path] = CHANGED.exec(field) ?? []
  if (path !== undefined) {
    if (index === 'A') added.push(path)
    if (index !== '.') staged.push(path)
    if (folder === '.') return
    changed.push(NOTHING.test(mode) ? { path, mode: now } : { path, mode, before: oid })
    return
  }
  const [, conflicting] = UNMERGED.exec(field) ?? []
  if (conflicting === undefined) return
  unmerged.push(conflicting)
  changed.push({ path: conflicting, mode: '100644' })
}

/** Letters for index and folder, the modes of index and folder, the blob of the index. */
const CHANGED = /^1 (.)(.) .{4} \d+ (\d+) (\d+) [0-9a-f]+ ([0-9a-f]+) (.*)$/s
const UNMERGED = /^u .. .{4} \d+ \d+ \d+ \d+ [0-9a-f]+ [0-9a-f]+ [0-9a-f]+ (.*)$/s
const NOTHING = /^0+$/

/** What a flag hides from git. */
async function unmask(overlay: Overlay, { changed, flagged }: FolderState, skipped: boolean): Promise<void> {
  const present = new Present(overlay.checkout.path)
  const { fields } = await overlay.fields(['ls-files', '-z', '-v', '--stage'], { maxBytes: NAMES_BYTES, ms: TIME_MS })
  const known = new Set(changed.map(({ path }) => path))
  const turn = new Turn()
  for (const field of fields) {
    await turn.over()
    const at = field.indexOf('\t')
    const [tag = '', mode = '', before = '', stage] = field.slice(0, at).split(' ')
    const path = field.slice(at + 1)
    const isSkipped = tag.toUpperCase() === 'S'
    // Small letters are for those that are assumed to be unchanged. What is skipped and not there is what the index says.
    if (stage !== '0' || (isSkipped ? !skipped || !present.has(path) : tag === tag.toUpperCase())) continue
    flagged.push({ path, mode, before })
    if (!known.has(path)) changed.push({ path, mode, before })
  }
}

/** Which files lie in a folder, where most of those asked for do not: what is below a folder that is not there is not looked for. */
export class Present {
  readonly #root: string
  readonly #folders = new Map<string, boolean>([['.', true]])

  constructor(root: string) {
    this.#root = root
  }

  has(path: string): boolean {
    return this.#hasFolder(dirname(path)) && this.#find(path) !== undefined
  }

  #hasFolder(folder: string): boolean {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const found = this.#hasFolder(dirname(folder)) && this.#find(folder)?.isDirectory() === true
    this.#folders.set(folder, found)
    return found
  }

  #find(path: string): Stats | undefined {
    return lstatSync(fileAt(this.#root, path), { throwIfNoEntry: false })
  }
}

/** Of a file or link; undefined when it is neither, or not there. */
export async function sizeOf(root: string, path: string): Promise<number | undefined> {
  const info = await lstat(fileAt(root, path)).catch(() => undefined)
  return info?.isFile() || info?.isSymbolicLink() ? info.size : undefined
}
