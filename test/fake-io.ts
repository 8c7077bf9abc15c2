// A terminal for the CLI's unit tests: what was written to it can be read back.
import { PassThrough, Writable } from 'node:stream'
import pc from 'picocolors'
import type { Io } from '#cli/io.ts'
import type { Lang } from '#contract/errors.ts'

export type FakeIo = Io & { out(): string; err(): string }

type Options = { lang?: Lang; width?: number; colours?: boolean; env?: Io['env']; cwd?: string; now?: number }

export function fakeIo({ lang = 'en', width, colours = false, env = {}, cwd = '/', now = 0 }: Options = {}): FakeIo {
  const stdout = collector()
  const stderr = collector()
  return {
    lang,
    env,
    cwd,
    stdin: new PassThrough(),
    stdout,
    stderr,
    width,
    errorWidth: width,
    colors: pc.createColors(colours),
    now: () => now,
    say: text => text[lang],
    out: () => stdout.text,
    err: () => stderr.text,
  }
}

function collector() {
  const stream = Object.assign(new Writable(), { text: '' })
  stream._write = (chunk: Buffer, _, done) => {
    stream.text += chunk.toString('utf8')
    done()
  }
  return stream
}
