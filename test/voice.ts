// Every text that people and models read, with its place: sentences of the source in both languages, and the documents.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export type Said = { readonly where: string; readonly lang: 'en' | 'ja'; readonly text: string }

const LITERAL = /(['"`])((?:\\.|(?!\1).)*)\1/g
const JAPANESE = /[\p{scx=Hira}\p{scx=Kana}\p{scx=Han}]/u

export function textsIn(root: string): Said[] {
  const sources = ['src', 'web/src'].flatMap(folder => filesIn(root, folder, /(?<!\.(?:test|gen|d))\.tsx?$/))
  const pages = ['README.md', 'README.ja.md', 'CHANGELOG.md', ...filesIn(root, 'docs/guide', /\.md$/)]
  return [...sources.flatMap(file => inSource(root, file)), ...pages.flatMap(file => inPage(root, file))]
}

/** An English literal with a blank in it is a sentence; what has none is a name. Comments are for developers. */
function inSource(root: string, file: string): Said[] {
  const lines = read(root, file).split('\n')
  return lines.flatMap((line, at) => {
    if (/^\s*(\/\/|\/?\*)/.test(line)) return []
    // Also of a text over several lines.
    if (JAPANESE.test(line)) return [{ where: `${file}:${at + 1}`, lang: 'ja', text: line }]
    const literals = [...line.matchAll(LITERAL)].map(([, , text = '']) => text)
    const sentences = literals.filter(text => text.includes(' '))
    return sentences.map((text): Said => ({ where: `${file}:${at + 1}`, lang: 'en', text }))
  })
}

function inPage(root: string, file: string): Said[] {
  const lang = /\.ja\.md$|\/ja\//.test(file) ? 'ja' : 'en'
  return read(root, file)
    .split('\n')
    .map((text, at) => ({ where: `${file}:${at + 1}`, lang, text }))
}

function filesIn(root: string, folder: string, pattern: RegExp): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter(name => pattern.test(name)).map(name => path.join(folder, name))
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}
