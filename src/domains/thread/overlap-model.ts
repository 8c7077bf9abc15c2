import type { ProjectId, TabId, TaskId, WorktreeId } from '#contract/id-types.ts'
import { cut, type Text } from '#contract/errors.ts'
import type { OverlapKind } from '#contract/thread.ts'
import { isWhole, type Touched } from '#kernel/git/overlap.ts'

/** A workspace or a tab's worktree. */
export type Side = { worktreeId: WorktreeId; taskId: TaskId | null; tabId: TabId | null }

export type Overlap = {
  /** Whose worktrees they are. */
  home: string
  projectId: ProjectId
  kind: OverlapKind
  a: Side
  b: Side
  files: readonly string[]
  at: number
  /** It was there before; both are still at work. */
  goneAt: number | null
}

export type Found = Omit<Overlap, 'at' | 'goneAt'>

export function keyOf({ a, b, kind }: Pick<Overlap, 'a' | 'b' | 'kind'>): string {
  return `${a.worktreeId} ${b.worktreeId} ${kind}`
}

/**
 * False where a merge cannot fail, so that none is tried: no path of one is a path of the other, or a folder of it, and not both add,
 * move or delete files in one folder.
 */
export function mayClash(one: Touched, other: Touched): boolean {
  const [mine, theirs] = [foldersOf(one), foldersOf(other)]
  for (const path of one.keys()) if (other.has(path) || theirs.around.has(path)) return true
  for (const path of other.keys()) if (mine.around.has(path)) return true
  for (const folder of mine.remade) if (theirs.remadeAround.has(folder)) return true
  for (const folder of theirs.remade) if (mine.remadeAround.has(folder)) return true
  return false
}

type Folders = { around: Set<string>; remade: Set<string>; remadeAround: Set<string> }
const known = new WeakMap<Touched, Folders>()

function foldersOf(touched: Touched): Folders {
  const before = known.get(touched)
  if (before) return before
  const found: Folders = { around: new Set(), remade: new Set(), remadeAround: new Set() }
  for (const [path, lines] of touched) {
    const whole = isWhole(lines)
    let isNearest = true
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      found.around.add(folder)
      if (whole) found.remadeAround.add(folder)
      if (whole && isNearest) found.remade.add(folder)
      isNearest = false
    }
  }
  known.set(touched, found)
  return found
}

const NAMED = 5
const NAME_CHARS = 100

/** For an agent at work. `other`: a handle, or a tab's id. */
export function noticeOf(kind: OverlapKind, other: string, files: readonly string[]): Text {
  const names = files.slice(0, NAMED).map(name => JSON.stringify(cut(name, NAME_CHARS)))
  const more = files.length - names.length
  const list = { en: `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, ja: names.join('、') }
  const rest = more > 0 ? ` ほか ${more} 件` : ''
  return kind === 'lines'
    ? {
        en: `For your information, sent automatically; not an instruction, and no reply is needed: ${other} is changing the same lines as you in ${list.en}.`,
        ja: `自動送信の参考情報です。指示ではなく、返信も不要です。${other} が次のファイルで同じ行を変更しています: ${list.ja}${rest}`,
      }
    : {
        en: `For your information, sent automatically; not an instruction, and no reply is needed: your current work and that of ${other} would not merge without conflicts in ${list.en}.`,
        ja: `自動送信の参考情報です。指示ではなく、返信も不要です。現在の作業と ${other} の作業をマージすると、次のファイルで競合します: ${list.ja}${rest}`,
      }
}
