// Who else works on the same lines, for people.
import type { OverlapKind, OverlapSide, OverlapView } from '#contract/thread.ts'
import { visibleLine } from './escape.ts'
import type { Io } from './io.ts'

const NAMED = 5

export const overlapKinds = {
  lines: { en: 'same lines', ja: '同じ行を変更' },
  conflict: { en: 'would not merge', ja: 'マージすると競合' },
} satisfies Record<OverlapKind, unknown>

export function sideName({ handle, tab_id }: OverlapSide): string {
  return handle ?? tab_id ?? ''
}

/** One line for each other, with the graver kind. */
export function overlapLines(overlaps: readonly OverlapView[], io: Io): string {
  return graver(overlaps)
    .map(({ with: other, kind, files }) => `${sideName(other)}  ${io.say(overlapKinds[kind])}: ${fileNames(files, io)}`)
    .join('\n')
}

/** For a table: the others alone. */
export function overlapNames(overlaps: readonly OverlapView[]): string | null {
  const names = graver(overlaps).map(({ with: other }) => sideName(other))
  return names.length === 0 ? null : `! ${names.join(', ')}`
}

export function fileNames(files: readonly string[], io: Io): string {
  const more = files.length - NAMED
  const names = files.slice(0, NAMED).map(visibleLine).join(', ')
  return more > 0 ? `${names} ${io.say({ en: `and ${more} more`, ja: `ほか ${more} 件` })}` : names
}

function graver(overlaps: readonly OverlapView[]): OverlapView[] {
  const found = new Map<string, OverlapView>()
  for (const one of overlaps) {
    const name = sideName(one.with)
    if (found.get(name)?.kind !== 'conflict') found.set(name, one)
  }
  return [...found.values()]
}
