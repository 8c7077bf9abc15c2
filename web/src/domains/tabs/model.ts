// Which terminals are shown where, and what is said about tabs and messages. Pure.
import type { TabRecord } from '#contract/records.ts'
import type { MessageView, TabStatus } from '#contract/tabs.ts'

export const LAYOUTS = ['1', '2', '4', 'grid'] as const
export type Layout = (typeof LAYOUTS)[number]

const ROOM: Record<Layout, number> = { '1': 1, '2': 2, '4': 4, grid: 200 }

/** Without a choice: room for as many as are to be shown. */
export function layoutOf(chosen: string | null, tabs: number): Layout {
  const known = LAYOUTS.find(layout => layout === chosen)
  if (known) return known
  if (tabs <= 1) return '1'
  if (tabs === 2) return '2'
  return tabs <= 4 ? '4' : 'grid'
}

/** Those that were chosen, in their order, then the others, as far as there is room. */
export function tilesOf(ids: readonly string[], chosen: readonly string[], layout: Layout): string[] {
  const rest = ids.filter(id => !chosen.includes(id))
  return [...new Set([...chosen, ...rest])].slice(0, ROOM[layout])
}

/** `id` in the place of the tile at `at`, unless it is shown already. */
export function brought(tiles: readonly string[], id: string, at: number, layout: Layout): string[] {
  if (tiles.includes(id)) return [...tiles]
  if (tiles.length < ROOM[layout]) return [...tiles, id]
  return tiles.map((tile, index) => (index === Math.min(Math.max(at, 0), tiles.length - 1) ? id : tile))
}

/** The next one in the list, round its ends. */
export function neighbour(ids: readonly string[], id: string | undefined, by: 1 | -1): string | undefined {
  const at = ids.findIndex(one => one === id)
  return at === -1 ? ids[0] : ids[(at + by + ids.length) % ids.length]
}

/** The tile at `from` in the place `by` further on, and the one that was there in its place. */
export function swapped(tiles: readonly string[], from: number, by: number): string[] {
  const to = from + by
  const [one, other] = [tiles[from], tiles[to]]
  if (one === undefined || other === undefined) return [...tiles]
  return tiles.map((tile, index) => (index === from ? other : index === to ? one : tile))
}

/** Columns of the tiles on a wide page. */
export function columnsOf(layout: Layout, count: number): number {
  if (layout === '1' || count <= 1) return 1
  if (layout !== 'grid' || count <= 4) return 2
  return count <= 9 ? 3 : 4
}

export function idsIn(text: string | null): string[] {
  return (text ?? '').split(',').filter(id => /^[\w-]{1,100}$/.test(id))
}

/** Stopping what works loses that work. */
export const stopAsks = (status: TabStatus): boolean => status === 'running' || status === 'starting'

/** Each line break would be an Enter to a program that does not know a paste from typing. */
export function pasteAsks(text: string, bracketed: boolean): boolean {
  return !bracketed && /[\r\n]/.test(text.replace(/[\r\n]+$/, ''))
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'metaKey'>

/** Whether a key is meant for the program: not one that only changes others, nor one of the page or the browser. */
export function isTyping({ key, ctrlKey, shiftKey, metaKey }: Key): boolean {
  if (metaKey || /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|NumLock|ScrollLock)$/.test(key)) return false
  return !(ctrlKey && (/^[\\¥]$/.test(key) || (shiftKey && /^[cfv]$/i.test(key))))
}

export const lineCount = (text: string): number => text.split(/\r\n|\r|\n/).length

/** What is copied has no blanks at the ends of its lines: a terminal fills them up. */
export const copied = (text: string): string => text.replace(/[ \t\u00a0]+$/gm, '')

/** The keys of a phone's row, as a terminal sends them. `application`: the program asked for the other arrows. */
export const PHONE_KEYS = ['Esc', 'Tab', '^C', '↑', '↓', 'y', 'n', '⏎'] as const
export type PhoneKey = (typeof PHONE_KEYS)[number]

export function bytesOf(key: PhoneKey, application: boolean): string {
  const arrow = application ? '\u001bO' : '\u001b['
  const sent: Partial<Record<PhoneKey, string>> = {
    ...{ Esc: '\u001b', Tab: '\t', '^C': '\u0003', '⏎': '\r' },
    ...{ '↑': `${arrow}A`, '↓': `${arrow}B` },
  }
  return sent[key] ?? key
}

export type Waits = 'asks' | 'starts' | 'works' | undefined

/** Why a queued message has not been typed yet, as far as its tab shows. */
export function waitsFor(message: Pick<MessageView, 'state'>, to: Pick<TabRecord, 'status'> | undefined): Waits {
  if (message.state !== 'queued' || !to) return undefined
  if (to.status === 'waiting') return 'asks'
  if (to.status === 'starting') return 'starts'
  return to.status === 'running' ? 'works' : undefined
}

export type Thread = { other: string; messages: MessageView[] }

/** Of one tab, by whom it talks with; the thread with the newest message first, in each the oldest first. */
export function threadsOf(messages: readonly MessageView[], id: string): Thread[] {
  const threads = new Map<string, MessageView[]>()
  for (const message of messages.toSorted((a, b) => (a.sent_at < b.sent_at ? -1 : 1))) {
    const other = message.from === id ? message.to : message.from
    threads.set(other, [...(threads.get(other) ?? []), message])
  }
  const newest = (thread: readonly MessageView[]) => thread.at(-1)?.sent_at ?? ''
  return [...threads]
    .map(([other, own]) => ({ other, messages: own }))
    .sort((a, b) => (newest(a.messages) > newest(b.messages) ? -1 : 1))
}
