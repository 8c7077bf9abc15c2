import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Repo, run, Yard } from '../../../test/git.ts'
import { applyStep, stepOf } from '../../../test/git-steps.ts'
import { changedFiles, diff } from './changes.ts'
import type { Checkout } from './overlay.ts'
import { emptyTree, openRepository } from './repository.ts'

const MB = 1024 * 1024

async function checkoutOf(yard: Yard, repo: Repo): Promise<Checkout> {
  const { checkout } = await openRepository(yard.git, repo.root)
  return checkout as Checkout
}

async function changes(yard: Yard, repo: Repo, base: string): Promise<string[]> {
  const { files } = await changedFiles(yard.git, await checkoutOf(yard, repo), base)
  return files.map(({ status, path: name, from }) => `${status} ${from === undefined ? '' : `${from} → `}${name}`)
}

/** The same question to the plain program, on a copy of the index in which everything untracked is added. */
function plainDiff(repo: Repo, base: string): string {
  repo.git('add', '-A')
  return repo.git(
    '-c',
    'core.quotePath=false',
    'diff-index',
    '--cached',
    '-p',
    '--find-renames',
    '--full-index',
    '--no-ext-diff',
    '--no-textconv',
    base,
  )
}

test('tells what is different since the base, committed or not, tracked or not', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('kept', 'kept')
  repo.write('changed', 'one\n')
  repo.write('removed', 'removed\n')
  repo.write('moved from', 'a long text that moves\n'.repeat(20))
  repo.write('tool', '#!/bin/sh\n')
  repo.write('becomes a link', 'x')
  repo.write('becomes a folder', 'x')
  repo.write('.gitignore', 'ignored\nforced\n')
  const base = repo.commit()
  repo.write('committed', 'later\n')
  repo.write('forced', 'tracked although it is ignored\n')
  repo.git('add', '-f', 'forced')
  repo.commit()
  repo.write('changed', 'two\n')
  rmSync(repo.at('removed'))
  repo.git('mv', 'moved from', '移動先.txt')
  chmodSync(repo.at('tool'), 0o755)
  rmSync(repo.at('becomes a link'))
  symlinkSync('/etc/hostname', repo.at('becomes a link'))
  rmSync(repo.at('becomes a folder'))
  repo.write('becomes a folder/inside', 'something else\n')
  repo.write('新しい/ファイル 名.txt', '日本語\n')
  repo.write('ignored', 'x')
  repo.git('rm', '-q', '--cached', 'kept')
  expect(await changes(yard, repo, base)).toEqual([
    'deleted becomes a folder',
    'added becomes a folder/inside',
    'modified becomes a link',
    'modified changed',
    'added committed',
    'added forced',
    'deleted removed',
    'modified tool',
    'added 新しい/ファイル 名.txt',
    'renamed moved from → 移動先.txt',
  ])
  const found = await diff(yard.git, await checkoutOf(yard, repo), base, MB)
  expect(found.truncated).toBe(false)
  expect(found.diff).toContain('+++ b/新しい/ファイル 名.txt\t\n@@ -0,0 +1 @@\n+日本語')
  expect(found.diff).toContain('old mode 100644\nnew mode 100755')
  expect(found.diff).toContain('rename from moved from\nrename to 移動先.txt')
  expect(found.diff).toContain('+/etc/hostname')
  expect(found.diff).toBe(plainDiff(repo, base))
})

test('a file that was put back is no change, however often it was written', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'same')
  const base = repo.commit()
  repo.write('a', 'other')
  repo.commit()
  repo.write('a', 'same')
  utimesSync(repo.at('a'), 1, 1)
  expect(await changes(yard, repo, base)).toEqual([])
})

test('a change of the same length in the same second is seen', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  for (let n = 0; n < 20; n++) repo.write(`f${n}`, 'one\n')
  const base = repo.commit()
  for (let n = 0; n < 20; n++) repo.write(`f${n}`, 'two\n')
  expect(await changes(yard, repo, base)).toHaveLength(20)
})

test('flags that hide a change from git hide none from us', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  for (const name of ['assumed', 'skipped']) repo.write(name, 'one\n')
  const base = repo.commit()
  repo.git('update-index', '--assume-unchanged', 'assumed')
  repo.write('assumed', 'changed\n')
  expect(await changes(yard, repo, base)).toEqual(['modified assumed'])
})

test('a sparse checkout misses nothing but what is not laid out', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('in/a', 'a\n')
  repo.write('out/b', 'b\n')
  const base = repo.commit()
  repo.write('out/b', 'changed before it was put away\n')
  repo.write('out/c', 'new before it was put away\n')
  repo.commit()
  repo.git('sparse-checkout', 'set', 'in')
  expect(readdirSync(repo.root).filter(name => name !== '.git')).toEqual(['in'])
  repo.write('in/a', 'changed\n')
  expect(await changes(yard, repo, base)).toEqual(['modified in/a', 'modified out/b', 'added out/c'])
  const found = await diff(yard.git, await checkoutOf(yard, repo), base, MB)
  expect(found.diff).toContain('+changed before it was put away')
})

test('an unborn branch is compared with nothing', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('first', '1\n')
  expect(await changes(yard, repo, emptyTree('sha1'))).toEqual(['added first'])
})

test('a repository with longer hashes is read as well', async () => {
  using yard = new Yard()
  const repo = yard.repository('long', '--object-format=sha256')
  repo.write('a', 'a\n')
  const base = repo.commit()
  repo.write('a', 'b\n')
  repo.write('empty', '')
  expect(await changes(yard, repo, base)).toEqual(['modified a', 'added empty'])
  expect((await diff(yard.git, await checkoutOf(yard, repo), base, MB)).diff).toBe(plainDiff(repo, base))
})

test('a split index is understood', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  const base = repo.commit()
  repo.git('update-index', '--split-index')
  repo.write('forced', 'x')
  repo.write('.gitignore', 'forced\n')
  repo.git('add', '-f', 'forced')
  repo.write('a', 'b\n')
  expect(await changes(yard, repo, base)).toEqual(['added .gitignore', 'modified a', 'added forced'])
})

test('a damaged index costs time, not the answer', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  repo.write('b', 'b\n')
  const base = repo.commit()
  repo.write('a', 'changed\n')
  writeFileSync(repo.at('.git/index'), 'nonsense')
  expect(await changes(yard, repo, base)).toEqual(['modified a'])
})

test('submodules are compared by their commit, and git is not run in them', async () => {
  using yard = new Yard()
  const repo = yard.repositoryWithSubmodule()
  const base = repo.commit()
  run(repo.at('sub'), ['config', 'core.fsmonitor', `touch ${yard.canary}; false`])
  run(repo.at('sub'), ['config', 'diff.external', `touch ${yard.canary}`])
  repo.write('sub/x', '2\n')
  expect(await changes(yard, repo, base)).toEqual([])
  run(repo.at('sub'), ['-c', 'core.fsmonitor=false', 'commit', '-qam', '2'])
  const head = run(repo.at('sub'), ['rev-parse', 'HEAD']).trim()
  expect(await changes(yard, repo, base)).toEqual(['modified sub'])
  const found = await diff(yard.git, await checkoutOf(yard, repo), base, MB)
  expect(found.diff).toContain(`+Subproject commit ${head}`)
  expect(yard.sang).toBe(false)
})

test('a repository that lies in the folder is one untracked thing', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a')
  const base = repo.commit()
  mkdirSync(repo.at('lying/here'), { recursive: true })
  run(repo.at('lying/here'), ['init', '-q'])
  repo.write('lying/here/x', 'x')
  expect(await changes(yard, repo, base)).toEqual(['added lying/here/'])
  expect((await diff(yard.git, await checkoutOf(yard, repo), base, MB)).diff).toBe('')
})

test('line endings are compared as git would', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('.gitattributes', '*.txt text eol=crlf\n')
  repo.write('a.txt', 'one\r\ntwo\r\n')
  const base = repo.commit()
  utimesSync(repo.at('a.txt'), 5, 5)
  expect(await changes(yard, repo, base)).toEqual([])
  repo.write('a.txt', 'one\r\n2\r\n')
  expect((await diff(yard.git, await checkoutOf(yard, repo), base, MB)).diff).toBe(plainDiff(repo, base))
})

test('a large file that git-lfs has put into place is no change', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  const content = 'large '.repeat(1000)
  const oid = createHash('sha256').update(content).digest('hex')
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`
  repo.write('big.bin', pointer)
  repo.write('other.bin', pointer)
  const base = repo.commit()
  mkdirSync(repo.at('.git/lfs'))
  repo.write('big.bin', content)
  repo.write('other.bin', content.replace('l', 'L'))
  expect(await changes(yard, repo, base)).toEqual(['modified other.bin'])
})

test('the diff is cut at whole lines and says so', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  const base = repo.commit()
  repo.write('long', '日本語の一行\n'.repeat(5000))
  const found = await diff(yard.git, await checkoutOf(yard, repo), base, 10_000)
  expect(found.truncated).toBe(true)
  expect(Buffer.byteLength(found.diff)).toBeLessThanOrEqual(10_000)
  expect(found.diff.endsWith('+日本語の一行\n')).toBe(true)
})

test('a file too large to show is shown as a binary one', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  const base = repo.commit()
  repo.write('huge', Buffer.alloc(17 * MB, 'x'))
  const found = await diff(yard.git, await checkoutOf(yard, repo), base, MB)
  expect(found.diff).toContain('Binary files /dev/null and b/huge differ')
})

test('ten thousand files, half of them untracked', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  for (let n = 0; n < 5000; n++) repo.write(`d${n % 50}/f${n}`, `${n}\n`)
  const base = repo.commit()
  for (let n = 0; n < 5000; n++) repo.write(`d${n % 50}/f${n}`, `${n}!\n`)
  for (let n = 0; n < 5000; n++) repo.write(`n${n % 50}/新${n}`, `${n}\n`)
  const { files, truncated } = await changedFiles(yard.git, await checkoutOf(yard, repo), base)
  expect(truncated).toBe(false)
  expect(files.filter(({ status }) => status === 'modified')).toHaveLength(5000)
  expect(files.filter(({ status }) => status === 'added')).toHaveLength(5000)
})

test('leaves nothing behind', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  const base = repo.commit()
  repo.write('a', 'b\n')
  const before = repo.git('count-objects')
  await diff(yard.git, await checkoutOf(yard, repo), base, MB)
  await expect(changedFiles(yard.git, await checkoutOf(yard, repo), '0'.repeat(40))).rejects.toThrow(/git/)
  expect(readdirSync(yard.git.folder)).toEqual([])
  expect(repo.git('count-objects')).toBe(before)
})

test('a cancelled comparison ends and cleans up', async () => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a\n')
  const base = repo.commit()
  const checkout = await checkoutOf(yard, repo)
  await expect(changedFiles(yard.git, checkout, base, AbortSignal.abort())).rejects.toMatchObject({
    problem: 'cancelled',
  })
  expect(readdirSync(yard.git.folder)).toEqual([])
})

describe('compared with the plain program', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    'dir/a',
    'dir/b',
    'dir/sub/c',
    '名前.txt',
    'sp ace',
    'é',
    'é',
    'q"uote',
    'tab\there',
  )
  const content = fc.oneof(
    fc.constantFrom('', 'x\n', 'no end', '\0binary', 'line\n'.repeat(30)),
    fc.string({ maxLength: 40 }),
  )
  test('random work gives the same diff and the same files', async () => {
    const steps = fc.array(stepOf(name, content), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, after) => {
        using yard = new Yard()
        const repo = yard.repository()
        for (const one of before) applyStep(repo, one)
        const base = repo.commit('base')
        for (const one of after) applyStep(repo, one)
        const checkout = await checkoutOf(yard, repo)
        const ours = await diff(yard.git, checkout, base, MB)
        const { files } = await changedFiles(yard.git, checkout, base)
        expect(ours.diff).toBe(plainDiff(repo, base))
        expect(files.map(({ status, path: file, from }) => [status, from, file])).toEqual(plainFiles(repo, base))
      }),
      { numRuns: 25 },
    )
  })

  function plainFiles(repo: Repo, base: string): [string, string | undefined, string][] {
    const fields = repo.git('diff-index', '--cached', '-z', '--name-status', '--find-renames', base).split('\0')
    const found: [string, string | undefined, string][] = []
    const words: Record<string, string> = { A: 'added', D: 'deleted', M: 'modified', T: 'modified', R: 'renamed' }
    for (let at = 0; at + 1 < fields.length; ) {
      const letter = (fields[at++] ?? '')[0] ?? ''
      const from = letter === 'R' ? fields[at++] : undefined
      found.push([words[letter] as string, from, fields[at++] as string])
    }
    return found.sort((a, b) => Buffer.compare(Buffer.from(a[2]), Buffer.from(b[2])))
  }
})
