// Looks at a hub again whenever something has happened there, and now and then, since not every step is an event.
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { HubError } from '#contract/errors.ts'
import type { StoredEvent } from '#contract/events.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { MergeView } from '#contract/thread.ts'
import { MergeEnded, TaskReturned } from '#contract/thread-events.ts'
import type { Connection } from '../connect.ts'
import type { Look } from './changes.ts'
import type { ReturnedTask } from './work-text.ts'

/** Several events come at once; one look shows them all. */
const SETTLE_MS = 120
/** What an agent does last is in its log alone. */
const AGAIN_MS = 2000
const ENDED_SHOWN = 30
/** Between two tries to connect. */
const CONNECT_MS = 250

/**
 * A hub that has just begun to listen may be too busy to prove itself in time, such as when it starts many agents: it is asked again.
 * Undefined when it is over, or cannot be connected to for another reason.
 */
export async function connected(
  connect: () => Promise<Connection>,
  signal: AbortSignal,
): Promise<Connection | undefined> {
  while (!signal.aborted) {
    try {
      return await connect()
    } catch (problem) {
      if (!(problem instanceof HubError && problem.code === 'HUB_NOT_RUNNING')) return undefined
    }
    await sleep(CONNECT_MS, undefined, { signal }).catch(() => {}) // Aborted: the loop ends.
  }
  return undefined
}

type Returned = z.infer<typeof TaskReturned.payload>

/** Until `signal`, or until the hub has gone for good. One that cannot be asked is asked again: it may only be busy. */
export async function watchWork(
  hub: Connection,
  signal: AbortSignal,
  see: (look: Look) => void,
  hasGone: () => Promise<boolean> = async () => false,
): Promise<void> {
  let wake = () => {}
  let isStale = true
  /** Merged since the last look. */
  let merged = new Map<string, TaskId>()
  let returned = new Map<TaskId, Returned>()
  const news = (event: StoredEvent | undefined) => {
    const end = event?.type === MergeEnded.type ? MergeEnded.payload.safeParse(event.payload).data : undefined
    if (end?.outcome === 'merged') merged.set(end.mergeId, end.taskId)
    const back = event?.type === TaskReturned.type ? TaskReturned.payload.safeParse(event.payload).data : undefined
    if (back && back.why !== 'changes') returned.set(back.taskId, back)
    isStale = true
    wake()
  }
  void follow(hub, signal, news)
  signal.addEventListener('abort', () => wake())
  while (!signal.aborted) {
    if (isStale) await sleep(SETTLE_MS, undefined, { signal }).catch(() => {}) // Aborted: the loop ends.
    isStale = false
    const arrived = merged
    const back = returned
    merged = new Map()
    returned = new Map()
    const look = await lookAt(hub, arrived, back, signal)
    if (signal.aborted) return
    if (look) see(look)
    else if (await hasGone()) return
    else {
      merged = new Map([...arrived, ...merged])
      returned = new Map([...back, ...returned])
    }
    if (!isStale)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, AGAIN_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    wake = () => {}
  }
}

async function lookAt(
  hub: Connection,
  arrived: ReadonlyMap<string, TaskId>,
  back: ReadonlyMap<TaskId, Returned>,
  signal: AbortSignal,
): Promise<Look | undefined> {
  try {
    const { work, waiting } = await hub.call('work.list', { ended: ENDED_SHOWN }, { signal })
    const { items } = await hub.call('inbox.list', {}, { signal })
    const merged: MergeView[] = []
    for (const [id, task_id] of arrived) {
      const { merges } = await hub.call('merge.list', { task_id, ended: true }, { signal })
      merged.push(...merges.filter(({ merge_id }) => merge_id === id))
    }
    const returned: ReturnedTask[] = []
    for (const { taskId: task_id, why, count } of back.values()) {
      const { handle, assignee_id, evidence, merge } = await hub.call('task.show', { task_id }, { signal })
      const agent = assignee_id && (await hub.call('agent.show', { agent_id: assignee_id }, { signal })).name
      returned.push({ handle, agent: agent ?? '', why, count, evidence, merge })
    }
    return { work, waiting, items, merged, returned }
  } catch {
    return undefined // It stops, or is being replaced; the next look says more.
  }
}

async function follow(
  hub: Connection,
  signal: AbortSignal,
  news: (event: StoredEvent | undefined) => void,
): Promise<void> {
  try {
    for await (const event of hub.events(undefined, signal)) news(event)
  } catch {
    // Looking now and then goes on without it.
  }
}
