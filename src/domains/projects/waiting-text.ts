// For people and agents: what a task waits for, and what can be done about it.
import type { Lang, Text } from '#contract/errors.ts'
import { some } from '#contract/order.ts'
import { STAGE_JA } from '#contract/state-words.ts'
import { stageOf, type Task } from './model.ts'

/** `missing`: what it depends on and what is not accepted, or not merged. */
export function waitsForTasks(task: Pick<Task, 'handle'>, missing: readonly Task[]): Text {
  const cancelled = missing.filter(({ status }) => status === 'cancelled')
  const [one] = cancelled
  const isQueued = missing.some(each => stageOf(each) === 'queued')
  const isOne = missing.length === 1
  const en = `It waits for ${named(missing, 'en')} and is started when ${isOne ? 'that is' : 'all of them are'} accepted${isQueued ? ' and merged' : ''}.`
  const ja = `${named(missing, 'ja')} を待っています。${isOne ? '' : 'すべて'}承認${isQueued ? 'およびマージ' : ''}されると開始します。`
  if (!one) return { en, ja }
  const command = `toryo task unlink ${task.handle} --after ${one.handle}`
  return {
    en: `${en} ${one.handle} is cancelled and will not be: remove the link with \`${command}\`, or reopen ${one.handle}.`,
    ja: `${ja}${one.handle} は取り消されているため、このままでは開始しません。\`${command}\` で依存を外すか、${one.handle} を再開してください。`,
  }
}

/** One instance of an agent works in a project at a time. */
export function waitsForAgent(agent: string, { handle, title }: Pick<Task, 'handle' | 'title'>): Text {
  return {
    en: `${agent} works on ${handle} ${title}, and on one task at a time.`,
    ja: `${agent} は ${handle} ${title} を作業中です。一度に作業するタスクは 1 つです。`,
  }
}

/** Its agent has reported already. */
export function waitsForChildren(open: readonly Task[]): Text {
  return {
    en: `Its agent has reported; the task is done when its sub-tasks are accepted or cancelled: ${named(open, 'en')}.`,
    ja: `エージェントの報告は済んでいます。サブタスクがすべて承認または取り消されると完了します: ${named(open, 'ja')}。`,
  }
}

function named(tasks: readonly Task[], lang: Lang): string {
  const each = tasks.map(task => `${task.handle} (${lang === 'en' ? stageOf(task) : STAGE_JA[stageOf(task)]})`)
  return some(each, lang)
}
