// What a folder says about its own checks: scripts, targets, and the test commands of its language. Reads files, runs nothing.
import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckName } from '#contract/check-name.ts'
import { readInside } from '#kernel/git/inside.ts'

/** `usual`: one that most projects want; the others are further scripts and targets, which may do anything. */
export type GuessedCheck = { name: string; command: string[]; usual: boolean }
/** What was read of a folder. */
type Files = ReadonlyMap<string, string>

const READ = ['package.json', 'GNUmakefile', 'makefile', 'Makefile', 'Cargo.toml', 'pyproject.toml', 'go.mod']
/** That they are there says enough. */
const SEEN = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'package-lock.json', 'uv.lock', 'poetry.lock']

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

/** More than a person chooses from. */
const MOST_OTHERS = 50
/** What npm runs around other scripts, and what does not end. */
const NO_CHECK = /^(?:pre|post)|^(?:start|dev|serve|watch|install|publish|prepare)$/

export async function guessedIn(folder: string): Promise<{ checks: GuessedCheck[]; setup: string[] | undefined }> {
  const files = new Map<string, string>()
  // The folder itself may be a link; what is in it is read without following any.
  const real = await realpath(folder).catch(() => undefined) // Gone, or on another machine: it names nothing.
  if (real === undefined) return { checks: [], setup: undefined }
  for (const name of READ) {
    const text = await readInside(real, name, MAX_BYTES).catch(() => undefined) // Not ours to read: nothing to guess from.
    if (text !== undefined) files.set(name, text)
  }
  for (const name of SEEN) if (await isFile(join(real, name))) files.set(name, '')
  // A file that is there says it itself, or is not ours to write over.
  const isSaid = await isFile(join(real, '.toryo', 'config.json'))
  return { checks: guessChecks(files), setup: isSaid ? undefined : guessSetup(files) }
}

/** One for each name; a file that comes first in this list decides. */
export function guessChecks(files: Files): GuessedCheck[] {
  const usual = [fromPackage, fromMakefile, fromCargo, fromPyproject, fromGo].flatMap(guess => guess(files))
  const lines = new Set(usual.map(({ command }) => command.join(' ')))
  const others = otherScripts(files).filter(({ command }) => !lines.has(command.join(' ')))
  const names = new Set<string>()
  return [
    ...usual.map(check => ({ ...check, usual: true })),
    ...others.slice(0, MOST_OTHERS).map(check => ({ ...check, usual: false })),
  ].filter(({ name }) => !names.has(name) && names.add(name))
}

/** What brings the dependencies of a Node.js project into a fresh worktree; undefined when it has none. */
export function guessSetup(files: Files): string[] | undefined {
  const manifest = manifestOf(files)
  const has = (key: string) => Object.keys(objectOf(manifest?.[key])).length > 0
  if (!has('dependencies') && !has('devDependencies')) return undefined
  if (files.has('pnpm-lock.yaml')) return ['pnpm', 'install', '--frozen-lockfile']
  if (files.has('yarn.lock')) return ['yarn', 'install']
  if (isBun(files)) return ['bun', 'install']
  return ['npm', files.has('package-lock.json') ? 'ci' : 'install']
}

type Found = { name: string; command: string[] }

function fromPackage(files: Files): Found[] {
  const scripts = scriptsOf(files)
  return KINDS.flatMap(([name, known]) => {
    const script = known.find(one => typeof scripts[one] === 'string' && !NO_TEST.test(scripts[one]))
    return script === undefined ? [] : [{ name, command: runScript(files, script) }]
  })
}

function runScript(files: Files, script: string): string[] {
  // `bun test` is another thing than the script.
  if (isBun(files)) return ['bun', 'run', script]
  const runner = files.has('pnpm-lock.yaml') ? 'pnpm' : files.has('yarn.lock') ? 'yarn' : 'npm'
  return script === 'test' ? [runner, 'test'] : [runner, 'run', script]
}

/** All that the folder names, for a person to choose from. */
function otherScripts(files: Files): Found[] {
  const scripts = Object.entries(scriptsOf(files)).filter(([, text]) => typeof text === 'string' && !NO_TEST.test(text))
  return [
    ...scripts.map(([script]) => ({ script, command: runScript(files, script) })),
    ...[...targetsOf(files)].map(script => ({ script, command: ['make', script] })),
  ].flatMap(({ script, command }) => {
    const name = script.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    return NO_CHECK.test(script) || !CheckName.safeParse(name).success ? [] : [{ name, command }]
  })
}

function fromMakefile(files: Files): Found[] {
  const targets = targetsOf(files)
  const found = KINDS.flatMap(([name, known]) => {
    const target = known.find(one => targets.has(one))
    return target === undefined ? [] : [{ name, command: ['make', target] }]
  })
  if (found.length === 0 && targets.has('check')) return [{ name: 'test', command: ['make', 'check'] }]
  return found
}

function targetsOf(files: Files): ReadonlySet<string> {
  const text = files.get('GNUmakefile') ?? files.get('makefile') ?? files.get('Makefile') ?? ''
  const rules = text.matchAll(/^([A-Za-z0-9][\w -]*):(?![=:]?=)/gm)
  return new Set([...rules].flatMap(([, names = '']) => names.trim().split(/\s+/)))
}

function fromCargo(files: Files): Found[] {
  return files.has('Cargo.toml') ? [{ name: 'test', command: ['cargo', 'test'] }] : []
}

function fromPyproject(files: Files): Found[] {
  const text = files.get('pyproject.toml')
  if (text === undefined) return []
  const start = files.has('uv.lock') ? ['uv', 'run'] : files.has('poetry.lock') ? ['poetry', 'run'] : []
  const run = (module: string, ...args: string[]) =>
    start.length > 0 ? [...start, module, ...args] : ['python3', '-m', module, ...args]
  return [
    ...(/\bpytest\b/.test(text) ? [{ name: 'test', command: run('pytest') }] : []),
    ...(/^\[tool\.ruff/m.test(text) ? [{ name: 'lint', command: run('ruff', 'check', '.') }] : []),
    ...(/^\[tool\.mypy/m.test(text) ? [{ name: 'typecheck', command: run('mypy', '.') }] : []),
  ]
}

function fromGo(files: Files): Found[] {
  if (!files.has('go.mod')) return []
  return [
    { name: 'test', command: ['go', 'test', './...'] },
    { name: 'vet', command: ['go', 'vet', './...'] },
  ]
}

function isBun(files: Files): boolean {
  return files.has('bun.lock') || files.has('bun.lockb')
}

function scriptsOf(files: Files): Record<string, unknown> {
  return objectOf(manifestOf(files)?.['scripts'])
}

function manifestOf(files: Files): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(files.get('package.json') ?? ''))
  } catch {
    return undefined // Not there, or not JSON: nothing to guess from.
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

async function isFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined) // Not there, or not ours to look at.
  return stats?.isFile() === true
}
