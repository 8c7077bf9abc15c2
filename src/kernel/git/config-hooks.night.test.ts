// Hooks in the configuration, which git runs since 2.54. Here the git that is installed is dressed up as one that does.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Yard } from '../../../test/git.ts'
import { Git } from './git.ts'
import { openRepository } from './repository.ts'
import { addWorktree, dropBranch, dropRef, keepCommit } from './worktrees.ts'

const EVENT = 'reference-transaction'

/**
 * Before a command that changes refs it does what git would: it runs the hooks of the configuration as it stands then, with all
 * that was given on the command line and in the environment. `late`: the configuration gets its hook only at that moment.
 */
function gitWithHooks(yard: Yard, version: string, late: string): Git {
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!${process.execPath}
const { execFileSync, spawnSync } = require('node:child_process')
const args = process.argv.slice(2)
if (args[0] === '--version') return console.log('git version ${version}')
let at = 0
while (args[at]?.startsWith('-')) at += args[at] === '-c' ? 2 : 1
const changes = args[at] === 'update-ref' || args.slice(at, at + 2).join(' ') === 'worktree add'
if (changes) {
  if (${JSON.stringify(late)}) require('node:fs').appendFileSync(args.find(one => one.startsWith('--git-dir=')).slice(10) + '/config', ${JSON.stringify(late)})
  const said = spawnSync(${JSON.stringify(real)}, [...args.slice(0, at), 'config', '-z', '--get-regexp', '^hook[.]']).stdout.toString()
  const all = said.split('\\0').slice(0, -1).map(one => [one.slice(0, one.indexOf('\\n')), one.slice(one.indexOf('\\n') + 1)])
  const last = name => all.findLast(([key]) => key === name)?.[1]
  const whole = ${JSON.stringify(version)} >= '2.55' && last('hook.${EVENT}.enabled') === 'false'
  for (const [key, event] of all) {
    const hook = key.slice(0, key.lastIndexOf('.'))
    if (!key.endsWith('.event') || event !== '${EVENT}' || whole || last(hook + '.enabled') === 'false') continue
    execFileSync('/bin/sh', ['-c', last(hook + '.command')])
  }
}
process.exit(spawnSync(${JSON.stringify(real)}, args, { stdio: 'inherit' }).status)
`
  const bin = path.join(yard.home, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 })
  return new Git({ folder: path.join(yard.home, 'git'), env: { PATH: bin, HOME: yard.home } })
}

const hook = (name: string, command: string) => `[hook "${name}"]\n\tevent = ${EVENT}\n\tcommand = ${command}\n`

test.each([
  ['2.54.1', ['evil', 'a.b=c d', 'with\\"quote']],
  ['2.55.0', ['evil']],
])('T14: none is run by a git %s, in any change of a repository', async (version, names) => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'one\n')
  const commit = repo.commit()
  const git = gitWithHooks(yard, version, '')
  for (const name of names) writeFileSync(repo.at('.git/config'), hook(name, `touch ${yard.canary}`), { flag: 'a' })
  await everyChange(git, repo.root, commit, yard.home)
  expect(yard.sang).toBe(false)
})

test('T14: nor one that is written into the configuration at the last moment, where git can be told so', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  const commit = repo.commit()
  const git = gitWithHooks(yard, '2.55.0', hook('evil', `touch ${yard.canary}`))
  await everyChange(git, repo.root, commit, yard.home)
  expect(yard.sang).toBe(false)
})

test('T14: they do run when git is told nothing', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  const commit = repo.commit()
  await gitWithHooks(yard, '2.55.0', '').program()
  writeFileSync(repo.at('.git/config'), hook('evil', `touch ${yard.canary}`), { flag: 'a' })
  execFileSync(path.join(yard.home, 'bin', 'git'), ['update-ref', 'refs/heads/x', commit], { cwd: repo.root })
  expect(yard.sang).toBe(true)
})

async function everyChange(git: Git, root: string, commit: string, home: string): Promise<void> {
  const repository = await openRepository(git, root)
  const folder = path.join(home, 'tree')
  mkdirSync(folder)
  await addWorktree(git, repository, { path: folder, branch: 'feature', start: { from: commit } })
  expect(existsSync(path.join(folder, '.git'))).toBe(true)
  await keepCommit(git, repository.commonDir, 'refs/toryo/kept', commit)
  await keepCommit(git, repository.commonDir, 'refs/heads/other', commit)
  await dropRef(git, repository.commonDir, 'refs/toryo/kept')
  await dropBranch(git, repository.commonDir, 'other', commit)
}
