// The first thing every request and upgrade meets, before a body is read: Host, Origin, credential, in that order.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type Refusal = { readonly status: 400 | 401 | 403; readonly message: string; readonly host?: true }

export type GuardOptions = {
  /** What leads here besides the names of this machine: a host, or `host:port` of a forward or proxy. */
  hosts: readonly string[]
  port: () => number
  secure: boolean
}

/** Not an address of IPv6 without brackets, which is full of colons. */
const WITH_PORT = /^(?:\[[^\]]+\]|[^:]+):\d{1,5}$/
const HOST_REFUSED = 'this Host is not allowed; start the hub with `toryo up --allow-host <host>`'
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export class Guard {
  readonly #options: GuardOptions

  constructor(options: GuardOptions) {
    this.#options = options
  }

  /**
   * `mayNavigate`: what is asked for may be opened by a link on another site's page.
   *
   * A name that leads to 127.0.0.1 is not enough: a page elsewhere can make one (DNS rebinding).
   */
  refuse(request: IncomingMessage, mayNavigate = false): Refusal | undefined {
    const hosts = request.rawHeaders.filter(
      (_, index) => index % 2 === 0 && /^host$/i.test(request.rawHeaders[index] ?? ''),
    )
    if (hosts.length !== 1) return { status: 400, message: 'exactly one Host header is needed' }
    if (!this.#allowed().includes((request.headers.host ?? '').toLowerCase()))
      return { status: 403, message: HOST_REFUSED, host: true }
    const origin = request.headers.origin
    if (origin !== undefined && !this.#origins().includes(origin.toLowerCase()))
      return { status: 403, message: 'this Origin is not allowed' }
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !(mayNavigate && isNavigation(request)))
      return { status: 403, message: 'requests from other sites are not allowed' }
    return undefined
  }

  /** Whether the user has named exactly this `host:port`: then what listens there is the user's own. */
  isNamed(host: string): boolean {
    return this.#forwards().includes(host.toLowerCase())
  }

  #forwards(): string[] {
    return this.#options.hosts.filter(host => WITH_PORT.test(host)).map(host => host.toLowerCase())
  }

  #allowed(): string[] {
    const { hosts, port, secure } = this.#options
    const forwards = this.#forwards()
    const names = [...LOOPBACK, ...hosts.filter(host => !WITH_PORT.test(host)).map(host => host.toLowerCase())]
    const withPort = [...names.map(host => `${host}:${port()}`), ...forwards]
    // Clients leave the scheme's own port out; which scheme a proxy speaks, it does not say.
    const withoutPort = forwards.flatMap(host => /^(.+):(?:80|443)$/.exec(host)?.[1] ?? [])
    return port() === (secure ? 443 : 80) ? [...names, ...withoutPort, ...withPort] : [...withoutPort, ...withPort]
  }

  #origins(): string[] {
    const scheme = this.#options.secure ? 'https' : 'http'
    return this.#allowed().map(host => `${scheme}://${host}`)
  }
}

/** A person follows a link in a window of their own: not a frame, not a script's request. */
function isNavigation({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** The credential of a request. It travels in a header only, so that no URL in a log or history gives it away. */
export function bearer(request: { headers: IncomingMessage['headers'] }): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,1024})$/.exec(request.headers.authorization ?? '')?.[1]
}

export function sameSecret(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
