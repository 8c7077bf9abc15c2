// Takes everything that lies in a checkout into a commit of our own: commits, staged, unsaved and untracked files. The checkout's
// HEAD, index and files stay as they are. What is ignored stays out.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyIndex } from './survey.ts'
import { changedInFolder, type Entry, type FolderState, sizeOf } from './folder-state.ts'
import type { Git } from './git.ts'
import { asPointers, filtersOf, sameAsPointers } from './lfs.ts'
import { commitTree } from './merge.ts'
import { commitInFiles, headOfNested } from './nested.ts'
import { type Checkout, type Overlay, withOverlay } from './overlay.ts'
import { pastFiles, pastTexts } from './past-files.ts'
import { fileAt } from './path-text.ts'
import { mergeBase, readHead } from './repository.ts'
import { copyFiles } from './snapshot-files.ts'
import { workInSubmodules } from './unsaved.ts'
import { keepCommit } from './worktrees.ts'

/**
 * A file that stayed out. `filter`: the repository names a program that must convert it first, and we run none; committed by
 * a git that runs it, it is taken. `nested`: a repository of its own, or a
 * submodule with work that only it could commit or push. `closed`: a file or folder that we are not allowed to read.
 */
export type Held = { path: string; why: 'secret' | 'size' | 'filter' | 'nested' | 'closed'; bytes: number }

/** Asked once for each file that is new or changed, in the order of paths; then for those that only commits since the base hold. */
export type Hold = (path: string, bytes: number, isNew: boolean) => Why | undefined | Promise<Why | undefined>
type Why = 'secret' | 'size'

export type SnapshotWish = {
  /** Keeps the commit from being collected. Written last: before that nothing is visible. */
  ref: string
  message: string
  /** In milliseconds. */
  at: number
  hold: Hold
  /** Whether a text that lay in a new file, in a commit since the base, must stay out. */
  holdsText?: (path: string, text: string) => boolean
  /** What is not in here is new, also when it is committed already; otherwise what is not in HEAD. */
  base?: string | undefined
  signal?: AbortSignal | undefined
}

export type Snapshot = { commit: string; tree: string; head: string | null; held: Held[] }

const TIME_MS = 300_000
const TRIES = 3

export async function takeSnapshot(git: Git, checkout: Checkout, wish: SnapshotWish): Promise<Snapshot> {
  const { ref, message, at, hold, base, signal } = wish
  const objects = join(checkout.commonDir, 'objects')
  const made = await tried(git, checkout, signal, async overlay => {
    const head = await headCommit(git, checkout)
    const settled = await settle(overlay, { objects, hold, head, since: base })
    const { tree } = settled
    const past = await heldInPast(overlay, { ...wish, head, asked: settled.asked })
    const inside = await workInSubmodules(git, checkout, overlay.index)
    const nested = inside.map((path): Held => ({ path: `${path}/`, why: 'nested', bytes: 0 }))
    const held = [...settled.held, ...past.held, ...nested]
    const isHidden = settled.hidesCommitted || past.isHidden
    const parent = isHidden ? await rootOf(git, checkout, base, head) : head
    const parents = parent === undefined ? [] : [parent]
    // Awaited below, while what it was made with is removed.
    const commit = commitTree(git, checkout, { tree, parents, message, at })
    commit.catch(() => {})
    return { commit: { made: commit }, tree, head: head ?? null, held }
  })
  const commit = await made.commit.made
  await keepCommit(git, checkout.commonDir, ref, commit)
  return { ...made, commit }
}

/** Most often in two small files, for which git need not be asked. */
export async function headCommit(git: Git, checkout: Checkout): Promise<string | undefined> {
  return (await commitInFiles(checkout.gitDir, checkout.commonDir)) ?? (await readHead(git, checkout)).commit
}

type TreeWish = {
  /** Stay out, as what a snapshot held back. */
  except?: readonly string[]
  /** Made again for each try: it may count. */
  hold?: () => Hold
  /** Where the objects go; otherwise they leave nothing behind. Never the repository's own folder. */
  objects?: string
  signal?: AbortSignal | undefined
}

/** The tree that `takeSnapshot` would make now. */
export async function treeOf(git: Git, checkout: Checkout, wish: TreeWish = {}): Promise<string> {
  const { except = [], signal, objects } = wish
  const out = new Set(except)
  const { tree } = await tried(git, checkout, signal, async overlay => {
    const head = await headCommit(git, checkout)
    const more = wish.hold?.()
    const hold: Hold = (path, bytes, isNew) => (out.has(path) ? 'secret' : more?.(path, bytes, isNew))
    return settle(overlay, { hold, head, always: out, ...(objects !== undefined && { objects }) })
  })
  return tree
}

/** The same once more in one overlay, by another index than the checkout's own. */
export async function treeBy(overlay: Overlay, index: string, head: string | undefined, except: readonly string[]) {
  const out = new Set(except)
  const { tree } = await settle(overlay, {
    hold: path => (out.has(path) ? 'secret' : undefined),
    head,
    always: out,
    index,
  })
  return tree
}

type Past = Pick<SnapshotWish, 'base' | 'hold' | 'holdsText'> & {
  head: string | undefined
  asked: ReadonlySet<string>
}

/** What commits brought and the folder does not show any more. When that is too much to look at, they are hidden, too. */
async function heldInPast(
  overlay: Overlay,
  { base, head, hold, holdsText, asked }: Past,
): Promise<{ held: Held[]; isHidden: boolean }> {
  if (base === undefined || head === undefined) return { held: [], isHidden: false }
  const files = await pastFiles(overlay, base, head)
  const texts = files && holdsText ? await pastTexts(overlay, files, holdsText) : new Set<string>()
  // What is in the work was asked about already, as it is now.
  const gone = (files ?? []).filter(({ path }) => !asked.has(path))
  const held: Held[] = []
  for (const { path, bytes } of gone) {
    const why = (await hold(path, bytes, true)) ?? (texts?.has(path) ? 'secret' : undefined)
    if (why) held.push({ path, why, bytes })
  }
  return { held, isHidden: !files || !texts || texts.size > 0 || held.length > 0 }
}

/** Commits that hold a file which must stay out are left out, too: the work goes on as one change from where it began. */
async function rootOf(git: Git, checkout: Checkout, base: string | undefined, head: string | undefined) {
  return base === undefined || head === undefined ? head : mergeBase(git, checkout, base, head)
}

/** Whatever works in the folder may be writing: what vanished or grew while it was read is read again. */
async function tried<T>(
  git: Git,
  checkout: Checkout,
  signal: AbortSignal | undefined,
  use: (overlay: Overlay) => Promise<T>,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await withOverlay(git, checkout, use, signal)
    } catch (error) {
      if (count >= TRIES || signal?.aborted) throw error
    }
  }
}

type Rules = {
  hold: Hold
  head: string | undefined
  /** Kept out wherever they come from. */
  always?: ReadonlySet<string>
  /** Where the objects go, if they are to stay. */
  objects?: string
  /** What is not in this commit is new; otherwise what is not in HEAD. */
  since?: string | undefined
  /** In place of the checkout's own. */
  index?: string
}

/** `asked`: of which files it was asked whether they stay out. */
type Settled = { tree: string; held: Held[]; hidesCommitted: boolean; asked: ReadonlySet<string> }

async function settle(overlay: Overlay, rules: Rules): Promise<Settled> {
  const { checkout } = overlay
  await copyIndex(rules.index ?? join(checkout.gitDir, 'index'), overlay.index)
  const since = rules.since ?? rules.head
  const state = await changedInFolder(overlay, since).catch(async () => {
    // Damaged, or newer than this git: every file is read instead.
    await rm(overlay.index, { force: true })
    if (rules.head !== undefined) await overlay.run(['read-tree', '--end-of-options', rules.head], { ms: TIME_MS })
    return changedInFolder(overlay, since)
  })
  const { out, asked } = await whatStaysOut(overlay, state, rules)
  const { path: root, commonDir } = checkout
  const same = await sameAsPointers(overlay, commonDir, state.changed.filter(isPlain))
  const taken = (path: string) => !out.has(path) && !same.has(path)
  const tree = join(overlay.dir, 'tree')
  await rm(tree, { recursive: true, force: true })
  await mkdir(tree)
  const links = state.changed.filter(({ mode, path }) => mode === '160000' && taken(path))
  const files = state.changed.filter(({ mode, path }) => mode !== '160000' && taken(path)).map(({ path }) => path)
  const read = [...files, ...state.loose.filter(taken)].sort()
  for (const path of await copyFiles(root, tree, read)) {
    const isNew = state.loose.includes(path) || state.added.includes(path)
    out.set(path, { why: 'closed', bytes: (await sizeOf(root, path)) ?? 0, kept: !isNew })
  }
  if (state.hasAttributes) await convert(overlay, tree, read, new Set(state.loose), out, rules)
  const flagged = state.flagged.filter(({ path }) => taken(path)).map(entryOf)
  await indexInfo(overlay, [...flagged, ...(await headsOf(root, links))])
  const names = [...new Set([...read, ...out.keys()])].filter(path => !out.get(path)?.kept)
  const { objects } = rules
  if (names.length > 0) {
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']
    await overlay.run(args, { workTree: tree, objects, ms: TIME_MS, stdin: names.map(name => `${name}\0`).join('') })
  }
  const { stdout } = await overlay.run(['write-tree'], { objects, ms: TIME_MS })
  return {
    tree: stdout.toString('latin1').trim(),
    held: [...out].map(([path, { why, bytes }]) => ({ path, why, bytes })),
    hidesCommitted: state.added.some(path => out.has(path)),
    asked,
  }
}

/** `kept`: it stays as the index has it; otherwise it is left out of the tree. */
type Out = Map<string, Pick<Held, 'why' | 'bytes'> & { kept: boolean }>

async function whatStaysOut(
  { checkout }: Overlay,
  { changed, added, loose, nested, closed }: FolderState,
  { hold, always = new Set() }: Rules,
): Promise<{ out: Out; asked: Set<string> }> {
  const out: Out = new Map(nested.map(path => [path, { why: 'nested', bytes: 0, kept: true }]))
  for (const path of closed) out.set(path, { why: 'closed', bytes: 0, kept: true })
  const isAdded = new Set(added)
  const isChanged = new Set(changed.map(({ path }) => path))
  const isNew = new Set([...loose, ...added])
  const asked = new Set<string>()
  for (const path of [...new Set([...isChanged, ...isNew, ...always])].sort()) {
    // Marked skip-worktree: it is in the tree without lying in the folder.
    const skipped = isAdded.has(path) && !isChanged.has(path) ? 0 : undefined
    const bytes = (await sizeOf(checkout.path, path)) ?? skipped
    if (bytes === undefined) continue
    asked.add(path)
    const why = await hold(path, bytes, isNew.has(path))
    if (why) out.set(path, { why, bytes, kept: !isNew.has(path) && !always.has(path) })
  }
  return { out, asked }
}

/** git-lfs's own conversion is done here. Files that any other program would have to convert stay out. */
async function convert(
  overlay: Overlay,
  tree: string,
  read: readonly string[],
  fresh: ReadonlySet<string>,
  out: Out,
  { objects }: Rules,
): Promise<void> {
  const large: string[] = []
  for (const { path, value } of await filtersOf(overlay, tree, read)) {
    if (value === 'lfs') large.push(path)
    else {
      out.set(path, { why: 'filter', bytes: (await sizeOf(tree, path)) ?? 0, kept: !fresh.has(path) })
      await rm(fileAt(tree, path))
    }
  }
  const store = objects === overlay.objects ? join(overlay.checkout.commonDir, 'lfs', 'objects') : undefined
  await asPointers(tree, large, store)
}

function isPlain(one: Entry): one is Entry & { before: string } {
  return one.before !== undefined && one.mode.startsWith('100')
}

function entryOf({ mode, path, before }: Entry): string {
  return `${mode} ${before} 0\t${path}`
}

async function headsOf(root: string, links: readonly Entry[]): Promise<string[]> {
  const found = await Promise.all(links.map(({ path }) => headOfNested(root, path)))
  return links.flatMap(({ path }, at) => (found[at] === undefined ? [] : [`160000 ${found[at]} 0\t${path}`]))
}

async function indexInfo(overlay: Overlay, entries: readonly string[]): Promise<void> {
  if (entries.length === 0) return
  const stdin = entries.map(entry => `${entry}\0`).join('')
  await overlay.run(['update-index', '-z', '--index-info'], { ms: TIME_MS, stdin })
}
