// Opens a link on the connection on which the hub has proven itself.
import http, { type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { WebSocket } from 'ws'
import {
  CONNECTION_HEADER,
  DIRECTORY_HEADER,
  ERRORS_HEADER,
  LANG_HEADER,
  PASS_HEADER,
  PERSON_HEADER,
  RELAY_HEADER,
  RELAY_LINES,
  RELAY_PROTOCOL,
} from '#contract/limits.ts'
import { personHeader } from '#contract/person.ts'
import { askPass, askProof, singleConnection } from '../proof.ts'
import { LineLink } from './line-link.ts'
import {
  ABNORMAL,
  type Closed,
  FROM_HUB_BYTES,
  INCOMPATIBLE,
  type Link,
  type LinkEvents,
  type LinkEndpoint,
  UNAUTHORISED,
} from './link.ts'
import { WebSocketLink } from './web-socket-link.ts'

export type Hello = {
  /** `a,b`, when the user chose them. */
  toolsets: string | undefined
  /** Started because of our entry in an engine's config file: the hub's configuration says what it has. */
  registered?: boolean
  secret: string
  lang: string
  directory: string | undefined
  /** What the operator is called; of no use beside a ticket. */
  person?: string | undefined
}

export class LinkRefused extends Error {
  override readonly name = 'LinkRefused'
  readonly closed: Closed

  constructor(closed: Closed) {
    super(closed.reason)
    this.closed = closed
  }
}

const OPEN_MS = 5000

/** Rejects with LinkRefused when the hub says no, else with the connection's error or that of the proof. */
export async function openLink(endpoint: LinkEndpoint, hello: Hello, events: LinkEvents): Promise<Link> {
  const local = await localDoor(endpoint)
  if (local)
    try {
      return await open(endpoint, local, hello, events)
    } catch (cause) {
      // The socket may be gone, or not ours to use; what the hub itself says stands.
      if (cause instanceof LinkRefused) throw cause
    }
  return open(endpoint, undefined, hello, events)
}

type LocalDoor = { socketPath: string; pass: string }

async function localDoor({ url, socket, token, certificate }: LinkEndpoint): Promise<LocalDoor | undefined> {
  if (socket === undefined || token === undefined) return undefined
  const pass = await askPass({ url, certificate }, token, OPEN_MS)
  return pass === undefined ? undefined : { socketPath: socket, pass }
}

async function open(
  endpoint: LinkEndpoint,
  local: LocalDoor | undefined,
  hello: Hello,
  events: LinkEvents,
): Promise<Link> {
  const socketPath = local?.socketPath
  // What stays on this machine is not encrypted.
  const url = socketPath === undefined ? endpoint.url : endpoint.url.replace(/^https:/, 'http:')
  const agent = singleConnection(url, { socketPath, certificate: endpoint.certificate })
  try {
    const said = await askProof(url, endpoint.token ?? endpoint.credential, agent, OPEN_MS, { socketPath })
    const address = new URL('bridge', url.endsWith('/') ? url : `${url}/`)
    if (hello.toolsets !== undefined) address.searchParams.set('toolsets', hello.toolsets)
    if (hello.registered) address.searchParams.set('registered', '')
    // Through TLS there may be a proxy, which knows WebSocket and nothing else.
    if (socketPath !== undefined || (said[RELAY_HEADER] === RELAY_LINES && address.protocol === 'http:'))
      return await upgradeToLines(
        address,
        {
          agent,
          headers: {
            ...headers(endpoint, hello),
            ...(local && { [PASS_HEADER]: local.pass }),
            connection: 'Upgrade',
            upgrade: RELAY_LINES,
          },
        },
        events,
      )
    return await upgrade(
      new WebSocket(address, RELAY_PROTOCOL, {
        agent,
        headers: headers(endpoint, hello),
        handshakeTimeout: OPEN_MS,
        maxPayload: FROM_HUB_BYTES,
        perMessageDeflate: false,
      }),
      events,
    )
  } catch (cause) {
    agent.destroy()
    throw cause
  }
}

function upgrade(socket: WebSocket, events: LinkEvents): Promise<Link> {
  return new Promise((resolve, reject) => {
    socket.once('upgrade', response => tellForms(response, events))
    socket.once('open', () => {
      socket.removeAllListeners('error')
      resolve(new WebSocketLink(socket, events))
    })
    socket.once('unexpected-response', (request, response) => {
      readRefusal(response, closed => {
        request.destroy()
        reject(new LinkRefused(closed))
      })
    })
    socket.on('error', cause => {
      // A hub that speaks WebSocket but not our relay.
      const foreign = /subprotocol/.test(cause.message)
      reject(foreign ? new LinkRefused({ code: INCOMPATIBLE, reason: '' }) : cause)
    })
  })
}

function upgradeToLines(address: URL, options: http.RequestOptions, events: LinkEvents): Promise<Link> {
  return new Promise((resolve, reject) => {
    const request = http.get(address, { ...options, timeout: OPEN_MS })
    request.on('upgrade', (response, socket, head) => {
      tellForms(response, events)
      if (socket instanceof Socket) socket.setTimeout(0).setNoDelay(true)
      resolve(new LineLink(socket, head, events))
    })
    request.on('response', response => {
      readRefusal(response, closed => {
        request.destroy()
        reject(new LinkRefused(closed))
      })
    })
    request.on('timeout', () => request.destroy(new Error(`${address.origin} did not answer within ${OPEN_MS} ms`)))
    request.on('error', reject)
  })
}

function tellForms({ headers: said }: IncomingMessage, events: LinkEvents): void {
  const forms = said[ERRORS_HEADER]
  if (typeof forms === 'string') events.errorForms?.(forms)
}

function headers(endpoint: LinkEndpoint, hello: Hello): Record<string, string> {
  return {
    authorization: `Bearer ${endpoint.credential}`,
    [CONNECTION_HEADER]: hello.secret,
    [LANG_HEADER]: hello.lang,
    ...(hello.person === undefined ? {} : { [PERSON_HEADER]: personHeader(hello.person) }),
    ...(hello.directory === undefined ? {} : { [DIRECTORY_HEADER]: encodeURIComponent(hello.directory) }),
  }
}

function readRefusal(response: IncomingMessage, done: (closed: Closed) => void): void {
  let body = ''
  response.on('data', (chunk: Buffer) => {
    if (body.length < 4096) body += chunk.toString('utf8')
  })
  response.on('error', () => {}) // 'close' follows.
  response.on('close', () => done({ code: codeOf(response.statusCode ?? 0), reason: sentenceIn(body) }))
}

function codeOf(status: number): number {
  if (status === 401 || status === 403) return UNAUTHORISED
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? INCOMPATIBLE : ABNORMAL
}

function sentenceIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message : ''
  } catch {
    return body.trim().slice(0, 500) // Plain text, as from a proxy.
  }
}
