import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frame, FrameReader } from './frames.ts'

test('messages come out as they went in, however the bytes are cut', () => {
  const messages = fc.array(fc.jsonValue(), { maxLength: 20 })
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (sent, cuts) => {
      const stream = Buffer.concat(sent.map(frame))
      const reader = new FrameReader()
      const read: unknown[] = []
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = cuts[turn % cuts.length] as number
        read.push(...reader.read(stream.subarray(at, at + size)))
        at += size
      }
      expect(JSON.stringify(read)).toBe(JSON.stringify(sent))
      expect(reader.rest()).toHaveLength(0)
    }),
  )
})

test('what comes behind the last message is not lost', () => {
  const reader = new FrameReader()
  const [message] = reader.read(Buffer.concat([frame({ last: true }), Buffer.from('and now for something else')]))
  expect(message).toEqual({ last: true })
  expect(reader.rest().toString()).toBe('and now for something else')
})

test('a frame over the limit is refused before it is taken in', () => {
  const reader = new FrameReader(100)
  expect(() => [...reader.read(frame({ text: 'x'.repeat(200) }).subarray(0, 10))]).toThrow(/a frame of \d+ bytes/)
})

test.each([
  ['of a kind that nobody knows', Buffer.from([2, 0, 0, 0, 7, 0x7b, 0x7d])],
  ['that is no JSON', Buffer.from([2, 0, 0, 0, 0, 0x7b, 0x7b])],
])('a frame %s is refused', (_name, bytes) => {
  expect(() => [...new FrameReader().read(bytes)]).toThrow(/kind 7|JSON/)
})
