// Pure: which items are listed and in what order, and what a terminal asks.
import type { InboxItem } from '#contract/inbox.ts'
import type { InboxKind } from '#contract/inbox-values.ts'

export const GROUPS = {
  questions: ['blocked', 'tab_waits'],
  failures: ['run_failed', 'not_startable', 'message_failed', 'handoff'],
  results: ['review', 'crew_ended', 'phase_ended'],
  others: ['untrusted', 'engine_paused', 'overlap', 'decision_replaced'],
} as const satisfies Record<string, readonly InboxKind[]>
export type Group = keyof typeof GROUPS
export const GROUP_NAMES = Object.keys(GROUPS) as Group[]

export const isGroup = (text: string | null): text is Group => text !== null && text in GROUPS

export const groupOf = (kind: InboxKind): Group =>
  GROUP_NAMES.find(group => (GROUPS[group] as readonly InboxKind[]).includes(kind)) ?? 'others'

/** The hub lists the one that waits longest first; those without a moment are at the end either way. */
export function listed(items: readonly InboxItem[], group: Group | null, isNewest: boolean): readonly InboxItem[] {
  const shown = group === null ? items : items.filter(({ kind }) => groupOf(kind) === group)
  if (!isNewest) return shown
  return [...shown.filter(({ since }) => since !== null).reverse(), ...shown.filter(({ since }) => since === null)]
}

/** Frames, bullets and prompts that programs draw around a line. */
const DRAWN = /^[\s\u2500-\u259f|>❯›•●◆*?-]+|[\s\u2500-\u259f|]+$/gu
/** `(y/n)` and the like may follow. */
const ASKS = /[?？](?:\s*[([][^)\]]{1,12}[)\]])?:?$/u

/** The last line of a screen that asks something; undefined where none does. */
export function questionOf(screen: string | null): string | undefined {
  const lines = (screen ?? '').split('\n').map(line => line.replace(DRAWN, ''))
  return lines.findLast(line => ASKS.test(line))
}

/** What an item is about, in a line or two: of a blocked task which one it is and what is asked, of a terminal what it asks. */
export function linesOf({ kind, title, detail }: Pick<InboxItem, 'kind' | 'title' | 'detail'>): string[] {
  if (kind === 'tab_waits') return [questionOf(detail) ?? title]
  if (kind === 'blocked') return [title, firstLine(detail)].filter(text => text !== '')
  return [['engine_paused', 'run_failed', 'phase_ended'].includes(kind) ? (detail ?? '') : title].filter(
    text => text !== '',
  )
}

function firstLine(text: string | null): string {
  return (text ?? '').trimStart().split('\n', 1)[0]?.trim() ?? ''
}
