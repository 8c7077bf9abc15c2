// The ways into the hub, a port and a local socket, and what is connected through them.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { StoredEvent } from '#contract/events.ts'
import { PageSignedOut, TokenRevoked } from '#contract/identity.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Scope } from '#kernel/scope.ts'
import { Callers } from '#transports/callers.ts'
import { Crowd, ROOM } from '#transports/crowd.ts'
import { Guard } from '#transports/guard.ts'
import { createHttp, type HttpOptions } from '#transports/http.ts'
import { Login } from '#transports/login.ts'
import { McpOverHttp } from '#transports/mcp/over-http.ts'
import { Page } from '#transports/page.ts'
import { Sockets } from '#transports/ws.ts'
import type { Composed } from './compose.ts'
import type { HubOptions } from './lifecycle.ts'
import { closeServer, inUrl, isEveryAddress, listen, openSockets, reachedAt } from './listening.ts'
import { listenLocally } from './local-socket.ts'
import type { Services } from './services.ts'

export type DoorsDeps = Pick<HttpOptions<Services>, 'token' | 'exportLines' | 'importLines'> & {
  options: HubOptions
  hub: Composed
  clock: Clock
  /** Called for each request. */
  used: () => void
}

export type Doors = {
  /** The fingerprint of the port's certificate. */
  readonly certificate: string | undefined
  /** How many clients are connected. */
  readonly size: number
  /** How many pages are open. */
  readonly pages: number
  /** The secrets of their connections. */
  secrets(): string[]
  /** Where the hub is reached from now on: its URL, and the path of the local socket if it could be made. */
  listen(): Promise<{ url: string; socket: string | undefined }>
  /** Notifies the clients that it concerns. */
  heard(event: StoredEvent): void
}

export function openDoors(scope: Scope, { options, hub, clock, used, ...data }: DoorsDeps): Doors {
  const { host, target, log } = options
  const tls = options.tls && { cert: readFileSync(options.tls.cert), key: readFileSync(options.tls.key) }
  const certificate = tls && new X509Certificate(tls.cert).fingerprint256
  let port = 0
  const guard = new Guard({
    hosts: isEveryAddress(host) ? options.hosts : [inUrl(host), ...options.hosts],
    port: () => port,
    secure: tls !== undefined,
  })
  const streamable = new McpOverHttp(hub, clock)
  const callers = new Callers(hub.identities)
  const login = new Login({
    pages: hub.identities.pages,
    callers,
    database: target.hash.slice(0, 8),
    secure: tls !== undefined,
    monotonic: () => clock.monotonic(),
  })
  const sockets = new Sockets(hub, guard, callers, login)
  const surface = { ...data, hub, guard, streamable, callers }
  const page = options.page === undefined ? undefined : { files: new Page(options.page), login }
  // Each has places of its own: who fills the port does not shut the local socket.
  const openDoor = (more: Partial<HttpOptions<Services>>) => {
    const crowd = new Crowd(options.room ?? ROOM)
    const door = createHttp({ ...surface, crowd, ...more })
    door.on('request', used)
    door.on('upgrade', used)
    sockets.attach(door, crowd)
    const open = openSockets(door)
    scope.add('server', () => closeServer(door, open))
    return door
  }
  const server = openDoor({ ...(tls && { tls }), ...(page && { page }) })
  const local = openDoor({})
  scope.add('sockets', () => sockets.dispose())
  scope.add('sessions', () => streamable.dispose())
  return {
    certificate,
    get size() {
      return sockets.size + streamable.size
    },
    get pages() {
      return sockets.pages
    },
    secrets: () => [...sockets.secrets(), ...streamable.secrets()],
    listen: async () => {
      port = await listen(server, host, options.port)
      const socket = await listenLocally(local, target, log)
      return { url: `${tls ? 'https' : 'http'}://${reachedAt(host)}:${port}`, socket }
    },
    heard: event => {
      for (const uri of event.touches) {
        sockets.touched(uri)
        streamable.touched(uri)
      }
      if (event.type === TokenRevoked.type) callers.live.revoked((event.payload as { name: string }).name)
      if (event.type === PageSignedOut.type) callers.live.revoked((event.payload as { pageId: string }).pageId)
    },
  }
}
