// Commits of what lies in checkouts right now, to be compared and merged with each other. Their objects are in a folder of our own
// beside the repository's: nothing of them ever gets into the repository, and all of them go at the end.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { GitError } from './git-error.ts'
import { commitTree, OWN_NAME, type Store } from './merge.ts'
import { linesIn, type Touched } from './overlap.ts'
import { type Checkout, makeBareOverlay, type Overlay } from './overlay.ts'
import { fieldsOf, isPlain, patchText, textOf } from './path-text.ts'
import { mergeBase } from './repository.ts'
import { headCommit, type Hold, treeOf } from './snapshot.ts'

export type Work = { commit: string; tree: string; head: string | undefined }

const DIFF_BYTES = 8 * 1024 * 1024
const NAMES_BYTES = 16 * 1024 * 1024
const TIME_MS = 60_000
/** Merged by one process: one that fails, or takes too long, fails for all of these. */
const MERGES_AT_ONCE = 25
/** Larger files are taken as they were committed, and new ones are left out; so is what exceeds these in all. */
const LARGEST = 4 * 1024 * 1024
const MOST_BYTES = 32 * 1024 * 1024
const MOST_FILES = 5000
/** Of paths in a command line. */
const MOST_NAMED = 500

export class Scratch {
  readonly #git: Git
  readonly #overlay: Overlay
  readonly #repository: Store

  private constructor(git: Git, overlay: Overlay, repository: Store) {
    this.#git = git
    this.#overlay = overlay
    this.#repository = repository
  }

  static async open(git: Git, repository: Store): Promise<Scratch> {
    return new Scratch(git, await makeBareOverlay(git, repository), repository)
  }

  /** The same files on the same commit are the same work. */
  async take(checkout: Checkout, signal?: AbortSignal): Promise<Work> {
    const head = await headCommit(this.#git, checkout)
    const objects = join(this.#overlay.dir, 'objects')
    const tree = await treeOf(this.#git, checkout, { hold: withinReason, objects, signal })
    const store = { commonDir: this.#overlay.dir, objectFormat: this.#repository.objectFormat }
    const parents = head === undefined ? [] : [head]
    const wish = { tree, parents, message: 'work\n', author: OWN_NAME, at: 0 }
    return { commit: await commitTree(this.#git, store, wish), tree, head }
  }

  /** Where the lines of two commits of the repository parted. */
  partedAt(one: string, other: string): Promise<string | undefined> {
    return mergeBase(this.#git, this.#repository, one, other)
  }

  /** `paths`: only of these. */
  async touched(from: string, to: string, paths: readonly string[] = [], signal?: AbortSignal): Promise<Touched> {
    const args = ['diff-tree', '-r', '-p', '-U0', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/', ...PLAIN]
    const options = { maxBytes: DIFF_BYTES, cut: true, signal }
    const { stdout } = await this.#run([...args, from, to, '--', ...named(paths)], options)
    const touched = linesIn(patchText(stdout))
    return paths.every(isPlain) ? touched : new Map([...touched].filter(([path]) => paths.includes(path)))
  }

  /** Those of the paths on which both have something else. */
  async differing(one: string, other: string, paths: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...PLAIN, one, other, '--']
    const options = { maxBytes: NAMES_BYTES, cut: true, signal }
    const { stdout } = await this.#run([...args, ...named(paths)], options)
    const found = fieldsOf(stdout)
    return paths.every(isPlain) ? found : found.filter(path => paths.includes(path))
  }

  /** The paths that cannot be merged; undefined when all can. */
  async conflicts(one: string, other: string, signal?: AbortSignal): Promise<string[] | undefined> {
    return (await this.conflictsWithEach(one, [other], signal)).get(other)
  }

  /** The same of one with each of the others, by these, with a process for many of them. */
  async conflictsWithEach(
    one: string,
    others: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, string[] | undefined>> {
    const found = new Map<string, string[] | undefined>()
    for (let at = 0; at < others.length; at += MERGES_AT_ONCE) {
      const part = others.slice(at, at + MERGES_AT_ONCE)
      const stdin = part.map(other => `${one} ${other}\n`).join('')
      const { stdout } = await this.#run([...MERGING, '--stdin'], { stdin, maxBytes: NAMES_BYTES, signal })
      const merges = mergesIn(stdout)
      if (merges.length !== part.length) throw new GitError('failed', 'git merge-tree did not make every merge')
      for (const [index, other] of part.entries()) found.set(other, merges[index])
    }
    return found
  }

  #run(args: readonly string[], options: Parameters<Overlay['run']>[1]) {
    return this.#overlay.run(args, { ms: TIME_MS, ...options })
  }

  dispose(): Promise<void> {
    return rm(this.#overlay.dir, { recursive: true, force: true })
  }
}

const MERGING = ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', '--allow-unrelated-histories']

/** For each merge: 1 when all could be merged, 0 when not; the tree; the paths in conflict; an empty field. */
function mergesIn(bytes: Buffer): (string[] | undefined)[] {
  const found: (string[] | undefined)[] = []
  const fields = textOf(bytes).split('\0')
  for (let at = 0; at + 2 < fields.length; ) {
    const end = fields.indexOf('', at)
    const [status, tree = '', ...paths] = fields.slice(at, end)
    if (end < 0 || !/^[01]$/.test(status ?? '') || !/^[0-9a-f]{40,64}$/.test(tree))
      throw new GitError('failed', 'git merge-tree named no tree')
    found.push(status === '1' ? undefined : [...new Set(paths)])
    at = end + 1
  }
  return found
}

const PLAIN = ['--full-index', '--no-ext-diff', '--no-textconv', '--no-color', '--end-of-options']

function withinReason(): Hold {
  let [files, bytes] = [0, 0]
  return (_path, size) => {
    if (size > LARGEST || bytes + size > MOST_BYTES || files >= MOST_FILES) return 'size'
    files++
    bytes += size
    return undefined
  }
}

/** None, which is all, where a command line cannot name them. */
function named(paths: readonly string[]): readonly string[] {
  return paths.every(isPlain) ? paths.slice(0, MOST_NAMED) : []
}
