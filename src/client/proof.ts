// A hub proves that it knows a credential before it is shown it: a stranger that took over its port learns nothing. The proof is
// bound to the connection it is given on, so that a stranger cannot pass on that of the real hub.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { PASS_FOR_HEADER, PASS_HEADER, REFUSED_HEADER, REFUSED_HOST } from '#contract/limits.ts'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import {
  type Binding,
  KEY_LENGTH,
  PROOF_HEADER,
  PROOF_VERSION,
  plainAddress,
  passText,
  proofText,
  TLS_BYTES,
  TLS_LABEL,
} from '#contract/proof.ts'
import { certificateProblem, ClientError } from './errors.ts'

/** The hub's side of it is transports/proof.ts. */
export function proofOf(credential: string, challenge: string, binding: Binding): string {
  return createHmac('sha256', digestOf(credential)).update(proofText(challenge, binding)).digest('base64url')
}

/**
 * Asks the hub at `url` for its proof, and gives what it says of itself beside it. `agent` leads to the connection on which the
 * credential will be shown, over the Unix socket if there is one. Rejects with HUB_NOT_PROVEN, HOST_NOT_ALLOWED,
 * CERTIFICATE_REFUSED, TOKEN_UNKNOWN or HUB_OUTDATED, else with the connection's error.
 */
export async function askProof(
  url: string,
  credential: string,
  agent: http.Agent,
  timeoutMs: number,
  options: { socketPath?: string | undefined; pass?: boolean } = {},
): Promise<http.IncomingHttpHeaders> {
  const { socketPath } = options
  const challenge = randomBytes(32).toString('base64url')
  const at = dialled(url)
  const query = new URLSearchParams({ challenge, key: digestOf(credential).slice(0, KEY_LENGTH), at })
  const { status, headers, socket } = await getHealth(
    url,
    query,
    { agent, ...(options.pass && { headers: { [PASS_FOR_HEADER]: passWish(credential, challenge) } }) },
    timeoutMs,
  ).catch((cause: unknown) => {
    const problem = certificateProblem(cause)
    if (problem === undefined) throw cause
    throw ClientError.CERTIFICATE_REFUSED({ url, host: new URL(url).hostname, problem }, cause)
  })
  const [version, ...codes] = String(headers[PROOF_HEADER] ?? '').split(' ')
  const bindings = [bindingOf(socket, socketPath), { kind: 'host', host: at } as const]
  const expected = bindings.flatMap(binding => (binding ? [proofOf(credential, challenge, binding)] : []))
  if (version === PROOF_VERSION && codes.some(code => expected.some(one => isSame(code, one)))) return headers
  if (version === PROOF_VERSION && codes.length === 0) throw ClientError.TOKEN_UNKNOWN({ url })
  if (isSame(version ?? '', firstProofOf(credential, challenge))) throw ClientError.HUB_OUTDATED({ url })
  if (headers[REFUSED_HEADER] === REFUSED_HOST) throw ClientError.HOST_NOT_ALLOWED({ url, at })
  // 403: the hub's guard, which answers for no Host that it does not know.
  if (version === PROOF_VERSION || status === 403) throw ClientError.HUB_NOT_PROVEN({ url, at, socketPath })
  throw ClientError.NOT_A_HUB({ url, status })
}

/**
 * What opens the same hub's Unix socket to the operator's token. The hub gives it at its port, where it sees which process asks.
 * Undefined when it gives none, or is not there: then the port is the way.
 */
export async function askPass(
  { url, certificate }: { url: string; certificate?: string | undefined },
  token: string,
  timeoutMs: number,
): Promise<string | undefined> {
  const agent = singleConnection(url, { certificate })
  try {
    const pass = (await askProof(url, token, agent, timeoutMs, { pass: true }))[PASS_HEADER]
    return typeof pass === 'string' ? pass : undefined
  } catch {
    return undefined // The next request to the port gets the reason.
  } finally {
    agent.destroy()
  }
}

/**
 * An agent for exactly one connection: the request after the proof goes to the very process that proved itself, or fails.
 * Without this, a stranger could take the port between the two. With a path, the connection is to that Unix socket. With a
 * certificate's fingerprint, exactly that one is accepted over TLS, whatever its signer and names.
 */
export function singleConnection(
  url: string,
  { socketPath, certificate }: { socketPath?: string | undefined; certificate?: string | undefined } = {},
): http.Agent {
  const secure = url.startsWith('https:')
  const agent = secure
    ? new https.Agent({
        keepAlive: true,
        maxSockets: 1,
        ...(certificate !== undefined && { rejectUnauthorized: false }),
      })
    : new http.Agent({ keepAlive: true, maxSockets: 1 })
  const once = agent as unknown as { createConnection: Connect }
  const connect = once.createConnection.bind(agent)
  let connected = false
  once.createConnection = (options, done) => {
    if (!connected) {
      connected = true
      const socket = connect(socketPath === undefined ? options : { ...options, path: socketPath }, done)
      if (certificate !== undefined && socket instanceof TLSSocket) mustShow(socket, certificate, url)
      return socket
    }
    // As when it is closed during a request: the caller may retry once, on a connection that is proven again.
    const gone = new Error(`${url} closed the connection on which it had proven itself.`)
    process.nextTick(done, Object.assign(gone, { code: 'ECONNRESET' }))
    return undefined
  }
  return agent
}

/** Before anything is sent: its listener is the first. */
function mustShow(socket: TLSSocket, certificate: string, url: string): void {
  socket.prependOnceListener('secureConnect', () => {
    if (socket.getPeerX509Certificate()?.fingerprint256 !== certificate)
      socket.destroy(new Error(`${url} shows another certificate than the hub that wrote its state file`))
  })
}

type Connect = (options: object, done: (error: Error) => void) => unknown

/** As transports and databases know credentials; a hub keeps no more of most of them. */
function digestOf(credential: string): string {
  return createHash('sha256').update(credential).digest('base64url')
}

/** Shows that we know the credential, without the credential itself. */
function passWish(credential: string, challenge: string): string {
  return createHmac('sha256', digestOf(credential)).update(passText(challenge)).digest('base64url')
}

/** The proof of hubs of before, which one in the middle could pass on. */
function firstProofOf(credential: string, challenge: string): string {
  return createHmac('sha256', credential).update(challenge).digest('base64url')
}

/** Undefined where the connection has nothing that only its two ends can know. */
function bindingOf(socket: Socket, socketPath: string | undefined): Binding | undefined {
  if (socketPath !== undefined) return { kind: 'unix', path: socketPath }
  if (socket instanceof TLSSocket) {
    // Before 1.3 two connections can be made to export the same.
    if (socket.getProtocol() !== 'TLSv1.3') return undefined
    const exported = socket.exportKeyingMaterial(TLS_BYTES, TLS_LABEL, Buffer.alloc(0)).toString('base64url')
    return { kind: 'tls', exported }
  }
  const { remoteAddress, remotePort } = socket
  if (remoteAddress === undefined || remotePort === undefined) return undefined
  return { kind: 'tcp', address: plainAddress(remoteAddress), port: remotePort }
}

/** Always with its port, which URLs leave out where it is the scheme's own. */
function dialled(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type Health = { status: number; headers: http.IncomingHttpHeaders; socket: Socket }

function getHealth(
  url: string,
  query: URLSearchParams,
  options: http.RequestOptions,
  timeoutMs: number,
): Promise<Health> {
  return new Promise((resolve, reject) => {
    const address = new URL(`healthz?${query.toString()}`, url.endsWith('/') ? url : `${url}/`)
    const request = (address.protocol === 'https:' ? https : http).get(address, options, response => {
      // Not asked for later: it is taken from the answer when that ends.
      const { socket, headers, statusCode: status = 0 } = response
      response.on('error', reject)
      response.on('end', () => resolve({ status, headers, socket }))
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > 4096) request.destroy(ClientError.NOT_A_HUB({ url, status }))
      })
    })
    const silent = () => request.destroy(new Error(`${url} did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(silent, timeoutMs)
    request.on('error', reject)
    request.on('close', () => {
      clearTimeout(timer)
      reject(new Error(`${url} closed the connection`))
    })
  })
}
