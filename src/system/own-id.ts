// A random name that a folder keeps for itself, whatever its path and its machine are called. Of a folder that was copied, only one
// may have it: the file remembers which one it is on its disk, and a copy of it is another.
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { codeOf, draftFor, removeIfThere, syncFile, syncFolder } from './files.ts'
import path from 'node:path'

/** Undefined when the file holds no such name. In a copy it is made of the name and the copy's own number: the same at every start. */
export function ownId(file: string, bytes: number): string | undefined {
  makeOnce(file, bytes)
  const found = /^([0-9a-f]+)(?: (\d+))?$/.exec(fs.readFileSync(file, 'utf8').trim())
  const [, name = '', made] = found ?? []
  if (name.length !== bytes * 2) return undefined
  const now = numberOf(file)
  // An earlier version wrote no number.
  if (made === undefined || made === now) return name
  return createHash('sha256').update(`${name} ${now}`).digest('hex').slice(0, name.length)
}

function makeOnce(file: string, bytes: number): void {
  if (fs.existsSync(file)) return
  const draft = draftFor(file)
  try {
    fs.writeFileSync(draft, '', { flag: 'wx', mode: 0o600 })
    fs.writeFileSync(draft, `${randomBytes(bytes).toString('hex')} ${numberOf(draft)}\n`)
    syncFile(fs, draft)
    fs.linkSync(draft, file)
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
  } finally {
    removeIfThere(fs, draft)
  }
  syncFolder(fs, path.dirname(file))
}

function numberOf(file: string): string {
  return String(fs.statSync(file, { bigint: true }).ino)
}
