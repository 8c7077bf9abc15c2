// Pure: which items are listed and in what order, and what a terminal asks.
import type { InboxItem } from '#contract/inbox.ts'
import type { InboxKind } from '#contract/inbox-values.ts'

export const GROUPS = {
  questions: ['blocked', 'tab_waits'],
  failures: [
    'run_failed',
    'not_startable',
    'message_failed',
    'no_agent',
    'no_runner',
    'disk_low',
    'handoff',
    'undo_failed',
  ],
  results: ['review', 'crew_ended', 'phase_ended'],
  others: ['untrusted', 'command', 'engine_paused', 'overlap', 'decision_replaced'],
} as const satisfies Record<string, readonly InboxKind[]>
export type Group = keyof typeof GROUPS
export const GROUP_NAMES = Object.keys(GROUPS) as Group[]

export const isGroup = (text: string | null): text is Group => text !== null && text in GROUPS

/** Not everything that is blocked is a question: of the others, the hub says what failed. */
const hasFailed = ({ kind, check, merge }: Pick<InboxItem, 'kind' | 'check' | 'merge'>): boolean =>
  kind === 'blocked' && (check !== null || merge === 'conflict')

export function groupOf(item: Pick<InboxItem, 'kind' | 'check' | 'merge'>): Group {
  const kind = hasFailed(item) ? 'run_failed' : item.kind
  return GROUP_NAMES.find(group => (GROUPS[group] as readonly InboxKind[]).includes(kind)) ?? 'others'
}

/** The hub lists the one that waits longest first, a demo as its guide has it; those without a moment are at the end either way. */
export function listed(items: readonly InboxItem[], group: Group | null, isNewest: boolean): readonly InboxItem[] {
  const shown = group === null ? items : items.filter(item => groupOf(item) === group)
  if (!isNewest) return shown
  const at = ({ since }: InboxItem) => (since === null ? 0 : Date.parse(since))
  return [...shown].sort((a, b) => at(b) - at(a))
}

/** Frames, bullets and prompts that programs draw around a line. */
const DRAWN = /^[\s\u2500-\u259f|>❯›•●◆*?-]+|[\s\u2500-\u259f|]+$/gu
/** `(y/n)` and the like may follow. */
const ASKS = /[?？](?:\s*[([][^)\]]{1,12}[)\]])?:?$/u

/** The last line of a screen that asks something; undefined where none does. */
export function questionOf(screen: string | null): string | undefined {
  const raw = (screen ?? '').split('\n').map(line => line.replace(FRAME, '').trimEnd())
  const lines = raw.map(line => line.replace(DRAWN, ''))
  const at = lines.findLastIndex(line => ASKS.test(line))
  if (at === -1) return undefined
  // A program that breaks its lines between words, in a narrow terminal, broke this one, too.
  const widest = Math.max(...raw.map(line => line.length))
  let first = at
  while (first > 0 && at - first < MOST_LINES && goesOn(raw[first - 1] ?? '', raw[first] ?? '', widest)) first--
  return lines.slice(first, at + 1).join(' ')
}

/** The sides of a frame. */
const FRAME = /^\s*[\u2500-\u259f|]|[\u2500-\u259f|]\s*$/gu
const MOST_LINES = 4
/** What ends a line on purpose. */
const ENDED = /[.!?:;,。！？：；、…)）」』\]}]$/u

/** Whether a line was broken only because the next word had no room: then the two are one sentence. */
function goesOn(before: string, line: string, widest: number): boolean {
  const said = before.replace(DRAWN, '')
  const word = line.replace(DRAWN, '').split(/\s/u, 1)[0] ?? ''
  // Both begin in the same place, and the second with no capital: no list, no prompt, no sentence of its own.
  const indent = (text: string) => text.length - text.trimStart().length
  const isPlain = /^\s*(?!\p{Lu})[\p{L}"“'‘(（「『]/u.test(line) && indent(before) === indent(line)
  return said !== '' && !ENDED.test(said) && isPlain && before.length + 1 + word.length > widest
}

/** What an item is about, in a line or two: of a blocked task which one it is and what is asked, of a terminal what it asks. */
export function linesOf({ kind, title, detail }: Pick<InboxItem, 'kind' | 'title' | 'detail'>): string[] {
  if (kind === 'tab_waits') return [questionOf(detail) ?? title]
  if (kind === 'blocked') return [title, firstLine(detail)].filter(text => text !== '')
  // The headline names both sides; the files are what is new.
  if (kind === 'overlap') return [(detail ?? title).split('\n').join(', ')]
  return [['engine_paused', 'run_failed', 'phase_ended'].includes(kind) ? (detail ?? '') : title].filter(
    text => text !== '',
  )
}

function firstLine(text: string | null): string {
  return (text ?? '').trimStart().split('\n', 1)[0]?.trim() ?? ''
}
