// The lines at the bottom of `toryo up`: who works on what, and what waits for the person. Pure; screen.ts draws them.
import type { WorkView } from '#contract/work.ts'
import { duration } from '../crew-progress.ts'
import { visibleLine } from '../escape.ts'
import { commandFor, markOf, noticeLine, titleOf } from '../inbox-text.ts'
import type { Io } from '../io.ts'
import { stateText, stateWord } from '../states.ts'
import { cut, padEnd, widthOf } from '../width.ts'
import type { Look } from './changes.ts'
import { about, nextText, waitingText } from './work-text.ts'

type Size = { readonly columns: number; readonly rows: number }
/** What Ctrl-C ends. */
export type Ends = 'hub' | 'view' | 'demo'
type Pane = Pick<Io, 'say' | 'lang' | 'colors' | 'now'>

/** What was said above must stay in sight: the panel takes no more than this share of the window. */
const SHARE = 0.6
const LEAST_ROWS = 6

/** No line is as wide as the window, so that none wraps. */
export function panel({ work, waiting, items }: Look, size: Size, io: Pane, ends: Ends = 'hub'): string[] {
  const width = Math.max(20, size.columns - 1)
  const room = Math.max(LEAST_ROWS, Math.floor(size.rows * SHARE))
  const open = work.filter(({ ended_at }) => ended_at === null)
  const coming = work.filter(({ ended_at, next }) => ended_at !== null && next !== null && next.what !== 'waits')
  const needs = items.map(item => needLines(item, width, io))
  const held = waiting.map(one => io.colors.dim(cut(`  ${waitingText(one, io)}`, width)))
  const works = [
    ...open.map(one => workLines(one, width, io)),
    ...coming.map(one => [comingLine(one, width, io)]),
    ...held.map(line => [line]),
  ]
  const lines = [
    io.colors.dim('─'.repeat(width)),
    ...section(io.say(words.working(open.length)), works, io),
    ...(items.length === 0 ? [] : section(io.say(words.needs(items.length)), needs, io, true)),
    io.colors.dim(cut(io.say(words.keys[ends]), width)),
  ]
  if (lines.length <= room) return lines
  // A person's attention first: work is shown in single lines, then left out from its end.
  const short = works.map(([line]) => [line as string])
  const tight = needs.map(need => need.slice(0, 2))
  const fixed = 3 + (items.length === 0 ? 0 : 1)
  const forNeeds = fit(tight, Math.max(2, room - fixed - Math.min(short.length, 2)), width, io)
  const forWork = fit(short, Math.max(1, room - fixed - forNeeds.length), width, io)
  return [
    lines[0] as string,
    heading(io.say(words.working(open.length)), io),
    ...forWork,
    ...(items.length === 0 ? [] : [heading(io.say(words.needs(items.length)), io, true), ...forNeeds]),
    lines.at(-1) as string,
  ]
}

function section(title: string, entries: readonly string[][], io: Pane, isUrgent = false): string[] {
  return [heading(title, io, isUrgent), ...entries.flat()]
}

function heading(title: string, { colors }: Pane, isUrgent = false): string {
  return isUrgent ? colors.yellow(title) : colors.bold(title)
}

/** As many whole entries as there is room for, and how many are not shown. */
function fit(entries: readonly string[][], room: number, width: number, io: Pane): string[] {
  if (entries.flat().length <= room) return entries.flat()
  const lines: string[] = []
  let shown = 0
  for (const entry of entries) {
    if (lines.length + entry.length > room - 1) break
    lines.push(...entry)
    shown++
  }
  return [...lines, io.colors.dim(cut(`  ${io.say(words.more(entries.length - shown))}`, width))]
}

function workLines(one: WorkView, width: number, io: Pane): string[] {
  const time = duration(Math.max(0, io.now() - Date.parse(one.started_at)), io.lang)
  const status = one.status === 'running' ? '' : one.status
  const right = [stateWord(status, io), time].filter(part => part !== '').join(' ')
  const engine = one.engine === null ? '' : ` (${visibleLine(one.engine)})`
  const name = `${visibleLine(one.name)}${engine}`
  const left = cut(`  ${name}  ${about(one)}`.trimEnd(), width - widthOf(right) - 2)
  const padded = padEnd(left, width - widthOf(right))
  const head = `${padded}${status === '' ? '' : `${stateText(status, io)} `}${io.colors.dim(time)}`
  const action = one.last_action === null ? '' : visibleLine(one.last_action)
  return action === '' ? [head] : [head, io.colors.dim(cut(`    ${action}`, width))]
}

function comingLine(one: WorkView, width: number, io: Pane): string {
  const what = [visibleLine(one.name), one.handle].filter(part => part !== null).join('  ')
  return io.colors.dim(cut(`  ${what}  ${nextText(one, io)}`, width))
}

function needLines(item: Look['items'][number], width: number, io: Pane): string[] {
  const command = commandFor(item)
  const said = item.detail === null ? '' : `: ${visibleLine(item.detail)}`
  const head = command === null ? noticeLine(item, io) : `${markOf(item)} ${titleOf(item)}${said}`
  const todo = command === null ? [] : [io.colors.cyan(cut(`    → ${visibleLine(command)}`, width))]
  return [cut(`  ${head}`, width), ...todo]
}

const words = {
  working: (count: number) => ({
    en: count === 0 ? 'No agent is working' : `Working (${count})`,
    ja: count === 0 ? '作業中のエージェントはいません' : `作業中 (${count})`,
  }),
  needs: (count: number) => ({ en: `Needs you (${count})`, ja: `対応待ち (${count})` }),
  more: (count: number) => ({ en: `… and ${count} more`, ja: `… 他 ${count} 件` }),
  keys: {
    hub: {
      en: 'Ctrl-C stops · toryo open: the dashboard · toryo inbox: what needs you',
      ja: 'Ctrl-C で停止 · toryo open で画面 · toryo inbox で対応待ち',
    },
    view: {
      en: 'Ctrl-C ends the view · toryo open: the dashboard · toryo inbox: what needs you',
      ja: 'Ctrl-C で表示を終了 · toryo open で画面 · toryo inbox で対応待ち',
    },
    demo: {
      en: 'Ctrl-C ends the demo and deletes it · the dashboard shows more',
      ja: 'Ctrl-C でデモを終了して削除 · 続きはダッシュボードで',
    },
  },
}
