// What clients that follow the event log over a WebSocket get: events for people, hints for Runners.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { ZodError } from 'zod'
import type { StoredEvent } from '#contract/events.ts'
import type { WorktreeId } from '#contract/id-types.ts'
import { EVENTS_PROTOCOL, TICK_MS } from '#contract/limits.ts'
import { WatchedWorktrees, type WorktreeChanged } from '#contract/worktrees.ts'
import type { EventFilter } from '#kernel/events.ts'
import type { Hub } from './hub.ts'

const EVENT_BUFFER_BYTES = 1024 * 1024
/** The reader was too slow: it should look at the present state and follow from there. */
const RESYNC = 4008
const UNREADABLE = 1007
export const UNAUTHORISED = 4401
export const REVOKED = 'this token was revoked'
const TEXT = { binary: false }
const HINTS = /^(task|project|agent|instance|engine|handoff)\./

/** The last event that a reader has seen, and when it happened, if the reader says so. */
type Place = { seq: number; at: string | null }

export class EventFeed<S> {
  readonly #hub: Hub<S>
  readonly #texts = new WeakMap<StoredEvent, Buffer>()

  constructor(hub: Hub<S>) {
    this.#hub = hub
  }

  events(client: WebSocket, socket: Duplex, url: URL): void {
    const gone = new AbortController()
    client.on('close', () => gone.abort())
    const since = url.searchParams.get('since')
    const filter = filterOf(url.searchParams)
    if (client.protocol === EVENTS_PROTOCOL) {
      this.#tick(client, gone.signal)
      this.#showChanges(client, gone.signal)
    }
    const place = since === null ? undefined : { seq: Number(since), at: url.searchParams.get('at') }
    this.#feed(client, socket, place, filter, gone.signal).catch(error => {
      this.#hub.log.warn({ err: error }, 'a reader of events was cut off')
      client.close(1011)
    })
  }

  /** A page cannot see the pings of its socket, and a line that was cut without a word looks like one where nothing happens. */
  #tick(client: WebSocket, signal: AbortSignal): void {
    const say = () => client.send(JSON.stringify({ tick: this.#hub.events.seen }))
    say()
    const timer = setInterval(say, TICK_MS)
    signal.addEventListener('abort', () => clearInterval(timer))
  }

  /** What a client names last is what it watches. One that vanished is found by its missing pong, and watches nothing then. */
  #showChanges(client: WebSocket, signal: AbortSignal): void {
    const watched = new Map<WorktreeId, () => void>()
    const drop = (keep: ReadonlySet<WorktreeId>) => {
      for (const [id, stop] of watched) {
        if (keep.has(id)) continue
        stop()
        watched.delete(id)
      }
    }
    signal.addEventListener('abort', () => drop(new Set()))
    client.on('message', (data: Buffer) => {
      const said = watchedIn(data)
      if (!said) return client.close(UNREADABLE, 'say {"watch": [worktree ids]}')
      if (signal.aborted) return
      drop(said)
      for (const id of said)
        if (!watched.has(id))
          watched.set(
            id,
            this.#hub.watching.watch(id, change => sendChange(client, change)),
          )
    })
  }

  /** A Runner learns that something happened that it may want to ask about, and nothing of what. */
  hints(client: WebSocket, runner: string): void {
    const forget = this.#hub.events.subscribe(event => {
      if (event.type === 'runner.revoked' && (event.payload as { name?: string }).name === runner)
        return client.close(UNAUTHORISED, REVOKED)
      if (HINTS.test(event.type) && client.bufferedAmount === 0) client.send(String(event.seq))
    })
    client.on('close', forget)
  }

  async #feed(
    client: WebSocket,
    socket: Duplex,
    place: Place | undefined,
    { types, ...filter }: EventFilter & { types: ReadonlySet<string> | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const { events } = this.#hub
    if (place && !(await this.#isThere(place))) return client.close(RESYNC, 'resync')
    const from = place?.seq ?? (await events.latest())
    const { projectId: named } = filter
    const projectId = named === undefined ? undefined : ((await this.#hub.invoker.idOf('project', named)) ?? named)
    await events.feed(from, signal, projectId === undefined ? {} : { projectId }, fresh => {
      if (client.bufferedAmount > EVENT_BUFFER_BYTES) return client.close(RESYNC, 'resync')
      // All of them in one write.
      socket.cork()
      const wanted = types ? fresh.filter(({ type }) => types.has(type)) : fresh
      const texts = wanted.map(event => this.#textOf(event))
      const last = texts.pop()
      for (const text of texts) client.send(text, TEXT)
      const sent = last && new Promise<void>(resolve => client.send(last, TEXT, () => resolve()))
      socket.uncork()
      return sent
    })
  }

  /** After a backup was restored the log goes on from an earlier event: the same numbers are given again. */
  async #isThere({ seq, at }: Place): Promise<boolean> {
    if (!at) return true
    const [event] = await this.#hub.events.since(seq - 1, {}, 1)
    return event?.seq === seq && event.at === at
  }

  /** Made once for all readers. */
  #textOf(event: StoredEvent): Buffer {
    let text = this.#texts.get(event)
    if (!text) this.#texts.set(event, (text = Buffer.from(JSON.stringify(event))))
    return text
  }
}

function watchedIn(data: Buffer): ReadonlySet<WorktreeId> | undefined {
  try {
    return new Set(WatchedWorktrees.parse(JSON.parse(data.toString())).watch)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ZodError) return undefined
    throw error
  }
}

function sendChange(client: WebSocket, payload: WorktreeChanged): void {
  if (client.bufferedAmount > EVENT_BUFFER_BYTES) return client.close(RESYNC, 'resync')
  client.send(JSON.stringify({ type: 'worktree.changed', payload }), TEXT)
}

function filterOf(query: URLSearchParams): EventFilter & { types: ReadonlySet<string> | undefined } {
  const project = query.get('project')
  const types = query.get('types')
  return {
    types: types === null ? undefined : new Set(types.split(',')),
    ...(project !== null && { projectId: project }),
  }
}
