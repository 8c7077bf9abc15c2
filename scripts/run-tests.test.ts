import { expect, test } from 'vitest'
import { optionsAlone } from './run-tests.js'

test.each([
  ['names of files are left out', ['cart', '--bail=1', 'pay'], ['--bail=1']],
  ['a value of its own word stays', ['-t', 'adds a cart', 'cart'], ['-t', 'adds a cart']],
  ['a value that is also a name stays', ['-t', 'cart', 'cart'], ['-t', 'cart']],
  ['of each option', ['--project', 'fast', '--bail', '1', 'cart'], ['--project', 'fast', '--bail', '1']],
  ['an option that takes no value has none', ['--coverage', 'cart'], ['--coverage']],
  ['a value behind a sign of equality is complete', ['-t=adds', 'cart'], ['-t=adds']],
])('the second try keeps the options of the first: %s', async (_, given, kept) => {
  expect(await optionsAlone(given)).toEqual(kept)
})
