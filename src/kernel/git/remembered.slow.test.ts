// What is asked of git once, and when it is asked again: a process costs more than all the files that its answer depends on.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Yard } from '#test/git.ts'
import { Git } from './git.ts'
import { branchProblem } from './names.ts'
import { openRepository } from './repository.ts'

/** A git that writes down what it is asked. */
function noting(yard: Yard): { git: Git; asked: () => string[] } {
  const [bin, log] = [path.join(yard.home, 'bin'), path.join(yard.home, 'asked')]
  mkdirSync(bin)
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`)
  chmodSync(path.join(bin, 'git'), 0o755)
  writeFileSync(log, '')
  const git = new Git({ folder: path.join(yard.home, 'git'), env: { PATH: bin, HOME: yard.home } })
  const asked = () => {
    const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean)
    writeFileSync(log, '')
    return lines.filter(line => !line.startsWith('--version'))
  }
  return { git, asked }
}

test('the user’s settings are asked for again when a file says something else, and always when one includes others', async () => {
  using yard = new Yard()
  const { git, asked } = noting(yard)
  const file = path.join(yard.home, '.gitconfig')
  const eol = async () => (await git.settings()).eol
  expect([await eol(), await eol(), asked().length]).toEqual([undefined, undefined, 1])
  writeFileSync(file, '[core]\n\teol = crlf\n')
  expect([await eol(), await eol(), asked().length]).toEqual(['crlf', 'crlf', 1])
  // The other file in which git looks.
  mkdirSync(path.join(yard.home, '.config', 'git'), { recursive: true })
  rmSync(file)
  writeFileSync(path.join(yard.home, '.config', 'git', 'config'), '[core]\n\teol = lf\n')
  expect([await eol(), await eol(), asked().length]).toEqual(['lf', 'lf', 1])
  const more = path.join(yard.home, 'more')
  writeFileSync(more, '[core]\n\teol = native\n')
  writeFileSync(file, `[include]\n\tpath = ${more}\n`)
  expect(await eol()).toBe('native')
  writeFileSync(more, '[core]\n\teol = lf\n')
  expect([await eol(), asked().length]).toEqual(['lf', 2])
  // A file that is too large to be compared is git's to read.
  writeFileSync(file, `${'# much\n'.repeat(20_000)}[core]\n\teol = crlf\n`)
  expect([await eol(), await eol(), asked().length]).toEqual(['crlf', 'crlf', 2])
})

test('a repository is asked about once, and again when its files say something else', async () => {
  using yard = new Yard()
  const { git, asked } = noting(yard)
  const repo = yard.repository()
  repo.write('a', 'a\n')
  repo.commit()
  const linked = path.join(yard.home, 'linked')
  repo.git('worktree', 'add', '-q', '-b', 'b', linked)
  const first = await openRepository(git, linked)
  expect(await openRepository(git, linked)).toEqual(first)
  expect(first.commonDir).toBe(repo.at('.git'))
  expect(asked()).toHaveLength(1)
  const config = readFileSync(repo.at('.git/config'), 'utf8')
  writeFileSync(repo.at('.git/config'), config.replace('repositoryformatversion = 0', 'repositoryformatversion = 99'))
  await expect(openRepository(git, linked)).rejects.toMatchObject({ problem: 'newer-repository' })
  writeFileSync(repo.at('.git/config'), config)
  expect(await openRepository(git, linked)).toEqual(first)
  renameSync(repo.at('.git/objects'), repo.at('.git/away'))
  await expect(openRepository(git, linked)).rejects.toMatchObject({ problem: 'damaged' })
  renameSync(repo.at('.git/away'), repo.at('.git/objects'))
  writeFileSync(repo.at('.git/worktrees/linked/HEAD'), 'nonsense\n')
  await expect(openRepository(git, linked)).rejects.toMatchObject({ problem: 'bad-head' })
})

test('git takes every branch name that we take', () => {
  using yard = new Yard()
  const repo = yard.repository()
  const parts = ['a', '.a', 'a.', 'a.lock', '@', '-a', 'HEAD', 'é', 'a..b', 'a@{b', 'a b', 'a~', '#1', '(a)', '%', '']
  const names = parts.flatMap(one => [one, ...parts.map(other => `${one}/${other}`)])
  const taken = names.filter(name => branchProblem(name) === undefined)
  expect(taken.length).toBeGreaterThan(40)
  for (const name of taken) repo.git('check-ref-format', `refs/heads/${name}`)
})

test('settings that git failed to read once are read again: what the user ignores must not be taken from then on', async () => {
  using yard = new Yard()
  const { git } = noting(yard)
  writeFileSync(path.join(yard.home, '.gitconfig'), '[core]\n\texcludesFile = /ignore\n')
  const program = path.join(yard.home, 'bin', 'git')
  const working = readFileSync(program, 'utf8')
  const usual = path.join(yard.home, '.config', 'git', 'ignore')
  await git.program()
  writeFileSync(program, '#!/bin/sh\necho "fatal: out of memory" >&2\nexit 128\n')
  expect((await git.settings()).excludesFile).toBe(usual)
  writeFileSync(program, working)
  expect((await git.settings()).excludesFile).toBe('/ignore')
})
