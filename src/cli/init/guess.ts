// What a folder says about its own checks: scripts, targets, and the test commands of its language. Reads files, runs nothing.
import fs from 'node:fs'
import path from 'node:path'

export type GuessedCheck = { readonly name: string; readonly command: readonly string[] }

/** The name of the check, and the scripts or targets that are known for it, the best first. */
const KINDS: readonly (readonly [name: string, scripts: readonly string[]])[] = [
  ['test', ['test']],
  ['lint', ['lint']],
  ['typecheck', ['typecheck', 'type-check', 'check-types', 'check:types', 'tsc']],
]
/** What `npm init` writes: it always fails. */
const NO_TEST = /no test specified/
/** A larger file is not one that people wrote. */
const MAX_BYTES = 1024 * 1024

/** One for each name; a file that comes first in this list decides. */
export function guessChecks(folder: string): GuessedCheck[] {
  const all = [fromPackage, fromMakefile, fromCargo, fromPyproject, fromGo].flatMap(guess => guess(folder))
  const names = new Set<string>()
  return all.filter(({ name }) => !names.has(name) && names.add(name))
}

/** What brings the dependencies of a Node.js project into a fresh worktree; undefined when it has none. */
export function guessSetup(folder: string): string[] | undefined {
  const manifest = manifestOf(folder)
  const has = (key: string) => Object.keys(objectOf(manifest?.[key])).length > 0
  if (!has('dependencies') && !has('devDependencies')) return undefined
  if (exists(folder, 'pnpm-lock.yaml')) return ['pnpm', 'install', '--frozen-lockfile']
  if (exists(folder, 'yarn.lock')) return ['yarn', 'install']
  if (isBun(folder)) return ['bun', 'install']
  return ['npm', exists(folder, 'package-lock.json') ? 'ci' : 'install']
}

function fromPackage(folder: string): GuessedCheck[] {
  const scripts = objectOf(manifestOf(folder)?.['scripts'])
  const runner = exists(folder, 'pnpm-lock.yaml') ? 'pnpm' : exists(folder, 'yarn.lock') ? 'yarn' : 'npm'
  return KINDS.flatMap(([name, known]) => {
    const script = known.find(one => typeof scripts[one] === 'string' && !NO_TEST.test(scripts[one]))
    if (script === undefined) return []
    // `bun test` is another thing than the script.
    if (isBun(folder)) return [{ name, command: ['bun', 'run', script] }]
    return [{ name, command: script === 'test' ? [runner, 'test'] : [runner, 'run', script] }]
  })
}

function fromMakefile(folder: string): GuessedCheck[] {
  const text = ['GNUmakefile', 'makefile', 'Makefile']
    .map(name => read(folder, name))
    .find(found => found !== undefined)
  const targets = new Set(
    [...(text ?? '').matchAll(/^([A-Za-z0-9][\w -]*):(?![=:]?=)/gm)].flatMap(([, names = '']) =>
      names.trim().split(/\s+/),
    ),
  )
  const found = KINDS.flatMap(([name, known]) => {
    const target = known.find(one => targets.has(one))
    return target === undefined ? [] : [{ name, command: ['make', target] }]
  })
  if (found.length === 0 && targets.has('check')) return [{ name: 'test', command: ['make', 'check'] }]
  return found
}

function fromCargo(folder: string): GuessedCheck[] {
  return exists(folder, 'Cargo.toml') ? [{ name: 'test', command: ['cargo', 'test'] }] : []
}

function fromPyproject(folder: string): GuessedCheck[] {
  const text = read(folder, 'pyproject.toml')
  if (text === undefined) return []
  const start = exists(folder, 'uv.lock') ? ['uv', 'run'] : exists(folder, 'poetry.lock') ? ['poetry', 'run'] : []
  const run = (module: string, ...args: string[]) =>
    start.length > 0 ? [...start, module, ...args] : ['python3', '-m', module, ...args]
  return [
    ...(/\bpytest\b/.test(text) ? [{ name: 'test', command: run('pytest') }] : []),
    ...(/^\[tool\.ruff/m.test(text) ? [{ name: 'lint', command: run('ruff', 'check', '.') }] : []),
    ...(/^\[tool\.mypy/m.test(text) ? [{ name: 'typecheck', command: run('mypy', '.') }] : []),
  ]
}

function fromGo(folder: string): GuessedCheck[] {
  if (!exists(folder, 'go.mod')) return []
  return [
    { name: 'test', command: ['go', 'test', './...'] },
    { name: 'vet', command: ['go', 'vet', './...'] },
  ]
}

function isBun(folder: string): boolean {
  return exists(folder, 'bun.lock') || exists(folder, 'bun.lockb')
}

function manifestOf(folder: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(read(folder, 'package.json') ?? ''))
  } catch {
    return undefined // Not there, or not JSON: nothing to guess from.
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function exists(folder: string, name: string): boolean {
  return fs.existsSync(path.join(folder, name))
}

function read(folder: string, name: string): string | undefined {
  const file = path.join(folder, name)
  try {
    const stats = fs.statSync(file)
    return stats.isFile() && stats.size <= MAX_BYTES ? fs.readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined // Not there, or not ours to read.
  }
}
