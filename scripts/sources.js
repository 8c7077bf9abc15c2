// What a build is made from, and where it goes.
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
export const DIST = path.join(ROOT, 'dist')
/** Holds the hash of the sources that dist/ was built from. */
export const STAMP = path.join(DIST, '.built')

const SOURCES = [
  'src',
  'web',
  'scripts/build.js',
  'scripts/build-page.js',
  'scripts/licences.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** By content, not by time: a checkout of the same files needs no build. Some milliseconds for some hundred files. */
export function sourceHash() {
  const hash = crypto.createHash('sha256')
  for (const file of SOURCES.flatMap(source => list(path.join(ROOT, source))).sort()) {
    hash.update(path.relative(ROOT, file)).update('\0').update(fs.readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} file @returns {string[]} */
function list(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(file) ? [] : [file]
  const names = fs.readdirSync(file).filter(name => name !== 'node_modules' && name !== 'dist' && !name.startsWith('.'))
  return names.flatMap(name => list(path.join(file, name)))
}
