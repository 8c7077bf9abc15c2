// What has changed between two looks at the hub, a line for each: nothing twice, and nothing that was so before we came.
import type { InboxItem } from '#contract/inbox.ts'
import type { MergeView } from '#contract/thread.ts'
import type { WaitingTask, WorkView } from '#contract/work.ts'
import { noticeLine } from '../inbox-text.ts'
import type { Io } from '../io.ts'
import { backLine, endLine, mergedLine, type ReturnedTask, startLine, waitingLine } from './work-text.ts'

export type Look = {
  readonly work: readonly WorkView[]
  /** In progress, while their agents work on others. */
  readonly waiting: readonly WaitingTask[]
  readonly items: readonly InboxItem[]
  /** Since the look before. */
  readonly merged: readonly MergeView[]
  readonly returned: readonly ReturnedTask[]
}
export type Line = { readonly kind: 'started' | 'ended' | 'needs'; readonly text: string; readonly good?: boolean }

export class Changes {
  readonly #io: Pick<Io, 'say' | 'now' | 'lang'>
  readonly #started = new Set<string>()
  readonly #ended = new Set<string>()
  #waiting = new Set<string>()
  #held = new Set<string>()
  #isFirst = true
  readonly #since: number

  constructor(io: Pick<Io, 'say' | 'now' | 'lang'>) {
    this.#io = io
    this.#since = io.now()
  }

  /** Of the first look: what works and what waits for a person, but of what is over only what began since we came. */
  take({ work, waiting, items, merged, returned }: Look): Line[] {
    const arrived = merged.map((merge): Line => ({ kind: 'ended', text: mergedLine(merge, this.#io), good: true }))
    const back = returned.map((task): Line => ({ kind: 'ended', text: backLine(task, this.#io), good: false }))
    const lines = [...this.#ofWork(work), ...this.#ofWaiting(waiting), ...arrived, ...back, ...this.#ofItems(items)]
    this.#isFirst = false
    return lines
  }

  #ofWork(work: readonly WorkView[]): Line[] {
    const lines: Line[] = []
    // What ended last comes first in the list.
    for (const one of work.toReversed()) {
      if (one.ended_at === null) continue
      const isNews = !this.#ended.has(one.work_id) && !(this.#isFirst && Date.parse(one.started_at) < this.#since)
      this.#ended.add(one.work_id)
      // A question stands where it is answered.
      if (isNews && one.result !== 'blocked')
        lines.push({ kind: 'ended', text: endLine(one, this.#io), good: one.reason === null })
    }
    for (const one of work) {
      if (one.ended_at !== null || one.status === 'queued' || this.#started.has(one.work_id)) continue
      this.#started.add(one.work_id)
      lines.push({ kind: 'started', text: startLine(one, this.#io) })
    }
    return lines
  }

  /** For another agent, or the same one again, it is news. */
  #ofWaiting(waiting: readonly WaitingTask[]): Line[] {
    const before = this.#held
    const keys = waiting.map(({ task_id, agent_id }) => `${task_id} ${agent_id}`)
    this.#held = new Set(keys)
    return waiting.flatMap((one, at) =>
      before.has(keys[at] as string) ? [] : [{ kind: 'started' as const, text: waitingLine(one, this.#io) }],
    )
  }

  /** An item that was gone and is back is news again. */
  #ofItems(items: readonly InboxItem[]): Line[] {
    const before = this.#waiting
    const keys = items.map(item => `${item.item_id} ${item.since ?? ''}`)
    this.#waiting = new Set(keys)
    return items.flatMap((item, at) =>
      before.has(keys[at] as string) || item.quiet
        ? []
        : [{ kind: 'needs' as const, text: noticeLine(item, this.#io) }],
    )
  }
}
