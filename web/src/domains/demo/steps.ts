// What a newcomer does in the demo, and how far that has got. Pure.
import type { InboxItem } from '#contract/inbox.ts'

export const STEPS = ['watch', 'answer', 'review', 'replay'] as const
export type Step = (typeof STEPS)[number]

const REVIEW = 'review:tsk_prices'

type Waiting = readonly Pick<InboxItem, 'kind' | 'item_id'>[]

/** What this browser tab has seen. */
export type Seen = { asked: boolean; watched: boolean; replayed: boolean }
export const UNSEEN: Seen = { asked: false, watched: false, replayed: false }

/** What the hub has stored, whoever did it, and on which page. The decision is stored a moment after the answer. */
export type Made = { answered: boolean; reviewed: boolean }

export function look({ asked, watched, replayed }: Seen, isAsked: boolean, path: string): Seen {
  return {
    asked: asked || isAsked,
    watched: watched || /^\/(?:board|crew)/.test(path),
    replayed: replayed || path.startsWith('/replay'),
  }
}

/** To the thing itself: on a phone the list is another screen. */
export function pathOf(step: Step, waiting: Waiting): string {
  if (step === 'watch') return '/board'
  if (step === 'replay') return '/replay?span=hour&play=1'
  const item = step === 'answer' ? waiting.find(isQuestion)?.item_id : REVIEW
  return item === undefined ? '/needs' : `/needs/${encodeURIComponent(item)}`
}

/** `later`: its time has not come; `now`: it can be done; `done`. */
export function stateOf(step: Step, seen: Seen, waiting: Waiting, made: Made): 'later' | 'now' | 'done' {
  const isOffered = made.reviewed || waiting.some(({ item_id }) => item_id === REVIEW)
  if (step === 'watch') return seen.watched ? 'done' : 'now'
  if (step === 'answer') return isAsked(waiting) ? 'now' : made.answered || seen.asked ? 'done' : 'later'
  if (step === 'review') return made.reviewed ? 'done' : isOffered ? 'now' : 'later'
  return seen.replayed ? 'done' : isOffered ? 'now' : 'later'
}

export const isAsked = (waiting: Waiting) => waiting.some(isQuestion)
const isQuestion = ({ kind }: Waiting[number]) => kind === 'tab_waits'

/** What waits for a person comes before what can be looked at any time. */
const FIRST: readonly Step[] = ['answer', 'review', 'watch', 'replay']

export function nextOf<T extends { step: Step; state: string }>(steps: readonly T[]): T | undefined {
  return [...steps].sort((a, b) => FIRST.indexOf(a.step) - FIRST.indexOf(b.step)).find(({ state }) => state === 'now')
}
