// Finds runs of six or more identical lines in two places. Names may differ elsewhere; what is the same to the letter is one thing,
// and belongs in one place.
import '../bin/node-version.cjs'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './sources.js'

const FOLDERS = ['src', 'web', 'test', 'bench', 'scripts']
const LINES = 6
/**
 * Generated files are not written by anyone. A migration that shipped is not edited, and each one says all of the table that it
 * makes, so the files with migrations may repeat themselves.
 */
const REPEATS = /\.gen\.ts$|(^|[/-])schema\.ts$/

/** @typedef {{ file: string, index: number, from: number, to: number }} Run */

/** @param {string} root @returns {string[]} */
export function checkDuplicates(root) {
  /** The first place of every run of LINES lines. @type {Map<string, Run>} */
  const seen = new Map()
  /** @type {{ run: Run, first: Run }[]} */
  const found = []
  for (const file of FOLDERS.flatMap(folder => sourcesIn(root, folder))) {
    const lines = linesThatCount(fs.readFileSync(path.join(root, file), 'utf8'))
    for (let index = 0; index + LINES <= lines.length; index += 1) {
      const part = lines.slice(index, index + LINES)
      const key = part.map(({ text }) => text).join('\n')
      const run = { file, index, from: part[0]?.number ?? 0, to: part.at(-1)?.number ?? 0 }
      const first = seen.get(key)
      if (!first) seen.set(key, run)
      else if (first.file !== file || index - first.index >= LINES) extendOrAdd(found, run, first)
    }
  }
  return found.map(
    ({ run, first }) => `${run.file}:${run.from}-${run.to} is the same as ${first.file}:${first.from}-${first.to}`,
  )
}

/** A run that goes on where the last one stood is the same one, longer. @param {{ run: Run, first: Run }[]} found @param {Run} run @param {Run} first */
function extendOrAdd(found, run, first) {
  const last = found.at(-1)
  const goesOn =
    last?.run.file === run.file &&
    last.run.index + 1 === run.index &&
    last.first.file === first.file &&
    last.first.index + 1 === first.index
  if (goesOn) {
    Object.assign(last.run, { index: run.index, to: run.to })
    last.first = { ...first, from: last.first.from }
  } else found.push({ run, first })
}

/** Without blank lines, comments, lone punctuation and imports. @param {string} source */
function linesThatCount(source) {
  let inImport = false
  return source.split('\n').flatMap((line, index) => {
    const text = line.trim()
    const begins = /^(import|export) (type )?\{$/.test(text)
    const isImport = inImport || begins || /^import\b|^export .* from '/.test(text)
    inImport = (inImport || begins) && !text.startsWith('}')
    const isCode = !isImport && /\w/.test(text) && !/^(\/\/|\/\*|\*)/.test(text)
    return isCode ? [{ text, number: index + 1 }] : []
  })
}

/** @param {string} root @param {string} folder @returns {string[]} */
function sourcesIn(root, folder) {
  if (!fs.existsSync(path.join(root, folder))) return []
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(root, name)
    return /\.([cm]?[jt]sx?|css)$/.test(name) && !REPEATS.test(name) ? [name] : []
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  const found = checkDuplicates(ROOT)
  for (const line of found) console.error(line)
  process.exitCode = found.length > 0 ? 1 : 0
}
