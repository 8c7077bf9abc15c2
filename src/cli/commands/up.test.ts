import { expect, test } from 'vitest'
import { argvOf } from './up.ts'

const usual = { runner: true, register: true, open: true }

test('passes on to the hub what it was asked for, and nothing else', () => {
  expect(argvOf(usual, {})).toEqual([])
  expect(argvOf({ ...usual, port: 0, host: '-x', allowHost: ['a', 'b'] }, { db: '--odd.db', json: true })).toEqual([
    '--db=--odd.db',
    '--port=0',
    '--host=-x',
    '--allow-host=a',
    '--allow-host=b',
    '--json',
  ])
  expect(argvOf({ runner: false, register: false, open: false }, {})).toEqual([
    '--no-runner',
    '--no-register',
    '--no-open',
  ])
  expect(argvOf({ ...usual, demo: true }, {})).toEqual(['--demo'])
})
