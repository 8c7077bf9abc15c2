// Real repositories for tests, made by the real git with an environment of its own.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Git } from '#kernel/git/git.ts'

const ENV = {
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_ALLOW_PROTOCOL: 'file',
}

/** A folder with repositories in it, gone at the end. */
export class Yard implements Disposable {
  readonly home = realpathSync(mkdtempSync(path.join(tmpdir(), 'toryo-git-')))
  readonly git = new Git({ folder: path.join(this.home, 'git'), env: { PATH: ENV.PATH, HOME: this.home } });

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Something that a planted command would make. */
  get canary(): string {
    return path.join(this.home, 'CANARY')
  }

  get sang(): boolean {
    return existsSync(this.canary)
  }

  repository(name = 'repo', ...options: string[]): Repo {
    const root = path.join(this.home, name)
    const repo = new Repo(root)
    if (options.length === 0) return repo.init()
    mkdirSync(root)
    repo.git('init', '-q', '-b', 'main', ...options)
    return repo
  }

  /** With another repository, of one commit, as its submodule `sub`. Not committed yet. */
  repositoryWithSubmodule(): Repo {
    const inner = this.repository('inner')
    inner.write('x', '1\n')
    inner.commit()
    const repo = this.repository()
    repo.write('a', 'a')
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub')
    return repo
  }
}

export class Repo {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  /** A new one, on the branch main. */
  init(): this {
    mkdirSync(this.root, { recursive: true })
    cpSync(path.join(emptyRepository(), '.git'), this.at('.git'), { recursive: true })
    return this
  }

  git(...args: string[]): string {
    return run(this.root, args)
  }

  at(name: string): string {
    return path.join(this.root, name)
  }

  write(name: string, content: string | Uint8Array, mode?: number): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true })
    writeFileSync(this.at(name), content)
    if (mode !== undefined) chmodSync(this.at(name), mode)
  }

  commit(message = 'commit'): string {
    return execute(this.root, '/bin/sh', ['-c', COMMIT, 'sh', message]).trim()
  }
}

/** In one process of ours: to start one from a worker costs more than what git does here. */
const COMMIT = 'git add -A && git commit -q --allow-empty --no-verify -m "$1" && git rev-parse HEAD'

let empty: string | undefined

/** What `git init` makes, made once per worker and then copied; without the samples of hooks, which nobody reads. */
function emptyRepository(): string {
  if (empty !== undefined && existsSync(empty)) return empty
  const folder = mkdtempSync(path.join(tmpdir(), 'toryo-empty-'))
  run(folder, ['init', '-q', '-b', 'main'])
  const hooks = path.join(folder, '.git', 'hooks')
  for (const name of readdirSync(hooks)) rmSync(path.join(hooks, name))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  empty = folder
  return folder
}

export function run(cwd: string, args: readonly string[]): string {
  return execute(cwd, 'git', args)
}

function execute(cwd: string, program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd,
    env: { ...ENV, HOME: cwd },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
