// How a server begins to listen, under which names it is reached, and how it ends.
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export class PortTaken extends Error {
  readonly port: number

  constructor(port: number) {
    super(`port ${port} is taken`)
    this.port = port
  }
}

export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(port) : error)
    })
    // The name may mean ::1 on some machines, the address does not.
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}

/** Those that became WebSockets too, which the server itself no longer counts. */
export function openSockets(server: Server): Set<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return open
}

/**
 * Calls in flight get a moment to be answered; after that no open socket may keep the hub, and with it the lock. The server's
 * own word is not waited for: it never comes once a connection was handed to a process that has ended since.
 */
export async function closeServer(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  server.close()
  server.closeIdleConnections()
  const closings = [...open].map(socket => new Promise(resolve => socket.once('close', resolve)))
  const patience = setTimeout(() => {
    for (const socket of open) socket.destroy()
  }, 1000)
  await Promise.all(closings)
  clearTimeout(patience)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

export function isEveryAddress(host: string): boolean {
  return host === '' || host === '0.0.0.0' || host === '::'
}

/** Where clients on this machine find a hub that listens there. */
export function reachedAt(host: string): string {
  return isEveryAddress(host) || host === 'localhost' ? '127.0.0.1' : inUrl(host)
}

export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase()
}
