// Text in lines of a given width, whatever the script.
import { widthOf } from './width.ts'

const CJK = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}`
/** They may not begin a line. */
const MARKS = '[、。・：」』）)ー…ぁぃぅぇぉっゃゅょァィゥェォッャュョ]*'
/** A word, or one Japanese character, with the marks that belong to it. */
const CHUNKS = new RegExp(String.raw`\s*(?:[${CJK}]|[^\s${CJK}]+)${MARKS}`, 'gu')

/** What is laid out already: diffs, lists, and commands that are to be copied in one piece. */
const LAID_OUT = /^[\s+\-@$]/

/** Sentences that are wider than a window in lines that fit; everything where there is no window. */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined) return text
  const lines = text.split('\n')
  return lines.map(line => (LAID_OUT.test(line) || widthOf(line) <= width ? line : wrap(line, width))).join('\n')
}

/** Japanese has no spaces to break at. */
export function wrap(text: string, width: number): string {
  const lines = text.split('\n').map(line => {
    const done: string[] = []
    let current = ''
    let used = 0
    // Blanks at the end belong to no word, and would be looked at again from each of them.
    for (const chunk of line.trimEnd().match(CHUNKS) ?? []) {
      // Added up: measuring the whole line again for each of its characters is many times as slow.
      used += widthOf(chunk)
      if (current && used > width) {
        done.push(current)
        current = chunk.trimStart()
        used = widthOf(current)
      } else {
        current += chunk
      }
    }
    return [...done, current].join('\n')
  })
  return lines.join('\n')
}
