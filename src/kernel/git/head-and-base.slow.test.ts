// What is read from files is what git says, also where its files say it in unusual ways.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Repo, Yard } from '#test/git.ts'
import { Git } from './git.ts'
import { headAndBase } from './head-and-base.ts'

const LAYOUTS: [name: string, base: string, lay: (repo: Repo) => void][] = [
  ['a plain branch', 'refs/heads/base', () => {}],
  ['packed refs', 'refs/heads/base', repo => void repo.git('pack-refs', '--all')],
  ['an annotated tag', 'refs/tags/v1', repo => void repo.git('tag', '-a', '-m', 'one', 'v1')],
  [
    'a packed annotated tag',
    'refs/tags/v1',
    repo => {
      repo.git('tag', '-a', '-m', 'one', 'v1')
      repo.git('pack-refs', '--all')
    },
  ],
  [
    'a base that points to another branch, and was packed before',
    'refs/heads/base',
    repo => {
      repo.git('pack-refs', '--all')
      repo.git('symbolic-ref', 'refs/heads/base', 'refs/heads/main')
    },
  ],
  [
    'a checked out branch that points to another, and was packed before',
    'refs/heads/main',
    repo => {
      repo.git('pack-refs', '--all')
      repo.git('symbolic-ref', 'HEAD', 'refs/heads/base')
      repo.git('symbolic-ref', 'refs/heads/base', 'refs/heads/main')
    },
  ],
  ['a detached HEAD', 'refs/heads/base', repo => void repo.git('checkout', '-q', '--detach')],
  [
    'a base whose file a crash left empty, and that was packed before',
    'refs/heads/base',
    repo => {
      repo.git('pack-refs', '--all')
      writeFileSync(repo.at('.git/refs/heads/base'), '')
    },
  ],
  [
    'a HEAD that is a link',
    'refs/heads/base',
    repo => {
      rmSync(repo.at('.git/HEAD'))
      symlinkSync('refs/heads/base', repo.at('.git/HEAD'))
    },
  ],
  [
    'a HEAD at a ref of the checkout alone',
    'refs/heads/base',
    repo => {
      repo.git('update-ref', 'refs/worktree/own', 'HEAD')
      repo.git('symbolic-ref', 'HEAD', 'refs/worktree/own')
    },
  ],
]

test.each(LAYOUTS)('HEAD and base are what git says: %s', async (_, base, lay) => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  repo.commit()
  repo.git('branch', 'base')
  repo.write('a', 'b\n')
  repo.commit()
  lay(repo)
  const git = new Git({ folder: path.join(yard.home, 'git'), env: { PATH: process.env['PATH'], HOME: yard.home } })
  const gitDir = repo.at('.git')
  const said = (...args: string[]) => {
    try {
      return repo.git(...args).trim()
    } catch {
      return undefined
    }
  }
  expect(await headAndBase(git, { gitDir, commonDir: gitDir }, base)).toEqual({
    branch: branchIn(said('symbolic-ref', '--quiet', 'HEAD') ?? ''),
    commit: said('rev-parse', 'HEAD'),
    other: said('rev-parse', `${base}^{commit}`),
  })
})

const branchIn = (head: string) => /^refs\/heads\/(.*)$/.exec(head)?.[1]
