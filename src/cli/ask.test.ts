import { text } from 'node:stream/consumers'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { asker } from './ask.ts'

test('lines that came before their question answer it, and none is left after the last', async () => {
  const io = fakeIo()
  ;(io.stdin as PassThrough).end('y\nn\n')
  const person = asker(io)
  expect([await person.ask('One? '), await person.ask('Two? '), await person.ask('Three? ')]).toEqual([
    'y',
    'n',
    undefined,
  ])
  person.close()
})

test('a question at an input that has ended already is not waited for', async () => {
  const io = fakeIo()
  ;(io.stdin as PassThrough).end()
  await text(io.stdin)
  const person = asker(io)
  expect(await person.ask('Go on? ')).toBeUndefined()
  person.close()
})
