// How a request to upgrade is read, and how it is answered without a WebSocket.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { cut } from '#contract/errors.ts'
import { ERRORS_HEADER, RELAY_LINES } from '#contract/limits.ts'

export function switchedToLines(forms: string): string {
  const said = ['connection: upgrade', `upgrade: ${RELAY_LINES}`, `${ERRORS_HEADER}: ${forms}`]
  return `HTTP/1.1 101 Switching Protocols\r\n${said.join('\r\n')}\r\n\r\n`
}

/** What no part of the address may hold, since no database can be asked for it; and a place in the log that is none. */
export function wrongQuery(query: URLSearchParams): string | undefined {
  for (const [name, value] of query)
    if (value.includes('\0')) return `${cut(JSON.stringify(name))} contains a NUL character`
  const since = query.get('since')
  if (since !== null && !/^\d{1,15}$/.test(since)) return 'since is the number of the last event that you have seen'
  return undefined
}

export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function decodePath(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // Not encoded after all.
    return value
  }
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
}

export function refuse(socket: Duplex, status: number, message: string): void {
  const body = Buffer.from(message)
  const reason = REASONS[status] ?? 'Internal Server Error'
  const head = `HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
  // Not only our half: a client that never ends its own would stay for good.
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy())
}
