import fs from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { peekLine } from './peek.ts'

const LINES = '{"a":1}\n{"b":2}\n'

/** All of it, and the line that was looked at. */
async function read(source: Readable): Promise<{ line: string; all: string }> {
  const { line, whole } = await peekLine(source, 1024)
  return { line, all: await text(whole) }
}

test('the first line is seen, and all is still read after it', async () => {
  expect(await read(Readable.from([Buffer.from('{"a"'), Buffer.from(':1}\n{"b":2}'), Buffer.from('\n')]))).toEqual({
    line: '{"a":1}',
    all: LINES,
  })
})

test('an input that has ended before it is looked at loses nothing', async () => {
  const stdin = new PassThrough()
  stdin.end(LINES)
  await setImmediate()
  expect(await read(stdin)).toEqual({ line: '{"a":1}', all: LINES })
})

test('an input that was read to its end has no line, and does not keep the caller waiting', async () => {
  const stdin = new PassThrough()
  stdin.end()
  expect(await text(stdin)).toBe('')
  await setImmediate()
  expect(await read(stdin)).toEqual({ line: '', all: '' })
})

test('no more than asked for is held of an input without a line, and it is let go', async () => {
  let made = 0
  const source = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(100 + 0 * made++)
    })(),
  )
  const { line, whole } = await peekLine(source, 1024)
  expect({ line, made }).toMatchObject({ line: '', made: expect.toSatisfy((count: number) => count < 40) })
  whole.destroy()
  await setImmediate()
  expect(source.destroyed).toBe(true)
})

test('an input that cannot be opened says so at once, and one that breaks off later says so to its reader', async () => {
  await expect(peekLine(fs.createReadStream('/nowhere/at/all'), 1024)).rejects.toMatchObject({ code: 'ENOENT' })
  const source = new PassThrough()
  source.write(LINES)
  const { line, whole } = await peekLine(source, 1024)
  expect(line).toBe('{"a":1}')
  source.destroy(new Error('torn'))
  await expect(text(whole)).rejects.toThrow('torn')
})
