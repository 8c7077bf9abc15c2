import { expect, test } from 'vitest'
import { parseOptions } from './options.ts'

test('takes values after a space or an equals sign, and the last of several', () => {
  const argv = ['--toolsets', 'runner,agent', '--db=/x=y.db', '--toolsets=memory']
  expect(parseOptions(argv, false)).toEqual({ db: '/x=y.db', toolsets: 'memory' })
})

test('help wins over everything after it', () => {
  expect(parseOptions(['--help', '--nope'], false)).toEqual({ help: true })
})

test('a ticket stands in for the token of a remote hub', () => {
  expect(parseOptions(['--url', 'http://127.0.0.1:1'], true)).toEqual({ url: 'http://127.0.0.1:1' })
})

const wrong: [name: string, argv: string[]][] = [
  ['an unknown option', ['--port', '1']],
  ['a word that is no option', ['x.db']],
  ['an option without its value', ['--db']],
  ['an empty value', ['--db=']],
  ['toolsets that are no names', ['--toolsets', 'a b']],
  ['a token file without an address', ['--token-file', 'x']],
  ['an address without a token', ['--url', 'https://hub.example']],
  ['a token sent in clear text through a network', ['--url', 'http://hub.example', '--token-file', 'x']],
  ['an address of another kind', ['--url', 'ftp://127.0.0.1', '--token-file', 'x']],
  ['both an address and a database', ['--url', 'https://hub.example', '--token-file', 'x', '--db', 'x.db']],
]

test.each(wrong)('refuses %s', (_name, argv) => {
  expect(() => parseOptions(argv, false)).toThrow(/^toryo mcp: /)
})
