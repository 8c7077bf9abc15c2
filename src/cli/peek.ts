// A look at the first line of an input that is then read whole.
import { Readable } from 'node:stream'

/**
 * Reads no further than the first line, or `most` bytes. By its iterator and not by events: an input that is there at once has
 * often ended before a listener hears of it, and then takes nothing back.
 */
export async function peekLine(source: Readable, most: number): Promise<{ line: string; whole: Readable }> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>
  let first = Buffer.alloc(0)
  while (!first.includes(0x0a) && first.length <= most) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const line = first.toString('utf8', 0, Math.max(0, first.indexOf(0x0a)))
  const whole = Readable.from(rest(first, chunks), { objectMode: false })
  // A reader that leaves before it has begun ends no generator.
  whole.once('close', () => source.destroy())
  return { line, whole }
}

async function* rest(first: Buffer, chunks: AsyncIterableIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  yield* chunks
}
