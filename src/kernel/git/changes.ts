// What differs between a commit and the files of a checkout: committed or not, staged or not, tracked or not.
import { compareCopies } from './compare-copies.ts'
import type { Git } from './git.ts'
import { lineCountsIn, withCounts } from './line-counts.ts'
import { type Checkout, type Overlay, withOverlay } from './overlay.ts'
import { fieldsOf, patchText } from './path-text.ts'
import { type Found, NAMES_BYTES, survey } from './survey.ts'

export type Change = {
  path: string
  status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** The path it had before. */
  from?: string
  /** Lines, where they were counted and it is text. */
  added?: number
  removed?: number
  binary?: boolean
}

export type Changes = { files: Change[]; truncated: boolean }
export type Diff = { diff: string; truncated: boolean }
/** Only of one file, by the path that it has now; with so many lines around each change. */
export type Part = { path?: string | undefined; context?: number | undefined }

const MOST_FILES = 20_000

/** `base` is a commit or tree by its number. */
export function changedFiles(git: Git, checkout: Checkout, base: string, signal?: AbortSignal): Promise<Changes> {
  return withOverlay(
    git,
    checkout,
    async overlay => {
      const { found, truncated } = await survey(overlay, base)
      return { files: found.slice(0, MOST_FILES).map(toChange), truncated: truncated || found.length > MOST_FILES }
    },
    signal,
  )
}

/** With the lines of each: every changed file is read for it. Files beyond `maxBytes` have none. */
export function countedFiles(
  git: Git,
  checkout: Checkout,
  base: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Changes> {
  return withOverlay(
    git,
    checkout,
    async overlay => {
      const surveyed = await survey(overlay, base)
      const { output } = await compareCopies(overlay, surveyed, maxBytes, ['--numstat', '-z'], NAMES_BYTES)
      const files = surveyed.found.slice(0, MOST_FILES).map(toChange)
      const counts = lineCountsIn(fieldsOf(output.stdout))
      return {
        files: withCounts(files, counts),
        truncated: surveyed.truncated || output.cut || surveyed.found.length > MOST_FILES,
      }
    },
    signal,
  )
}

export function diff(
  git: Git,
  checkout: Checkout,
  base: string,
  maxBytes: number,
  signal?: AbortSignal,
  part: Part = {},
): Promise<Diff> {
  return withOverlay(git, checkout, overlay => patch(overlay, base, maxBytes, part), signal)
}

const STATUSES: Record<string, Change['status']> = { A: 'added', D: 'deleted', R: 'renamed' }

function toChange({ path, letter, from }: Found): Change {
  return { path, status: STATUSES[letter] ?? 'modified', ...(from !== undefined && { from }) }
}

async function patch(overlay: Overlay, base: string, maxBytes: number, { path, context }: Part): Promise<Diff> {
  const all = await survey(overlay, base)
  const surveyed = path === undefined ? all : { ...all, found: all.found.filter(one => one.path === path) }
  const around = context === undefined ? [] : [`--unified=${context}`]
  const args = ['-p', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', ...around]
  const { output, isWhole } = await compareCopies(overlay, surveyed, maxBytes, args, maxBytes)
  return {
    diff: patchText(output.cut ? wholeLines(output.stdout) : output.stdout),
    truncated: all.truncated || output.cut || !isWhole,
  }
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
}
