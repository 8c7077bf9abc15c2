// What can be done about an item; the first is what most people want. One list, for the item's detail and for its row.
import type { QueryClient } from '@tanstack/react-query'
import type { InboxItem } from '#contract/inbox.ts'
import type { Words } from '../../words/en.ts'
import {
  acceptAnyway,
  again,
  cancelTask,
  onlyFailed,
  sendAgain,
  settle,
  startIt,
  stopTab,
  tellBoth,
  tellDecision,
  waitFor,
} from './actions.ts'
import { sidesOf } from './item-words.tsx'
import type { stepWords } from './step-words.ts'

export type Step = {
  id: string
  text: string
  /** The key that does the same while the item is open. */
  keys?: string
  main?: boolean
  /** Only beside what it is about: in a row it would be too long, or be pressed without having read. */
  detailOnly?: boolean
} & ({ run: () => unknown } | { href: string })

export type StepContext = {
  words: Words
  own: typeof stepWords.en
  queries: QueryClient
  navigate: (href: string) => void
  /** Opens the dialog for a new task. */
  makeTask: (title: string, project: string | null) => void
  /** Lets a person choose an agent for it. */
  pick: () => void
}

export function stepsOf(item: InboxItem, context: StepContext): Step[] {
  const { words, own, queries } = context
  const dismissed = DISMISSED_AS[item.kind]
  return [
    ...ownSteps(item, context),
    ...(dismissed ? [{ id: 'dismiss', text: dismissed(words, own), keys: 'e', run: () => settle(queries, item) }] : []),
    ...(item.task_id === null ? [] : [{ id: 'task', text: words.needs.openTask, href: `/tasks/${item.task_id}` }]),
  ]
}

/** In a row of the list: what leads into the detail, then the first of the others. */
export function rowStepsOf(item: InboxItem, context: StepContext, enter: () => void): Step[] {
  const into = item.check === null ? INTO[item.kind]?.(context.own) : context.own.sayWhat
  const first: Step[] = into === undefined ? [] : [{ id: 'into', text: into, keys: '⏎', main: true, run: enter }]
  return [...first, ...stepsOf(item, context).filter(({ detailOnly }) => !detailOnly)].slice(0, IN_A_ROW)
}

const IN_A_ROW = 2

type OwnWords = typeof stepWords.en

/** What is answered, judged or read in the detail itself. */
const INTO: Partial<Record<string, (own: OwnWords) => string>> = {
  tab_waits: own => own.answer,
  blocked: own => own.answer,
  review: own => own.review,
  untrusted: own => own.files,
  command: own => own.look,
}

const DISMISSED_AS: Partial<Record<string, (words: Words, own: OwnWords) => string>> = {
  run_failed: words => words.needs.seen,
  handoff: (_, own) => own.dismiss,
  message_failed: (_, own) => own.dismiss,
  not_startable: (_, own) => own.dismiss,
  no_runner: (_, own) => own.dismiss,
  undo_failed: (_, own) => own.fine,
  overlap: (_, own) => own.ignore,
  decision_replaced: (_, own) => own.fine,
  crew_ended: (_, own) => own.fine,
  phase_ended: (_, own) => own.fine,
}

function ownSteps(item: InboxItem, context: StepContext): Step[] {
  const { words, own, queries, makeTask } = context
  switch (item.kind) {
    case 'run_failed':
      return [
        { id: 'again', text: own.again, keys: 'R', main: true, run: () => again(queries, item) },
        { id: 'log', text: own.log, href: `/runs/${item.run_id}` },
        ...(item.crew_id === null
          ? []
          : [{ id: 'onlyFailed', text: own.onlyFailed, run: () => onlyFailed(queries, item) }]),
        {
          ...{ id: 'makeTask', text: own.makeTask },
          run: () => makeTask(own.taskTitle(item.title, (item.detail ?? '').split('\n')[0] ?? ''), item.project_id),
        },
      ]
    case 'tab_waits':
      return [
        { id: 'terminal', text: own.openTerminal, keys: 't', href: `/terminals?show=${item.tab_id}` },
        { id: 'stop', text: own.stop, keys: 's', run: () => stopTab(queries, item) },
      ]
    case 'no_agent':
      return [
        { id: 'start', text: own.start, main: true, run: () => startIt(queries, item) },
        ...give(item, context, false),
      ]
    case 'no_runner':
    case 'disk_low':
      return [{ id: 'doctor', text: own.fix, href: '/settings/doctor' }]
    case 'handoff':
      return give(item, context, true)
    case 'message_failed':
      if (item.command === null) return []
      return [{ id: 'sendAgain', text: own.sendAgain, main: true, run: () => sendAgain(queries, item) }]
    case 'overlap':
      return overlap(item, context)
    case 'not_startable':
      return [
        { id: 'doctor', text: own.fix, href: '/settings/doctor' },
        { id: 'engine', text: own.otherEngine, href: `/agents/${item.agent_id}` },
      ]
    case 'decision_replaced':
      return [
        {
          ...{ id: 'tell', main: true, run: () => tellDecision(queries, item) },
          text: item.tab_id === null ? own.startAgain : own.tellAgent,
        },
      ]
    case 'crew_ended':
      return look(item, context, `/crews/${item.crew_id}`)
    case 'phase_ended':
      return look(item, context, `/phases?project=${encodeURIComponent(item.project_id ?? '')}`)
    case 'blocked':
      return [
        ...give(item, context, false),
        ...(item.check === null
          ? []
          : [{ id: 'accept', text: own.acceptAnyway, detailOnly: true, run: () => acceptAnyway(queries, item) }]),
        { id: 'cancel', text: own.cancel, detailOnly: true, run: () => cancelTask(queries, item) },
      ]
    case 'engine_paused':
      return [
        { id: 'resume', text: words.needs.resume, keys: 'e', main: true, run: () => settle(queries, item) },
        { id: 'agents', text: own.agents, href: '/crew/agents' },
        { id: 'engines', text: own.engines, href: '/settings/engines' },
      ]
    case 'command':
      return [
        {
          ...{ id: 'allow', text: own.allow, keys: 'e', main: true, detailOnly: true },
          run: () => settle(queries, item),
        },
      ]
    case 'untrusted':
      return [
        {
          ...{ id: 'trust', text: words.needs.trust, keys: 'e', main: true, detailOnly: true },
          run: () => settle(queries, item),
        },
      ]
    default:
      return []
  }
}

function give(item: InboxItem, { own, pick }: StepContext, main: boolean): Step[] {
  return item.project_id === null ? [] : [{ id: 'give', text: own.give, main, run: pick }]
}

/** What was looked at waits no longer. */
function look(item: InboxItem, { own, queries, navigate }: StepContext, href: string): Step[] {
  const run = () => {
    navigate(href)
    return settle(queries, item)
  }
  return [{ id: 'look', text: own.look, main: true, run }]
}

function overlap(item: InboxItem, { own, queries }: StepContext): Step[] {
  const [one, other] = item.sides
  const [name, otherName] = sidesOf(item)
  const wait = (id: string, from: typeof one, to: typeof one, text: string): Step[] => {
    const [waits, goes] = [from?.task_id ?? null, to?.task_id ?? null]
    if (waits === null || goes === null) return []
    return [{ id, text, detailOnly: true, run: () => waitFor(queries, item, waits, goes, text) }]
  }
  const tell: Step = { id: 'tellBoth', text: own.tellBoth, main: true, run: () => tellBoth(queries, item) }
  return [
    ...(item.sides.some(({ tab_id }) => tab_id !== null) ? [tell] : []),
    ...wait('first', one, other, own.waitFor(name, otherName)),
    ...wait('second', other, one, own.waitFor(otherName, name)),
  ]
}
