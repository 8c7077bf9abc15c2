// Which changes of reported work reviewers must not overlook: tests, CI, lock files, and what decides what the project's checks run.
import { basename, join, normalize, relative } from 'node:path'
import type { FlaggedFile } from '#contract/thread.ts'
import type { Change } from '#kernel/git/changes.ts'
import type { Git } from '#kernel/git/git.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { changesChecks, configuresChecks, flagOf, MANIFEST } from './file-rules.ts'
import type { Check } from './model.ts'
import type { OpenWorktree } from './ports.ts'

export type Changed = { base: string; tree: string; files: readonly Pick<Change, 'path' | 'from'>[] }

/** No person reads a change of so many files file by file. */
const MOST = 500
const TEXT_BYTES = 1024 * 1024
/** Of a folder with one of these names, a script runs others beside it. */
const SCRIPTS = /(?:^|\/)(?:scripts?|tools?|bin|ci|\.ci|hack|build)$/

export async function flagsOf(
  git: Git,
  { checkout, folder }: Pick<OpenWorktree, 'checkout' | 'folder'>,
  { base, tree, files }: Changed,
  checks: readonly Pick<Check, 'command'>[],
): Promise<FlaggedFile[]> {
  const inProject = relative(checkout.path, folder)
  const read = (at: string, path: string) => textAt(git, checkout, at, path)
  const recipes = ['package.json', 'Makefile', 'justfile'].map(name => join(inProject, name))
  const texts = await Promise.all(recipes.flatMap(path => [base, tree].map(at => read(at, path))))
  const named = filesIn([...checks.map(({ command }) => command.join(' ')), ...texts], inProject)
  const found: FlaggedFile[] = []
  // A configuration under another name is gone, too.
  for (const path of files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))) {
    const isRun = named.files.has(path) || named.folders.some(one => path.startsWith(`${one}/`))
    const isSetting =
      configuresChecks(path) ||
      (MANIFEST.test(path) && changesChecks(basename(path), await read(base, path), await read(tree, path)))
    const why = isRun || isSetting ? 'check' : flagOf(path)
    if (why) found.push({ path, why })
  }
  // Of very many, those that keep the work from being accepted come first.
  return found.sort((one, other) => Number(other.why === 'check') - Number(one.why === 'check')).slice(0, MOST)
}

/** Whatever in a command may be a path; most of it names no file. */
function filesIn(texts: readonly string[], inProject: string): { files: ReadonlySet<string>; folders: string[] } {
  const words = texts.flatMap(text => text.split(/[\s'"`;&|()<>=,\\]+/))
  const files = new Set(words.filter(Boolean).map(word => join(inProject, normalize(word))))
  const folders = [...files].map(file => file.slice(0, Math.max(0, file.lastIndexOf('/'))))
  return { files, folders: [...new Set(folders)].filter(folder => SCRIPTS.test(folder)) }
}

/** Empty where there is no such file. */
async function textAt(git: Git, { commonDir }: Checkout, tree: string, path: string): Promise<string> {
  const args = ['cat-file', 'blob', `${tree}:${path}`]
  const { stdout, code } = await git.run(args, { gitDir: commonDir, codes: [0, 128], maxBytes: TEXT_BYTES, cut: true })
  return code === 0 ? stdout.toString('utf8') : ''
}
