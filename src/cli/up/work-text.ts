import { stateWord } from '../states.ts'
// Work in words: who works on what, how it ended, and what happens next.
import type { ApiOutput } from '#contract/api.ts'
import { MOST_RETURNS, type MergeView } from '#contract/thread.ts'
import type { WaitingTask, WorkView } from '#contract/work.ts'
import { copyCommand } from '../copy-command.ts'
import { duration } from '../crew-progress.ts'
import { visibleLine } from '../escape.ts'
import type { Io } from '../io.ts'
import { baseOf, notMerging } from '../merge-text.ts'
import { shortId } from '../short-id.ts'

/** `shop-12 Fix the login`, or what a crew's run was asked; of a tab the engine says enough. */
export function about({ handle, title }: Pick<WorkView, 'handle' | 'title'>): string {
  return [handle, title].flatMap(part => (part === null ? [] : visibleLine(part))).join(' ')
}

function isGood({ status, reason }: Pick<WorkView, 'status' | 'reason'>): boolean {
  return status === 'completed' || (status === 'exited' && reason === null)
}

/** How to look closer. */
function lookCommand({ kind, work_id, name, ended_at }: WorkView): string {
  if (kind !== 'tab') return `toryo run logs ${shortId(work_id)}`
  return ended_at === null ? `toryo tab attach ${visibleLine(name)}` : `toryo tab show ${work_id}`
}

export function startLine(work: WorkView, io: Pick<Io, 'say'>): string {
  const what = about(work)
  const engine = work.engine === null ? '' : ` (${visibleLine(work.engine)})`
  const name = visibleLine(work.name)
  if (work.kind === 'tab') return `▸ ${io.say(words.tabOpened(name))}${engine}${what === '' ? '' : `: ${what}`}`
  return `▸ ${io.say(words.works(name, what))}${engine}`
}

/** One line: `✗ Aoi on shop-12 Fix the login: ended without a report; try 2 of 6 in 20 s (toryo run logs exec_…)`. */
export function endLine(work: WorkView, io: Pick<Io, 'say' | 'now' | 'lang'>): string {
  const name = visibleLine(work.name)
  const what = about(work)
  const whose = work.kind === 'tab' || what === '' ? name : io.say(words.on(name, what))
  if (isGood(work)) {
    const said = work.last_action === null ? '' : `: ${visibleLine(work.last_action)}`
    // What came of it is another line: it may fail its checks yet.
    return `✓ ${whose}: ${io.say(work.kind === 'task' ? words.reported : words.done)}${said}`
  }
  const why = visibleLine(work.reason ?? stateWord(work.status, io)).replace(/[.。]$/, '')
  const next = nextText(work, io)
  // Some reasons name the command themselves.
  const look = why.includes(work.work_id) ? '' : ` (${lookCommand(work)})`
  return `✗ ${whose}: ${why}${next === '' ? '' : `${io.say(words.next)}${next}`}${look}`
}

/** Where the way of a task ends. */
export function mergedLine(merge: MergeView, io: Pick<Io, 'say'>): string {
  const what = { merge: words.merged, undo: words.undone, redo: words.redone }[merge.kind]
  return `${merge.kind === 'undo' ? '↩' : '✓'} ${io.say(what(about(merge), io.say(baseOf(merge))))}`
}

export type ReturnedTask = {
  handle: string
  agent: string
  why: 'checks' | 'conflict' | 'changes'
  count: number
} & Pick<ApiOutput<'task.show'>, 'evidence' | 'merge'>

/** Reported, and not good enough to go on: it goes back to its agent without a person. */
export function backLine({ handle, agent, why, count, evidence, merge }: ReturnedTask, io: Pick<Io, 'say'>): string {
  const back = io.say(words.back(visibleLine(agent)))
  if (why === 'conflict')
    return `↩ ${handle}: ${io.say(notMerging(merge?.base ?? '', merge?.files ?? []))}${io.say(words.next)}${back}`
  const failed = evidence.find(({ outcome }) => outcome !== null && outcome !== 'passed')
  const base = failed?.merge_id ? (merge?.base ?? '') : ''
  return `✗ ${handle}: ${io.say(words.checkFailed(visibleLine(failed?.check ?? ''), visibleLine(base), count))}${io.say(words.and)}${back}`
}

/** `shop-3 Tiles waits: Claude works on shop-1` */
export function waitingText(task: WaitingTask, io: Pick<Io, 'say'>): string {
  return io.say(words.waitsFor(about(task), visibleLine(task.agent_name), task.agent_busy_with.handle))
}

/** With what does not wait. */
export function waitingLine(task: WaitingTask, io: Pick<Io, 'say'>): string {
  return `· ${waitingText(task, io)} (${copyCommand(task.agent_name, task.handle)})`
}

export function nextText({ next }: Pick<WorkView, 'next'>, io: Pick<Io, 'say' | 'now' | 'lang'>): string {
  if (next === null) return ''
  if (next.what === 'waits') return io.say(words.waits)
  const left = next.at === null ? null : Math.max(0, Date.parse(next.at) - io.now())
  if (next.what === 'paused') return io.say(words.paused(left === null ? '?' : duration(left, io.lang)))
  if (next.attempt === null) return io.say(left === null ? words.againNow : words.again(duration(left, io.lang)))
  return io.say(words.attempt(next.attempt, next.attempts, left === null ? null : duration(left, io.lang)))
}

const words = {
  and: { en: ', ', ja: '、' },
  next: { en: '; ', ja: '。' },
  back: (agent: string) => ({
    en: agent === '' ? 'it has no agent' : `back to ${agent}`,
    ja: agent === '' ? '担当がいません' : `${agent} に差し戻し`,
  }),
  checkFailed: (check: string, base: string, count: number) => ({
    en: `check ${check} failed${base === '' ? '' : ` merged with ${base}`} (${count} of ${MOST_RETURNS + 1})`,
    ja: `${base === '' ? '' : `${base} とのマージ後に`}チェック ${check} が失敗 (${MOST_RETURNS + 1} 回中 ${count} 回目)`,
  }),
  waitsFor: (what: string, agent: string, other: string) => ({
    en: `${what} waits: ${agent} works on ${other}`,
    ja: `${what} は待機中: ${agent} は ${other} を作業中`,
  }),
  reported: { en: 'reported', ja: '報告' },
  merged: (what: string, base: string) => ({
    en: `${what}: merged into ${base}`,
    ja: `${what}: ${base} にマージしました`,
  }),
  undone: (what: string, base: string) => ({
    en: `${what}: its merge is undone in ${base}`,
    ja: `${what}: ${base} へのマージを取り消しました`,
  }),
  redone: (what: string, base: string) => ({
    en: `${what}: merged into ${base} again`,
    ja: `${what}: ${base} へのマージを元に戻しました`,
  }),
  works: (name: string, what: string) => ({
    en: what === '' ? `${name} works` : `${name} works on ${what}`,
    ja: what === '' ? `${name} が作業開始` : `${name} が ${what} の作業を開始`,
  }),
  on: (name: string, what: string) => ({ en: `${name} on ${what}`, ja: `${name} (${what})` }),
  tabOpened: (branch: string) => ({ en: `tab ${branch} is open`, ja: `タブ ${branch} を開きました` }),
  done: { en: 'done', ja: '完了' },
  waits: { en: 'it waits for you', ja: 'あなたの対応を待っています' },
  paused: (left: string) => ({ en: `its engine is paused for ${left}`, ja: `エンジンは一時停止中 (残り ${left})` }),
  againNow: { en: 'it is started again', ja: '再開します' },
  again: (left: string) => ({ en: `again in ${left}`, ja: `${left} 後に再開` }),
  attempt: (attempt: number, attempts: number, left: string | null) => ({
    en: left === null ? `try ${attempt} of ${attempts} now` : `try ${attempt} of ${attempts} in ${left}`,
    ja: left === null ? `${attempts} 回中 ${attempt} 回目を開始` : `${left} 後に ${attempts} 回中 ${attempt} 回目`,
  }),
}
