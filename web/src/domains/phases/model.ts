// Phases as they are drawn, and what changed between two versions of a prompt. Pure.
import type { PhaseView } from '#contract/views.ts'

export type Line = { kind: 'same' | 'added' | 'removed'; text: string }

/** As many lines as are compared: a prompt is a page or two. Longer ones are shown one after the other. */
const MOST = 2000

/** Line by line, by their longest common part. */
export function diffOf(before: string, after: string): Line[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  if (a.length > MOST || b.length > MOST)
    return [...a.map(text => line('removed', text)), ...b.map(text => line('added', text))]
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(line('same', a[i] ?? ''))
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push(line('removed', a[i++] ?? ''))
    else lines.push(line('added', b[j++] ?? ''))
  }
  return lines
}

const line = (kind: Line['kind'], text: string): Line => ({ kind, text })

/** For how long it went, or has gone on. */
export function durationOf({ started_at, completed_at }: PhaseView, now: number): number | undefined {
  if (started_at === null) return undefined
  return Math.max(0, (completed_at === null ? now : Date.parse(completed_at)) - Date.parse(started_at))
}

/** The phase to look at first: the one in progress, else the one that failed, else the last that was begun. */
export function firstToShow(phases: readonly PhaseView[]): string {
  const found =
    phases.find(({ status }) => status === 'in_progress') ??
    phases.find(({ status }) => status === 'failed') ??
    phases.findLast(({ status }) => status === 'completed')
  return found?.phase ?? 'phase0'
}

export type Piece = { text: string; isPlace: boolean }

const PLACE = /(\{\{[^{}\n]{1,80}\}\})/

/** A prompt cut at its `{{places}}`. */
export function piecesOf(text: string): Piece[] {
  return text
    .split(PLACE)
    .map((piece, at) => ({ text: piece, isPlace: at % 2 === 1 }))
    .filter(({ text: piece }) => piece !== '')
}
