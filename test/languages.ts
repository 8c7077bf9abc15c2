// The documents that exist in both languages say the same: their outline, their commands, the number of their points. Reads a folder.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const GUIDE = 'docs/guide'

export type Block = {
  readonly language: string
  readonly text: string
  /** The comment directly above it: `<!-- run -->`. */
  readonly mark: string | undefined
}

/** What one language has and the other has not: `README.md: heading 3 is ##, in Japanese ###`. */
export function differences(root: string): string[] {
  const english = readdirSync(path.join(root, GUIDE, 'en'))
  const japanese = readdirSync(path.join(root, GUIDE, 'ja'))
  const alone = [
    ...english.filter(page => !japanese.includes(page)).map(page => `${GUIDE}/en/${page}: not in Japanese`),
    ...japanese.filter(page => !english.includes(page)).map(page => `${GUIDE}/ja/${page}: not in English`),
  ]
  const pairs: [string, string][] = [
    ['README.md', 'README.ja.md'],
    ...english
      .filter(page => japanese.includes(page))
      .map((page): [string, string] => [`${GUIDE}/en/${page}`, `${GUIDE}/ja/${page}`]),
  ]
  return [...alone, ...pairs.flatMap(([en, ja]) => between(en, read(root, en), read(root, ja)))]
}

export function blocksIn(markdown: string): Block[] {
  const fences = markdown.matchAll(/^(?:<!-- (?<mark>.*?) -->\n)?```(?<language>\w*)\n(?<text>[\s\S]*?)^```/gm)
  return [...fences].map(({ groups }) => ({
    language: groups?.['language'] ?? '',
    text: groups?.['text'] ?? '',
    mark: groups?.['mark'],
  }))
}

/** As a shell reads it, without the words that are for people: comments, quoted texts and placeholders. */
function commandsIn({ language, text }: Block): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  // A session: what the program answers is in the reader's language.
  const typed = language === '' ? lines.filter(line => line.startsWith('$ ')) : lines
  return typed.map(bare)
}

function bare(line: string): string {
  return line
    .replace(/(^|\s)(#|\/\/) .*$/, '')
    .replace(/"[^"]*"/g, '""')
    .replace(/<[^>]*>/g, '<>')
    .replace(/\s+/g, ' ')
    .trim()
}

function between(page: string, en: string, ja: string): string[] {
  const found: string[] = []
  const compare = (what: string, one: readonly string[], other: readonly string[]) => {
    const indexes = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index)
    const at = indexes.find(index => !isSame(one[index], other[index]))
    if (at !== undefined) found.push(`${page}: ${what} ${at + 1} is ${one[at]}, in Japanese ${other[at]}`)
  }
  compare('heading', levelsIn(en), levelsIn(ja))
  compare('points of section', pointsIn(en), pointsIn(ja))
  compare('mark', marksIn(en), marksIn(ja))
  compare('command', blocksIn(en).flatMap(commandsIn), blocksIn(ja).flatMap(commandsIn))
  compare('command in a sentence', inSentences(en), inSentences(ja))
  return found
}

/** A name or a word to search for may be Japanese there. */
function isSame(en: string | undefined, ja: string | undefined): boolean {
  if (en === undefined || ja === undefined) return false
  const [one, other] = [en.split(' '), ja.split(' ')]
  return (
    one.length === other.length && other.every((word, at) => word === one[at] || /[^\p{ASCII}]/u.test(word + one[at]))
  )
}

/** In no order: a sentence has another one in the other language. */
function inSentences(markdown: string): string[] {
  const spans = [...prose(markdown).matchAll(/`(toryo\s[^`]+)`/g)].map(([, span = '']) => bare(span))
  return [...new Set(spans)].sort()
}

function levelsIn(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^#+(?= )/gm)].map(([level]) => level)
}

/** Items of lists and rows of tables, section by section. */
function pointsIn(markdown: string): string[] {
  const sections = prose(markdown).split(/^#+ .*$/m)
  return sections.map(section => {
    const count = (pattern: RegExp) => [...section.matchAll(pattern)].length
    return `${count(/^ *(?:-|\d+\.) /gm)} in lists, ${count(/^\|/gm)} in tables`
  })
}

function marksIn(markdown: string): string[] {
  return blocksIn(markdown).map(({ language, mark }) => `${language} ${mark ?? ''}`)
}

function prose(markdown: string): string {
  return markdown.replace(/^ *(```+)[\s\S]*?^ *\1/gm, '')
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}
