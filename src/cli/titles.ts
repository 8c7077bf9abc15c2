// The titles of new tasks as people give them: words, `@file` with one a line, or `-` for standard input.
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { CliError } from './errors.ts'
import type { Io } from './io.ts'
import { readText } from './options.ts'

export async function titlesOf(given: readonly string[], io: Pick<Io, 'stdin' | 'cwd'>): Promise<string[]> {
  const titles: string[] = []
  for (const one of given) {
    if (one === '-') titles.push(...lines(await readAll(io.stdin)))
    else if (one.startsWith('@@')) titles.push(one.slice(1))
    else if (one.startsWith('@')) titles.push(...lines(readText(path.resolve(io.cwd, one.slice(1)))))
    else titles.push(one)
  }
  if (titles.length > 0) return titles
  throw CliError.USAGE({
    text: { en: 'No title was given.', ja: 'タイトルが 1 つもありません。' },
  })
}

/** One a line; what a Markdown list puts before it is not part of it. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.replace(/^\s*(?:[-*] (?:\[[ x]\] )?|\d+[.)] )/, '').trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}
