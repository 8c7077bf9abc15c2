// A hub proves that it knows the token before it is told the token: a stranger who took over its port learns nothing.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { PASS_FOR_HEADER, PASS_HEADER } from '#contract/limits.ts'

export const PROOF_HEADER = 'x-toryo-proof'

class NotProven extends Error {
  override readonly name = 'NotProven'
}

/** What the hub answers to `GET /healthz?challenge=<nonce>` in the header. */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url')
}

/**
 * Asks the hub at `url` for its proof, and gives what it says of itself beside it. Rejects with NotProven for a wrong one,
 * else with the connection's error.
 */
export async function askProof(
  url: string,
  token: string,
  agent: http.Agent,
  timeoutMs: number,
  options: { socketPath?: string | undefined; pass?: boolean } = {},
): Promise<http.IncomingHttpHeaders> {
  const nonce = randomBytes(32).toString('base64url')
  const { socketPath } = options
  const said = await getHealth(
    url,
    nonce,
    {
      agent,
      ...(socketPath !== undefined && { socketPath }),
      ...(options.pass && { headers: { [PASS_FOR_HEADER]: proofOf(token, `pass ${nonce}`) } }),
    },
    timeoutMs,
  )
  const proof = said[PROOF_HEADER]
  const expected = Buffer.from(proofOf(token, nonce))
  const given = Buffer.from(typeof proof === 'string' ? proof : '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new NotProven(`What listens at ${url} is not this database's hub.`)
  return said
}

/**
 * What opens the same hub's Unix socket to the operator's token. The hub gives it at its port, where it sees which process asks.
 * Undefined when it gives none, or is not there: then the port is the way.
 */
export async function askPass(url: string, token: string, timeoutMs: number): Promise<string | undefined> {
  const agent = singleConnection(url)
  try {
    const pass = (await askProof(url, token, agent, timeoutMs, { pass: true }))[PASS_HEADER]
    return typeof pass === 'string' ? pass : undefined
  } catch {
    return undefined // Whoever goes to the port next is told why.
  } finally {
    agent.destroy()
  }
}

/**
 * An agent for exactly one connection: the request after the proof goes to the very process that proved itself, or fails.
 * Without this, a stranger could take the port between the two. With a path, the connection is to that Unix socket.
 */
export function singleConnection(url: string, socketPath?: string): http.Agent {
  const secure = url.startsWith('https:')
  const agent = secure
    ? new https.Agent({ keepAlive: true, maxSockets: 1 })
    : new http.Agent({ keepAlive: true, maxSockets: 1 })
  const once = agent as unknown as { createConnection: Connect }
  const connect = once.createConnection.bind(agent)
  let connected = false
  once.createConnection = (options, done) => {
    if (!connected) {
      connected = true
      return connect(socketPath === undefined ? options : { ...options, path: socketPath }, done)
    }
    process.nextTick(done, new NotProven(`${url} closed the connection on which it had proven itself.`))
    return undefined
  }
  return agent
}

type Connect = (options: object, done: (error: Error) => void) => unknown

function getHealth(
  url: string,
  nonce: string,
  options: http.RequestOptions,
  timeoutMs: number,
): Promise<http.IncomingHttpHeaders> {
  const { promise, resolve, reject } = deferred<http.IncomingHttpHeaders>()
  const address = new URL(`healthz?challenge=${nonce}`, url.endsWith('/') ? url : `${url}/`)
  const request = (address.protocol === 'https:' ? https : http).get(address, options, response => {
    response.on('error', reject)
    response.on('end', () => resolve(response.headers))
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 4096) request.destroy(new NotProven(`${url} sends too much to be a hub.`))
    })
  })
  const timer = setTimeout(() => request.destroy(new Error(`${url} did not answer within ${timeoutMs} ms`)), timeoutMs)
  request.on('error', reject)
  request.on('close', () => {
    clearTimeout(timer)
    reject(new Error(`${url} closed the connection`))
  })
  return promise
}

/** Promise.withResolvers, which Node 20 lacks. */
function deferred<T>() {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  return { promise, resolve, reject }
}
