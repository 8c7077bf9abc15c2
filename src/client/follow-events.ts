// Follows the hub's event log over /events: each event once and in order, also from one hub to the next.
import { on } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { HubError } from '#contract/errors.ts'
import type { StoredEvent } from '#contract/events.ts'
import { readError, refused } from './api.ts'
import { askProof, singleConnection } from './proof.ts'
import { addressOf, dropWhenSilent, opened } from './web-socket.ts'

export type EventsEndpoint = { url: string; token: string; certificate?: string | undefined }

export type FollowOptions = {
  /** Where the hub is; asked again after its connection broke. */
  find: () => Promise<EventsEndpoint>
  /** The number of the last event that is known. Without it: from now on. */
  since?: number | undefined
  signal: AbortSignal
  patienceMs?: number
}

const OPEN_MS = 15_000
/** A hub that is started again is there before. */
const PATIENCE_MS = 30_000
const BACKOFF_MS = { first: 100, last: 2000 }

/**
 * The events after `since`, until `signal`. Undefined means a new connection with no number to go on from: what happened
 * before it is not known, so look. Rejects when a hub refuses, or none is found for `patienceMs`.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<StoredEvent | undefined, void> {
  const { find, signal, patienceMs = PATIENCE_MS } = options
  let last = options.since
  let alive = performance.now()
  let backoff = BACKOFF_MS.first
  let refusedToken: string | undefined
  while (!signal.aborted) {
    let endpoint: EventsEndpoint | undefined
    try {
      endpoint = await find()
      for await (const event of eventsFrom(endpoint, last, signal)) {
        alive = performance.now()
        backoff = BACKOFF_MS.first
        last = event?.seq ?? last
        yield event
        alive = performance.now()
      }
    } catch (problem) {
      if (signal.aborted) return
      const isFinal = problem instanceof HubError && (endpoint === undefined || endpoint.token === refusedToken)
      if (isFinal || !endpoint || performance.now() - alive > patienceMs)
        throw endpoint ? refused(endpoint, problem) : problem
      // Of another hub than the one that has the place by now, perhaps.
      if (problem instanceof HubError) refusedToken = endpoint.token
    }
    await sleep(backoff, undefined, { signal }).catch(() => {}) // The caller has stopped following.
    backoff = Math.min(2 * backoff, BACKOFF_MS.last)
  }
}

/** Until the connection closes. */
async function* eventsFrom(
  { url, token, certificate }: EventsEndpoint,
  since: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent | undefined, void> {
  const agent = singleConnection(url, { certificate })
  let socket: WebSocket | undefined
  try {
    await askProof(url, token, agent, OPEN_MS)
    const address = addressOf(url, 'events')
    if (since !== undefined) address.searchParams.set('since', String(since))
    const headers = { authorization: `Bearer ${token}` }
    socket = new WebSocket(address, { agent, headers, handshakeTimeout: OPEN_MS, perMessageDeflate: false })
    // Before it is open: the first event may come in the same packet as the answer.
    const messages = on(socket, 'message', { signal, close: ['close'] })
    await opened(socket, (status, body) => readError(body, status, url))
    dropWhenSilent(socket)
    if (since === undefined) yield undefined
    for await (const [data] of messages) yield JSON.parse(String(data)) as StoredEvent
  } finally {
    socket?.terminate()
    agent.destroy()
  }
}
