// The first thing every request and upgrade meets, before a body is read: Host, Origin, credential, in that order.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type Refusal = { readonly status: 400 | 401 | 403; readonly message: string }

export type GuardOptions = {
  /** Host names that lead here besides those of this machine. */
  hosts: readonly string[]
  port: () => number
  secure: boolean
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export class Guard {
  readonly #options: GuardOptions

  constructor(options: GuardOptions) {
    this.#options = options
  }

  /** A name that leads to 127.0.0.1 is not enough: a page elsewhere can make one (DNS rebinding). */
  refuse(request: IncomingMessage): Refusal | undefined {
    const hosts = request.rawHeaders.filter(
      (_, index) => index % 2 === 0 && /^host$/i.test(request.rawHeaders[index] ?? ''),
    )
    if (hosts.length !== 1) return { status: 400, message: 'exactly one Host header is needed' }
    if (!this.#allowed().includes((request.headers.host ?? '').toLowerCase()))
      return { status: 403, message: 'this Host is not allowed' }
    const origin = request.headers.origin
    if (origin !== undefined && !this.#origins().includes(origin.toLowerCase()))
      return { status: 403, message: 'this Origin is not allowed' }
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return { status: 403, message: 'requests from other sites are not allowed' }
    return undefined
  }

  #allowed(): string[] {
    const { hosts, port, secure } = this.#options
    const names = [...LOOPBACK, ...hosts.map(host => host.toLowerCase())]
    const withPort = names.map(host => `${host}:${port()}`)
    // Browsers leave the scheme's own port out.
    return port() === (secure ? 443 : 80) ? [...names, ...withPort] : withPort
  }

  #origins(): string[] {
    const scheme = this.#options.secure ? 'https' : 'http'
    return this.#allowed().map(host => `${scheme}://${host}`)
  }
}

/** The credential of a request. It travels in a header only, so that no URL in a log or history gives it away. */
export function bearer(request: { headers: IncomingMessage['headers'] }): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,1024})$/.exec(request.headers.authorization ?? '')?.[1]
}

export function sameSecret(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
