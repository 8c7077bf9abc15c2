// The page's reader of diffs against git itself: what it read, put into the old files, gives the new ones.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FileDiff, parseDiff } from '../../web/src/parts/diff/parse.ts'
import { rowsOf } from '../../web/src/parts/diff/rows.ts'
import { type Repo, Yard } from '../git.ts'

const line = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'b',
    ' ',
    '\t',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '\\ No newline',
    '-',
    '+',
  ),
  fc.constantFrom('商品', '🛒 cart', 'x\r', 'rename from y', 'Binary files a/x and b/x differ'),
  fc.string({ maxLength: 12 }).map(text => text.replaceAll(/[\n\0]/g, '')),
)
const content = fc.tuple(fc.array(line, { maxLength: 30 }), fc.boolean()).map(([lines, isOpen]) => {
  const text = lines.join('\n')
  return isOpen || text === '' ? text : `${text}\n`
})
const name = fc.constantFrom('a', 'b c', 'src/カート.ts', 'q"uote', 'tab\there', 'back\\slash', 'd/e/f', 'a b/b')
const tree = fc.dictionary(name, content, { maxKeys: 6 })

// Hundreds of pairs of trees, and git for each.
test('whatever git writes of two trees is read, and gives the second out of the first', { timeout: 240_000 }, () => {
  using yard = new Yard()
  const repo = yard.repository('random')
  fc.assert(
    fc.property(tree, tree, fc.constantFrom(0, 3, 100), (before, after, context) => {
      const [from, to] = [commitOf(repo, before), commitOf(repo, after)]
      for (const quote of ['true', 'false']) {
        const args = ['-c', `core.quotePath=${quote}`, 'diff', '--find-renames', '--no-color', `-U${context}`, from, to]
        const files = parseDiff(repo.git(...args))
        expect(applied(before, files)).toEqual(after)
        expect(files.some(({ isCut, isBinary }) => isCut || isBinary)).toBe(false)
        for (const file of files) {
          const unified = rowsOf(file, 'unified').filter(row => row.kind === 'line')
          expect(unified.map(row => row.line)).toEqual(file.hunks.flatMap(({ lines }) => lines))
          const split = rowsOf(file, 'split').filter(row => row.kind === 'pair')
          const [left, right] = [split.flatMap(row => row.left ?? []), split.flatMap(row => row.right ?? [])]
          expect(left.map(({ old }) => old)).toEqual(unified.flatMap(row => row.line.old ?? []))
          expect(right.map(({ now }) => now)).toEqual(unified.flatMap(row => row.line.now ?? []))
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('binary files, modes, renames, pointers and a text that was cut off are said', () => {
  using yard = new Yard()
  const repo = yard.repository('odd')
  repo.write('logo.png', Uint8Array.of(0, 1, 2))
  repo.write('run.sh', 'echo\n', 0o644)
  repo.write('old name', 'same\n'.repeat(20))
  const pointer = (oid: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${oid.repeat(64)}\nsize 12\n`
  repo.write('big.bin', pointer('a'))
  const from = repo.commit()
  repo.write('logo.png', Uint8Array.of(0, 3))
  repo.write('run.sh', 'echo\n', 0o755)
  repo.git('mv', 'old name', 'new name')
  repo.write('big.bin', pointer('b'))
  repo.write('new.bin', pointer('c'))
  repo.write('empty', '')
  const text = repo.git('diff', '-M', from, repo.commit())
  const files = new Map(parseDiff(text).map(file => [file.path, file]))
  expect([...files.keys()]).toEqual(['big.bin', 'empty', 'logo.png', 'new name', 'new.bin', 'run.sh'])
  expect(files.get('logo.png')).toMatchObject({ isBinary: true, hunks: [] })
  expect(files.get('run.sh')).toMatchObject({ modes: ['100644', '100755'], hunks: [] })
  expect(files.get('new name')).toMatchObject({ status: 'renamed', from: 'old name', hunks: [] })
  expect(files.get('new.bin')).toMatchObject({ isPointer: true, status: 'added' })
  expect(files.get('big.bin')).toMatchObject({ isPointer: true, status: 'modified' })
  expect(files.get('empty')).toMatchObject({ status: 'added', added: 0, hunks: [] })
  const cut = parseDiff(text.slice(0, text.indexOf('+size 12')))
  expect(cut.at(-1)).toMatchObject({ path: 'new.bin', isCut: true, added: 2 })
})

function commitOf(repo: Repo, files: Record<string, string>): string {
  repo.git('rm', '-rfq', '--ignore-unmatch', '.')
  repo.git('clean', '-fdxq')
  for (const [path, text] of Object.entries(files)) repo.write(path, text)
  return repo.commit()
}

function applied(before: Record<string, string>, files: readonly FileDiff[]): Record<string, string> {
  const after = { ...before }
  for (const { path, from, status } of files)
    if (status === 'deleted') delete after[path]
    else if (from !== null) delete after[from]
  for (const file of files) {
    if (file.status === 'deleted') continue
    after[file.path] = patched(before[file.from ?? file.path] ?? '', file)
  }
  return after
}

function patched(text: string, { hunks }: FileDiff): string {
  const old = text.split(/(?<=\n)/).filter(line => line !== '')
  const whole = ({ text, isOpen }: FileDiff['hunks'][number]['lines'][number]) => `${text}${isOpen ? '' : '\n'}`
  let after = ''
  let at = 0
  for (const hunk of hunks) {
    // Of an empty side git counts from the line before.
    const start = hunk.lines.some(({ kind }) => kind !== 'add') ? hunk.old - 1 : hunk.old
    after += old.slice(at, start).join('')
    at = start
    for (const line of hunk.lines) {
      if (line.kind !== 'add') expect(whole(line)).toBe(old[at++])
      if (line.kind !== 'del') after += whole(line)
    }
  }
  return after + old.slice(at).join('')
}
