// What would be lost with a checkout: whatever is in no commit, and commits that nothing else leads to.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { changedFiles } from './changes.ts'
import type { Checkout } from './overlay.ts'
import { mayHaveSubmodules } from './index-file.ts'
import { emptyTree, openRepository, readHead } from './repository.ts'
import { withOverlay } from './overlay.ts'
import { fileAt } from './path-text.ts'

export type Unsaved = {
  /** Files that differ from the commit, staged or not, and files that git does not know and does not ignore. */
  files: string[]
  moreFiles: boolean
  /** Commits of its HEAD that no other branch, no tag and no remote branch contains. */
  commits: number
  /** A merge, rebase or the like that has not been finished. */
  operation: string | undefined
}

const SHOWN = 20
const MOST_COMMITS = 1000
const DEEPEST = 5

const OPERATIONS: Record<string, string> = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
}

/** Undefined when nothing would be lost. */
export async function unsavedWork(git: Git, checkout: Checkout, depth = 0): Promise<Unsaved | undefined> {
  const head = await readHead(git, checkout)
  const base = head.commit ?? emptyTree(checkout.objectFormat)
  const changes = await changedFiles(git, checkout, base)
  const files = new Set(changes.files.map(({ path }) => path))
  for (const path of await staged(git, checkout, base)) files.add(path)
  const commits = head.commit === undefined ? 0 : await ownCommits(git, checkout.commonDir, head.commit, head.branch)
  const operation = await operationIn(checkout.gitDir)
  const inside = await workInSubmodules(git, checkout, join(checkout.gitDir, 'index'), depth)
  for (const path of inside) files.add(path)
  if (files.size === 0 && commits === 0 && operation === undefined) return undefined
  const shown = [...files].slice(0, SHOWN)
  return { files: shown, moreFiles: files.size > SHOWN || changes.truncated, commits, operation }
}

/** Differs from the commit in the index alone, too: a person may have staged it and changed it back. */
function staged(git: Git, checkout: Checkout, base: string): Promise<string[]> {
  return withOverlay(git, checkout, async overlay => {
    const indexFile = join(checkout.gitDir, 'index')
    if (!(await stat(indexFile).catch(() => undefined))) return []
    const args = ['diff-index', '--cached', '-z', '--name-only', '--no-ext-diff', '--ignore-submodules=dirty']
    const { fields } = await overlay.fields([...args, '--end-of-options', base], { indexFile, cut: true })
    return fields
  })
}

async function ownCommits(git: Git, commonDir: string, head: string, branch: string | undefined): Promise<number> {
  const except = branch === undefined ? [] : [`--exclude=${branch}`]
  const args = ['rev-list', '--count', `--max-count=${MOST_COMMITS}`, head]
  const { stdout } = await git.run([...args, '--not', ...except, '--branches', '--tags', '--remotes'], {
    gitDir: commonDir,
  })
  return Number(stdout.toString('latin1').trim())
}

export async function operationIn(gitDir: string): Promise<string | undefined> {
  for (const [name, operation] of Object.entries(OPERATIONS))
    if (await stat(join(gitDir, name)).catch(() => undefined)) return operation
  return undefined
}

/** Those with work that is in none of our commits: files that are not committed there, or commits that nobody else has. */
export async function workInSubmodules(git: Git, checkout: Checkout, indexFile: string, depth = 0): Promise<string[]> {
  if (!(await mayHaveSubmodules(indexFile))) return []
  const paths = await withOverlay(git, checkout, async overlay => {
    const { fields } = await overlay.fields(['ls-files', '-z', '--stage'], { indexFile, maxBytes: 64 * 1024 * 1024 })
    return fields.filter(field => field.startsWith('160000 ')).map(field => field.slice(field.indexOf('\t') + 1))
  })
  const unsaved: string[] = []
  for (const path of paths) {
    const folder = join(checkout.path, path)
    if (!(await stat(fileAt(checkout.path, `${path}/.git`)).catch(() => undefined))) continue
    if (depth >= DEEPEST) unsaved.push(path)
    else {
      const inner = await openRepository(git, folder).catch(() => undefined)
      // One that cannot be read may hold anything.
      const clean =
        inner?.checkout && inner.checkout.path === folder && !(await unsavedWork(git, inner.checkout, depth + 1))
      if (!clean) unsaved.push(path)
    }
  }
  return unsaved
}
