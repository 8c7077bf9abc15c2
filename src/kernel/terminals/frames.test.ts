import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Frame, frame, FrameReader, inputFrame, jsonFrame, outputFrame, readInput, readOutput } from './frames.ts'

test('frames come out as they went in, however the bytes are cut', () => {
  const bodies = fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 300 })), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(bodies, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (frames, cuts) => {
      const stream = Buffer.concat(frames.map(([kind, body]) => frame(kind, body)))
      const reader = new FrameReader()
      const read: Frame[] = []
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = cuts[turn % cuts.length] as number
        read.push(
          ...[...reader.read(stream.subarray(at, at + size))].map(({ kind, body }) => ({
            kind,
            body: Buffer.from(body),
          })),
        )
        at += size
      }
      expect(read).toEqual(frames.map(([kind, body]) => ({ kind, body: Buffer.from(body) })))
    }),
  )
})

test('output and input keep their numbers, also beyond four gigabytes', () => {
  const position = 2 ** 45 + 7
  const [output] = new FrameReader().read(outputFrame(7, position, Buffer.from('日本')))
  expect(readOutput(output?.body as Buffer)).toEqual({ number: 7, position, bytes: Buffer.from('日本') })
  const [input] = new FrameReader().read(inputFrame(9, 4_000_000_000, Buffer.from('x')))
  expect(readInput(input?.body as Buffer)).toEqual({ number: 9, request: 4_000_000_000, bytes: Buffer.from('x') })
})

test('a frame over the limit is refused before it is taken in', () => {
  const reader = new FrameReader(100)
  expect(() => [...reader.read(jsonFrame({ text: 'x'.repeat(200) }).subarray(0, 10))]).toThrow(/a frame of \d+ bytes/)
})

test.each([
  ['output', () => readOutput(Buffer.alloc(11))],
  ['input', () => readInput(Buffer.alloc(7))],
])('%s that is too short is refused', (_name, read) => {
  expect(read).toThrow(/without a head/)
})
