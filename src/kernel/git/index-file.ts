// Looks into an index file for what a listing of all its entries would be needed for otherwise. Versions 2 and 3; what it does not
// understand it does not judge.
import { readFile } from 'node:fs/promises'

const HEADER = 12
const STAT_BYTES = 40
const ASSUME_VALID = 0x8000
const STAGE = 0x3000
const EXTENDED = 0x4000
/** Among the further flags of an entry that has any. */
const SKIP_WORKTREE = 0x4000
const LONGEST = 0xfff

/** False: no entry is said to be unchanged or to be skipped, none has a conflict, and no attributes are tracked. */
export async function needsListing(file: string, format: 'sha1' | 'sha256'): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined) return false
  const hash = format === 'sha1' ? 20 : 32
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return true
  // A split index has its entries elsewhere.
  if (bytes.readUInt32BE(4) > 3 || bytes.includes('.gitattributes') || bytes.includes('link\0')) return true
  let at = HEADER
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const flagsAt = at + STAT_BYTES + hash
    if (flagsAt + 2 > bytes.length) return true
    const flags = bytes.readUInt16BE(flagsAt)
    if (flags & (ASSUME_VALID | STAGE)) return true
    if (flags & EXTENDED && bytes.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) return true
    const nameAt = flagsAt + (flags & EXTENDED ? 4 : 2)
    const short = flags & LONGEST
    const end = short < LONGEST ? nameAt + short : bytes.indexOf(0, nameAt)
    if (end < 0) return true
    const length = end - at
    at += length + 8 - (length % 8)
  }
  return false
}

const GITLINK = Buffer.from([0, 0, 0xe0, 0])

/** False: it has no entry of a submodule. Their mode may also be a part of something else. */
export async function mayHaveSubmodules(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes !== undefined && (bytes.includes(GITLINK) || bytes.includes('link\0'))
}
