import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isId, pathIn } from './ids.ts'

/** What systems, shells and eyes take for something else than it is. */
const awkward = fc.constantFrom(
  '',
  '.',
  '..',
  '...',
  '/',
  '\\',
  '../x',
  '..\\x',
  'x/..',
  '/etc',
  'C:',
  'C:\\x',
  '\\\\host\\share',
  '~',
  '\0',
  'x\0y',
  'x.',
  'x ',
  ' x',
  'con',
  'NUL.log',
  'com1',
  'LPT9.txt',
  'aux',
  '․․',
  '．．',
  '／x',
  'x⁄y',
  '%2e%2e',
  '%2f',
  'é',
  'e\u0301',
  '\u202ex',
  '-rf',
  'x\ny',
  'x:y',
  'x*',
  'x'.repeat(5000),
  ...(['__proto__', 'constructor'] as const),
)
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 140 }),
  fc.string({ maxLength: 140 }),
  awkward,
  fc.array(awkward, { maxLength: 3 }).map(parts => parts.join('/')),
  fc.tuple(fc.string(), awkward).map(parts => parts.join('')),
)
const folder = fc.constantFrom('/', '/home/me/.toryo', '/home/me/.toryo/', 'C:\\Users\\me', 'C:/Users/me/')

test('a path that is made of names lies below its folder, one level for each name, on every system, or is not made', () => {
  fc.assert(
    fc.property(folder, fc.array(name, { minLength: 1, maxLength: 4 }), (root, names) => {
      let made: string
      try {
        made = pathIn(root, ...(names as [string, ...string[]]))
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
        return
      }
      for (const system of [path.posix, path.win32]) {
        if (system === path.posix && root.startsWith('C:')) continue
        expect(system.relative(root, made).split(system.sep)).toEqual(names)
        expect(system.normalize(made)).toBe(system.join(root, ...names))
      }
    }),
    { numRuns: 5000 },
  )
})

test('an id is a name that every system takes as it is', () => {
  fc.assert(
    fc.property(name, text => {
      if (!isId(text)) return
      expect(text).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
      expect(text).not.toMatch(/\.$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
      expect(path.basename(pathIn('/x', text))).toBe(text)
    }),
    { numRuns: 5000 },
  )
  for (const usual of [
    'prj_06gubi4q15unl0gm2our639ojt3454ee',
    'grp-1700000000-0f',
    'build-box',
    'a',
    '007',
    'v1.2',
    'x'.repeat(100),
  ])
    expect([usual, isId(usual)]).toEqual([usual, true])
})

test('what only claims to be text makes no path either', () => {
  for (const value of [undefined, null, 7, ['x'], { toString: () => 'x' }])
    expect(() => pathIn('/x', value as never)).toThrow('cannot be part of a path')
})
