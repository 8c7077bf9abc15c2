import { chmodSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Yard } from '../../../test/git.ts'
import { touchedLines } from './overlap.ts'
import type { Checkout } from './overlay.ts'
import { openRepository } from './repository.ts'

const ALL = [[0, Number.MAX_SAFE_INTEGER]]

test('lines are counted in the base, saved or not', async () => {
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
  const { checkout } = await openRepository(yard.git, repo.root)
  const found = await touchedLines(yard.git, checkout as Checkout, base)
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
})
