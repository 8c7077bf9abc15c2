// Which changes of reported work reviewers must not overlook: tests, CI, lock files, and what decides what the project's checks run.
import { basename, dirname, join, relative } from 'node:path'
import type { FlaggedFile } from '#contract/thread.ts'
import type { Change } from '#kernel/git/changes.ts'
import type { Git } from '#kernel/git/git.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import { bytesOf } from '#kernel/git/path-text.ts'
import { changesChecks, configuresChecks, flagOf, MANIFEST } from './file-rules.ts'
import type { Check } from './model.ts'
import type { OpenWorktree } from './ports.ts'

export type Changed = { base: string; tree: string; files: readonly Pick<Change, 'path' | 'from'>[] }

/** No person reads a change of so many files file by file. */
const MOST = 500
/** Of all that is read of recipes for one piece of work. */
const TEXT_BYTES = 8 * 1024 * 1024
const MOST_FOLDERS = 500
const RECIPES = ['package.json', 'composer.json', 'Makefile', 'justfile']
/** Of a folder with one of these names, a script runs others beside it. */
const SCRIPTS = /(?:^|\/)(?:scripts?|tools?|bin|ci|\.ci|hack|build)$/
/** What follows is the folder that the rest of a command runs in. */
const MOVES = /^(?:cd|-C|--prefix|--cwd|--dir|--directory)$/

export async function flagsOf(
  git: Git,
  { checkout, folder, lacks, setup }: Pick<OpenWorktree, 'checkout' | 'folder' | 'lacks' | 'setup'>,
  { base, tree, files }: Changed,
  checks: readonly Pick<Check, 'command'>[],
): Promise<FlaggedFile[]> {
  const inProject = lacks ?? relative(checkout.path, folder)
  // A configuration under another name is gone, too.
  const paths = files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))
  // A check that runs in what setup has made runs what setup says.
  const commands = [...checks.map(({ command }) => command), setup].map(command => command.join(' '))
  const named = new Named()
  // Setup runs where the repository begins, and checks in the project.
  for (const at of new Set([inProject, ''])) for (const text of commands) named.read(text, at)
  const manifests = paths.filter(path => MANIFEST.test(path))
  const recipes = foldersOf([...named.files, ...paths.map(path => dirname(path))])
    .slice(0, MOST_FOLDERS)
    .flatMap(at => RECIPES.map(name => join(at, name)))
  const texts = await textsAt(git, checkout, [base, tree], [...new Set([...recipes, ...manifests])])
  const textOf = (at: string, path: string) => texts.get(`${at}:${path}`) ?? ''
  for (const path of recipes) for (const at of [base, tree]) named.read(textOf(at, path), dirname(path))
  const found: FlaggedFile[] = []
  for (const path of paths) {
    const isSetting =
      configuresChecks(path) ||
      (MANIFEST.test(path) && changesChecks(basename(path), textOf(base, path), textOf(tree, path)))
    const why = named.has(path) || isSetting ? 'check' : flagOf(path)
    if (why) found.push({ path, why })
  }
  // Of very many, those that keep the work from being accepted come first.
  return found.sort((one, other) => Number(other.why === 'check') - Number(one.why === 'check')).slice(0, MOST)
}

/** The files that commands and scripts name: whatever in them may be a path; most of it names no file. */
class Named {
  readonly files = new Set<string>()
  readonly #folders = new Set<string>()

  /** `at`: where it runs. */
  read(text: string, at: string): void {
    const words = text.split(/[\s'"`;&|()<>=,\\]+/).filter(Boolean)
    const places = [at, ...words.flatMap((word, index) => (MOVES.test(words[index - 1] ?? '') ? [join(at, word)] : []))]
    for (const [index, word] of words.entries()) {
      // As Python names it.
      const module = words[index - 1] === '-m' ? word.replaceAll('.', '/') : undefined
      const names = module === undefined ? [word] : [`${module}.py`, `${module}/__main__.py`]
      for (const place of places) for (const name of names) this.#add(join(place, name))
    }
  }

  #add(file: string): void {
    this.files.add(file)
    const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')))
    if (SCRIPTS.test(folder)) this.#folders.add(folder)
  }

  has(path: string): boolean {
    return this.files.has(path) || [...this.#folders].some(folder => path.startsWith(`${folder}/`))
  }
}

/** These, as far as they may be folders, and those that they lie in, each once. */
function foldersOf(paths: readonly string[]): string[] {
  const found = new Set([''])
  for (const path of paths) {
    if (path.startsWith('..') || path.startsWith('/')) continue
    for (let at = path; at !== '.' && !found.has(at); at = dirname(at)) found.add(at)
  }
  return [...found]
}

/** What lies at each path in each tree, in one question. What is beyond the limit is as if it were not there. */
async function textsAt(
  git: Git,
  { commonDir }: Checkout,
  trees: readonly string[],
  paths: readonly string[],
): Promise<Map<string, string>> {
  const wanted = paths.filter(path => !path.includes('\n')).flatMap(path => trees.map(tree => `${tree}:${path}`))
  const stdin = wanted.map(name => `${name}\n`).join('')
  const options = { gitDir: commonDir, stdin: bytesOf(stdin), maxBytes: TEXT_BYTES, cut: true }
  const { stdout } = await git.run(['cat-file', '--batch=%(objecttype) %(objectsize)'], options)
  const found = new Map<string, string>()
  let at = 0
  for (const name of wanted) {
    const end = stdout.indexOf('\n', at)
    if (end < 0) break
    const [, type, size] = /^(\w+) (\d+)$/.exec(stdout.toString('latin1', at, end)) ?? []
    at = end + 1
    if (size === undefined) continue
    if (type === 'blob') found.set(name, stdout.toString('utf8', at, at + Number(size)))
    at += Number(size) + 1
  }
  return found
}
