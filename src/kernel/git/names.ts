// Which names of branches and revisions we take, and how a branch is written into a path. Pure.
import { createHash } from 'node:crypto'

const LONGEST = 200
/** Signs that mean something to shells, or to git's own syntax, and invisible characters, never occur in one of our names. */
const BRANCH_SIGNS = /^[\p{L}\p{M}\p{N}\p{So}/._+#@=,()%-]+$/u
const REVISION_SIGNS = /^[\p{L}\p{M}\p{N}\p{So}/._+#@=,()%^~-]+$/u
/** Git keeps these beside the branches, or takes them for something else than a branch. */
const RESERVED = /^(?:@|-.*|refs\/.*|[A-Z_]*HEAD|[0-9a-f]{40}|[0-9a-f]{64})$/

/** Why this cannot be a branch, in a few words; undefined when it can. Git takes all that pass; a test compares the two. */
export function branchProblem(name: string): 'empty' | 'too-long' | 'signs' | 'reserved' | 'form' | undefined {
  if (name === '') return 'empty'
  if (Buffer.byteLength(name) > LONGEST) return 'too-long'
  if (!BRANCH_SIGNS.test(name)) return 'signs'
  if (RESERVED.test(name)) return 'reserved'
  const parts = name.split('/')
  if (parts.some(part => part === '' || part.startsWith('.') || part.endsWith('.') || part.endsWith('.lock')))
    return 'form'
  return name.includes('..') || name.includes('@{') ? 'form' : undefined
}

/** A branch, tag, commit or remote branch, perhaps with ~2 or ^. Ranges, paths and reflogs are none. */
export function isRevision(name: string): boolean {
  return (
    Buffer.byteLength(name) <= LONGEST &&
    REVISION_SIGNS.test(name) &&
    !name.startsWith('-') &&
    !name.includes('..') &&
    !name.includes('@{')
  )
}

/**
 * A folder name that shows the branch and belongs to it alone: branches that differ in case only, in composition only, or in
 * signs that no folder should have, differ in the hash.
 */
export function folderFor(scope: string, branch: string): string {
  const shown = branch
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  const hash = createHash('sha256').update(`${scope}\0${branch}`).digest('hex').slice(0, 10)
  return `${Array.from(shown).slice(0, 32).join('') || 'branch'}-${hash}`
}

/** One part of a path, whatever the text; `otherwise` where nothing of it can be in one. */
export function folderNamed(text: string, otherwise: string): string {
  const shown = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return shown.slice(0, 100) || otherwise
}
