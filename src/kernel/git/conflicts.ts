// Reads what git merge-tree says of files that it could not merge, and what both sides made of them.
import type { Overlay } from './overlay.ts'
import { isPlain } from './path-text.ts'

export type Conflict = {
  path: string
  /** In git's own words: contents, modify/delete, binary, file/directory, … */
  kind: string
  /** As text, cut off; missing where that side has no file there, or no text. */
  ours?: string
  theirs?: string
}

const MOST_CONFLICTS = 200
/** For each side of each file, and how many files are read. */
const EXCERPT_CHARS = 2000
const MOST_READ = 20
const LARGEST = 4 * 1024 * 1024

type Stages = { ours?: string; theirs?: string }

/** `fields`: entries with their stages, an empty one, and messages. `tree` has the files with marks where the sides differ. */
export async function conflictsIn(overlay: Overlay, tree: string, fields: readonly string[]): Promise<Conflict[]> {
  const stages = new Map<string, Stages>()
  let at = 0
  for (; at < fields.length && fields[at] !== ''; at++) {
    const [, mode, oid, stage, path] = /^(\d{6}) ([0-9a-f]+) ([123])\t(.*)$/s.exec(fields[at] as string) ?? []
    if (path === undefined || mode === '160000') continue
    const side = stage === '2' ? { ours: oid } : stage === '3' ? { theirs: oid } : {}
    stages.set(path, { ...stages.get(path), ...(side as Stages) })
  }
  const kinds = kindsIn(fields.slice(at + 1))
  const paths = [...new Set([...stages.keys(), ...kinds.keys()])].slice(0, MOST_CONFLICTS)
  const conflicts: Conflict[] = []
  for (const [index, path] of paths.entries()) {
    const sides = index < MOST_READ ? await sidesOf(overlay, tree, path, stages.get(path) ?? {}) : {}
    conflicts.push({ path, kind: kinds.get(path) ?? 'contents', ...sides })
  }
  return conflicts
}

/** Each message: how many paths, the paths, its kind, its text. */
function kindsIn(fields: readonly string[]): Map<string, string> {
  const kinds = new Map<string, string>()
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at++])
    if (!Number.isInteger(count) || count < 1) break
    const paths = fields.slice(at, at + count)
    const [, kind] = /^CONFLICT \((.*)\)$/.exec(fields[at + count] ?? '') ?? []
    if (kind !== undefined) for (const path of paths) if (!kinds.has(path)) kinds.set(path, kind)
    at += count + 2
  }
  return kinds
}

async function sidesOf(overlay: Overlay, tree: string, path: string, stages: Stages): Promise<Stages> {
  const merged = stages.ours && stages.theirs && isPlain(path) ? await textOf(overlay, `${tree}:${path}`) : undefined
  const marked = merged === undefined ? undefined : betweenMarks(merged)
  if (marked) return marked
  const [ours, theirs] = await Promise.all([
    stages.ours && textOf(overlay, stages.ours),
    stages.theirs && textOf(overlay, stages.theirs),
  ])
  return { ...(ours !== undefined && { ours: cut(ours) }), ...(theirs !== undefined && { theirs: cut(theirs) }) }
}

/** Undefined for binary files and very large ones. */
async function textOf(overlay: Overlay, name: string): Promise<string | undefined> {
  const options = { codes: [0, 128], maxBytes: LARGEST, cut: true }
  const { stdout, code, cut: tooLarge } = await overlay.run(['cat-file', 'blob', name], options)
  return code !== 0 || tooLarge || stdout.includes(0) ? undefined : stdout.toString('utf8')
}

/** The lines that differ, of both sides, each part with the number of its first line in the marked file. */
function betweenMarks(text: string): { ours: string; theirs: string } | undefined {
  const sides = { ours: '', theirs: '' }
  let side: 'ours' | 'theirs' | undefined
  let found = false
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('<<<<<<< ')) {
      found = true
      side = 'ours'
      for (const one of ['ours', 'theirs'] as const) sides[one] += `@@ ${index + 1} @@\n`
    } else if (line === '=======' && side === 'ours') side = 'theirs'
    else if (line.startsWith('>>>>>>> ')) side = undefined
    else if (side) sides[side] += `${line}\n`
  }
  return found ? { ours: cut(sides.ours), theirs: cut(sides.theirs) } : undefined
}

function cut(text: string): string {
  return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS).toWellFormed()}…`
}
