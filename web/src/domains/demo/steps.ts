// What a newcomer does in the demo, and how far that has got. Pure.
export const STEPS = ['watch', 'answer', 'review', 'replay'] as const
export type Step = (typeof STEPS)[number]

/** What the page has seen so far, in this browser tab. */
export type Seen = { asked: boolean; offered: boolean; watched: boolean; replayed: boolean }
export const UNSEEN: Seen = { asked: false, offered: false, watched: false, replayed: false }

export const PATHS: Readonly<Record<Step, string>> = {
  ...{ watch: '/board', answer: '/needs', review: '/needs/review%3Atsk_prices', replay: '/replay?span=hour' },
}

/** `kinds`: of what waits for a person now. */
export function look(seen: Seen, kinds: readonly string[], path: string): Seen {
  return {
    asked: seen.asked || kinds.includes('tab_waits'),
    offered: seen.offered || kinds.includes('review'),
    watched: seen.watched || /^\/(?:board|crew)/.test(path),
    replayed: seen.replayed || path.startsWith('/replay'),
  }
}

/** `later`: its time has not come; `now`: it can be done; `done`. */
export function stateOf(step: Step, seen: Seen, kinds: readonly string[], isMerged: boolean): 'later' | 'now' | 'done' {
  if (step === 'watch') return seen.watched ? 'done' : 'now'
  if (step === 'answer') return kinds.includes('tab_waits') ? 'now' : seen.asked ? 'done' : 'later'
  if (step === 'review') return isMerged ? 'done' : seen.offered ? 'now' : 'later'
  return seen.replayed ? 'done' : isMerged || seen.offered ? 'now' : 'later'
}

/** What waits for a person comes before what can be looked at any time. */
const FIRST: readonly Step[] = ['answer', 'review', 'watch', 'replay']

export function nextOf<T extends { step: Step; state: string }>(steps: readonly T[]): T | undefined {
  return [...steps].sort((a, b) => FIRST.indexOf(a.step) - FIRST.indexOf(b.step)).find(({ state }) => state === 'now')
}
