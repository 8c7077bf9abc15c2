// The files of a checkout before and after something runs there, seen by the index, the ignore rules and the settings of the first
// look: what runs may change these, too, and would hide its other changes with them.
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Turn } from '#system/turn.ts'
import { fileAt } from './path-text.ts'
import type { Git } from './git.ts'
import { placeObjects } from './lfs.ts'
import { type Checkout, makeOverlay, type Overlay } from './overlay.ts'
import { headCommit, treeBy } from './snapshot.ts'
import { copyIndex, NAMES_BYTES, TIME_MS } from './survey.ts'

type Options = {
  /** Stay out, as what a snapshot held back. */
  except?: readonly string[]
  signal?: AbortSignal | undefined
}

const FIRST_INDEX = 'first-index'

type Look = { tree: string; rules: ReadonlyMap<string, string> }

export class WatchedFiles {
  readonly #overlay: Overlay
  readonly #look: () => Promise<Look>
  #first: Look

  private constructor(overlay: Overlay, look: () => Promise<Look>, first: Look) {
    this.#overlay = overlay
    this.#look = look
    this.#first = first
  }

  static async open(git: Git, checkout: Checkout, { except = [], signal }: Options = {}): Promise<WatchedFiles> {
    const overlay = await makeOverlay(git, checkout, signal)
    try {
      const index = join(overlay.dir, FIRST_INDEX)
      const head = await headCommit(git, checkout)
      await copyIndex(join(checkout.gitDir, 'index'), index)
      await keepExcludes(git, overlay)
      const look = async () => {
        const tree = await treeBy(overlay, index, head, except)
        return { tree, rules: await looseRules(overlay, tree) }
      }
      return new WatchedFiles(overlay, look, await look())
    } catch (error) {
      await rm(overlay.dir, { recursive: true, force: true })
      throw error
    }
  }

  /** The tree of the first look. */
  get tree(): string {
    return this.#first.tree
  }

  /** The files that are not as they were. */
  async changed(): Promise<string[]> {
    const now = await this.#look()
    const { rules } = this.#first
    const paths = [...new Set([...rules.keys(), ...now.rules.keys()])]
    const hiding = paths.filter(path => rules.get(path) !== now.rules.get(path))
    return [...(await this.#differing(now.tree)), ...hiding]
  }

  /** Lays out again what was there at the first look and is another now, or gone. Answers what is not as it was even so. */
  async putBack(): Promise<string[]> {
    const overlay = this.#overlay
    const { path, commonDir } = overlay.checkout
    const changed = await this.#differing((await this.#look()).tree, '--diff-filter=a')
    if (changed.length === 0) return []
    await copyIndex(join(overlay.dir, FIRST_INDEX), overlay.index)
    const args = ['checkout-index', '-q', '-f', '-z', '--stdin']
    await overlay.run(args, { workTree: path, stdin: changed.map(name => `${name}\0`).join(''), ms: TIME_MS })
    if (existsSync(join(commonDir, 'lfs', 'objects'))) await placeObjects(overlay, commonDir)
    return this.#differing((await this.#look()).tree, '--diff-filter=a')
  }

  async #differing(now: string, ...only: string[]): Promise<string[]> {
    const { tree } = this.#first
    if (now === tree) return []
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...only, '--end-of-options', tree, now]
    return (await this.#overlay.fields(args, { maxBytes: NAMES_BYTES, ms: TIME_MS, cut: true })).fields
  }

  async dispose(): Promise<void> {
    await rm(this.#overlay.dir, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}

/** The user's own list of what is ignored everywhere lies where everything that runs may write. The last value of a setting counts. */
async function keepExcludes(git: Git, { dir }: Overlay): Promise<void> {
  const { excludesFile } = await git.settings()
  if (excludesFile === undefined) return
  const kept = join(dir, 'excludes')
  await copyFile(excludesFile, kept).catch(() => {}) // It is not there: nothing is ignored by it.
  await appendFile(join(dir, 'config'), `[core]\n\texcludesFile = ${JSON.stringify(kept)}\n`)
}

/**
 * Files `.gitignore` that are not in the tree, in folders that are: such a file may ignore itself, and then git says nothing of it.
 * In a folder of its own it is what caches have.
 */
async function looseRules(overlay: Overlay, tree: string): Promise<Map<string, string>> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', tree]
  const { fields } = await overlay.fields(args, { maxBytes: NAMES_BYTES, ms: TIME_MS })
  const known = new Set(fields)
  const folders = new Set<string>()
  for (const path of fields) for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at)
  const found = new Map<string, string>()
  const turn = new Turn()
  for (const folder of folders) {
    const path = join(folder, '.gitignore')
    if (known.has(path)) continue
    const text = await readFile(fileAt(overlay.checkout.path, path)).catch(() => undefined)
    if (text !== undefined) found.set(path, hash('sha256', text))
    await turn.over()
  }
  return found
}
