import { expect, test } from 'vitest'
import { decode, keyOf, readMessage } from './message.ts'

const refused: [name: string, line: string, code: number, id: unknown][] = [
  ['half a line', '{"jsonrpc":"2.0","id":1,', -32700, null],
  ['bare text', 'hello', -32700, null],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
  ['a number', '7', -32600, null],
  ['null', 'null', -32600, null],
  ['no version', '{"id":1,"method":"ping"}', -32600, 1],
  ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
  ['a method that is no text', '{"jsonrpc":"2.0","id":2,"method":5}', -32600, 2],
  ['neither method nor answer', '{"jsonrpc":"2.0","id":3}', -32600, 3],
  ['both result and error', '{"jsonrpc":"2.0","id":3,"result":{},"error":{}}', -32600, 3],
  ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
  ['an id too large to be read exactly', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, null],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
]

test.each(refused)('%s is refused', (_name, line, code, id) => {
  expect(readMessage(line)).toMatchObject({ kind: 'invalid', code, id })
})

test('tells requests, notifications and answers apart', () => {
  expect(readMessage('{"jsonrpc":"2.0","id":0,"method":"ping"}')).toMatchObject({ kind: 'request', id: 0, params: {} })
  expect(readMessage('{"jsonrpc":"2.0","method":"a/b","params":[1]}')).toMatchObject({
    kind: 'notification',
    params: {},
  })
  expect(readMessage('{"jsonrpc":"2.0","id":1,"result":null}')).toEqual({ kind: 'response', id: 1, failed: false })
  expect(readMessage('{"jsonrpc":"2.0","id":null,"error":{}}')).toEqual({ kind: 'response', id: null, failed: true })
})

test('survives JSON that is nested a hundred thousand levels deep', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(readMessage(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep}}}`)).toMatchObject({ kind: 'request' })
})

test('bytes that are not UTF-8 are no text, and so no JSON', () => {
  expect(decode(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined()
  expect(readMessage(undefined)).toMatchObject({ kind: 'invalid', code: -32700 })
})

test('a number and the same digits as text are two ids', () => {
  expect(keyOf(1)).not.toBe(keyOf('1'))
})
