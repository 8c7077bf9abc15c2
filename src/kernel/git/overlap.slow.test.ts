import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Repo, run, Yard } from '../../../test/git.ts'
import { folderStamp } from './folder-stamp.ts'
import { sameLines } from './overlap.ts'
import type { Checkout } from './overlay.ts'
import { openRepository } from './repository.ts'
import { Scratch } from './scratch.ts'

const SEVEN = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const ALL = [[0, Number.MAX_SAFE_INTEGER]]

test('lines are counted in the base, saved or not, and nothing gets into the repository', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`)
  repo.write('a', `${lines.join('\n')}\n`)
  repo.write('日本\n語"名', 'one\ntwo\n')
  for (const name of ['gone', 'kept', 'tool', 'moves']) repo.write(name, `${name}\n`)
  repo.write('binary', '\0one')
  const base = repo.commit()
  const changed = [...lines]
  changed[0] = '-- a line that looks like a header'
  changed.splice(9, 2, 'ten and eleven')
  repo.write('a', `${changed.join('\n')}\n`)
  repo.commit()
  changed.splice(15, 0, '++ inserted', 'twice')
  repo.write('a', `${changed.join('\n')}\n`)
  repo.write('日本\n語"名', 'one\n2\n')
  repo.write('new', 'new\n')
  repo.write('binary', '\0two')
  rmSync(repo.at('gone'))
  chmodSync(repo.at('tool'), 0o755)
  repo.git('mv', 'moves', 'moved')
  const before = objectsIn(repo)
  const { scratch, checkout } = await opened(yard, repo)
  const { tree } = await scratch.take(checkout)
  const found = await scratch.touched(base, tree)
  expect(Object.fromEntries(found)).toEqual({
    a: [
      [1, 1],
      [10, 11],
      [16, 17],
    ],
    '日本\n語"名': [[2, 2]],
    new: ALL,
    binary: ALL,
    gone: ALL,
    moves: ALL,
    moved: ALL,
    tool: [[0, 0]],
  })
  expect(objectsIn(repo)).toEqual(before)
  await scratch.dispose()
  expect(readdirSync(yard.git.folder)).toEqual([])
})

test('a stamp changes with every change, of tracked files, new ones, commits and nested repositories', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'one\n')
  repo.write('sub/x', '1\n')
  run(repo.at('sub'), ['init', '-q'])
  const commitIn = (n: number) => {
    repo.write('sub/x', `${n}\n`)
    run(repo.at('sub'), ['add', '-A'])
    run(repo.at('sub'), ['commit', '-q', '-m', 'sub'])
  }
  commitIn(2)
  repo.commit()
  const { checkout } = await opened(yard, repo)
  const stamps = [await folderStamp(yard.git, checkout)]
  expect(await folderStamp(yard.git, checkout)).toBe(stamps[0])
  const steps = [
    () => repo.write('a', 'two\n'),
    () => repo.write('a', 'six\n'),
    () => repo.write('new', 'x\n'),
    () => repo.write('new', 'y\n'),
    () => commitIn(3),
    () => commitIn(4),
    () => repo.commit(),
    () => rmSync(repo.at('a')),
  ]
  for (const step of steps) {
    step()
    stamps.push(await folderStamp(yard.git, checkout))
  }
  expect(new Set(stamps).size).toBe(stamps.length)
})

test('two works that change a line, or clash by their names, do not merge; nothing that the repository names is run', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', SEVEN)
  repo.write('.gitattributes', '* merge=bad diff=bad\n')
  const base = repo.commit()
  // From here on the test runs no git of its own: that one would obey.
  const named = ['merge.bad.driver', 'diff.bad.command', 'diff.bad.textconv', 'core.fsmonitor', 'core.hooksPath']
  for (const key of named) repo.git('config', key, `touch ${yard.canary}`)
  const { scratch, checkout } = await opened(yard, repo)
  const work = async (change: () => void, undo: () => void = () => repo.write('a', SEVEN)) => {
    change()
    const { commit } = await scratch.take(checkout)
    undo()
    return commit
  }
  const first = await work(() => repo.write('a', 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n'))
  const other = await work(() => repo.write('a', '1\ntwo\nthree\nfour\nfive\nsix\nseven\n'))
  const last = await work(() => repo.write('a', 'one\ntwo\nthree\nfour\nfive\nsix\n7\n'))
  const gone = () => rmSync(repo.at('b'), { recursive: true })
  const folder = await work(() => repo.write('b/x', 'x\n'), gone)
  const file = await work(() => repo.write('b', 'x\n'), gone)
  const moved = await work(() => renameSync(repo.at('a'), repo.at('c')))
  expect(await scratch.conflicts(first, other)).toEqual(['a'])
  expect(await scratch.conflicts(first, last)).toBeUndefined()
  expect(await scratch.conflicts(first, moved)).toBeUndefined()
  expect(await scratch.conflicts(folder, file)).not.toBeUndefined()
  const touched = (commit: string) => scratch.touched(base, commit)
  expect(sameLines(await touched(first), await touched(other))).toContain('a')
  expect(await scratch.differing(first, other, ['a'])).toEqual(['a'])
  expect(await scratch.differing(first, first, ['a'])).toEqual([])
  expect(yard.sang).toBe(false)
  await scratch.dispose()
})

test('before the first commit work is compared, too', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  const { scratch, checkout } = await opened(yard, repo)
  repo.write('a', '1\n')
  const one = await scratch.take(checkout)
  repo.write('a', '2\n')
  const other = await scratch.take(checkout)
  expect(one.head).toBeUndefined()
  expect(await scratch.conflicts(one.commit, other.commit)).toEqual(['a'])
  await scratch.dispose()
})

async function opened(yard: Yard, repo: Repo): Promise<{ scratch: Scratch; checkout: Checkout }> {
  const repository = await openRepository(yard.git, repo.root)
  return { scratch: await Scratch.open(yard.git, repository), checkout: repository.checkout as Checkout }
}

function objectsIn(repo: Repo): string[] {
  expect(existsSync(repo.at('.git/objects'))).toBe(true)
  return readdirSync(repo.at('.git/objects'), { recursive: true }).map(String).sort()
}
