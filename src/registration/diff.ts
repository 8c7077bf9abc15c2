// What an edit would change, for people. Long strings of others are not shown: they are often keys.
import type { Entry } from './format.ts'

const CONTEXT = 2
const LONG_LINE = 400
const LONG_STRING = 20

export function diffOf(file: string, before: string, after: string, entry: Entry): string {
  const [was, is] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < Math.min(was.length, is.length) && was[head] === is[head]) head++
  let tail = 0
  while (tail < Math.min(was.length, is.length) - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++
  const [minus, plus] = [was.slice(head, was.length - tail), is.slice(head, is.length - tail)]
  const body = [...minus, ...plus].some(line => line.length > LONG_LINE)
    ? withinLine(before, after)
    : [
        ...was.slice(Math.max(0, head - CONTEXT), head).map(line => `  ${line}`),
        ...minus.map(line => `- ${line}`),
        ...plus.map(line => `+ ${line}`),
        ...was.slice(was.length - tail, was.length - tail + CONTEXT).map(line => `  ${line}`),
      ]
  const lines = body.map(line => hideSecrets(line.replace(/\r$/, ''), entry))
  return [`--- ${file}`, `+++ ${file}`, `@@ line ${head + 1} @@`, ...lines].join('\n')
}

/** A file in one line: only the characters that come and go. */
function withinLine(before: string, after: string): string[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const [gone, come] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  return [...(gone ? [`- …${gone}…`] : []), ...(come ? [`+ …${come}…`] : [])]
}

function hideSecrets(line: string, entry: Entry): string {
  const own = JSON.stringify(entry)
  let shown = ''
  let from = 0
  for (const { start, end } of stringsIn(line)) {
    const [whole, inside, quote] = [line.slice(start, end), line.slice(start + 1, end - 1), line[start] as string]
    const isOurs = inside.length < LONG_STRING || own.includes(JSON.stringify(inside)) || own.includes(whole)
    shown += line.slice(from, start) + (isOurs ? whole : `${quote}…${quote}`)
    from = end
  }
  return shown + line.slice(from)
}

/** Where strings stand. One without its end is none, and then no later one of its kind can have one: it is not looked for again. */
function stringsIn(line: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  const endless = new Set<string>()
  for (let at = 0; at < line.length; at++) {
    const quote = line[at] as string
    if ((quote !== '"' && quote !== "'") || endless.has(quote)) continue
    let end = at + 1
    while (end < line.length && line[end] !== quote) end += line[end] === '\\' ? 2 : 1
    if (end >= line.length) endless.add(quote)
    else {
      found.push({ start: at, end: end + 1 })
      at = end
    }
  }
  return found
}
