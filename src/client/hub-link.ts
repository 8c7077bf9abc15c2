// HTTP to one hub. A hub that was found by its state file proves itself on the very connection that is then told the token.
import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import type { Fetch } from './api.ts'
import { askProof, singleConnection } from './proof.ts'

export type LinkRequest = {
  method: string
  headers: Record<string, string>
  body?: string | Readable
  signal?: AbortSignal
}

const PROOF_MS = 15_000

export class HubLink {
  readonly #url: string
  /** Undefined for a hub that the user named: there is no other token to compare with. */
  readonly #proof: string | undefined
  #agent: Promise<http.Agent> | undefined

  constructor(url: string, proof?: string) {
    this.#url = url
    this.#proof = proof
  }

  readonly fetch: Fetch = async (url, init) => {
    const answer = await this.request(url, init)
    return { status: answer.statusCode ?? 0, text: () => text(answer) }
  }

  async request(url: string, { method, headers, body, signal }: LinkRequest): Promise<http.IncomingMessage> {
    const agent = await this.#ready()
    try {
      return await send(url, { method, headers, agent, ...(signal ? { signal } : {}) }, body)
    } catch (problem) {
      // What comes next has to prove itself again.
      this.dispose()
      throw problem
    }
  }

  dispose(): void {
    void this.#agent?.then(
      agent => agent.destroy(),
      () => {}, // It never connected; whoever waited for it has been told.
    )
    this.#agent = undefined
  }

  #ready(): Promise<http.Agent> {
    this.#agent ??= connect(this.#url, this.#proof)
    this.#agent.catch(() => (this.#agent = undefined))
    return this.#agent
  }
}

async function connect(url: string, proof: string | undefined): Promise<http.Agent> {
  if (proof === undefined) return new (url.startsWith('https:') ? https : http).Agent({ keepAlive: true })
  const agent = singleConnection(url)
  try {
    await askProof(url, proof, agent, PROOF_MS)
    return agent
  } catch (problem) {
    agent.destroy()
    throw problem
  }
}

function send(
  url: string,
  options: http.RequestOptions,
  body: string | Readable | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(url, options, resolve)
    request.on('error', reject)
    if (body === undefined || typeof body === 'string') {
      request.end(body)
      return
    }
    // A hub that refuses may answer before it has read everything; its answer tells more than the broken pipe.
    pipeline(body, request).catch(problem => request.once('close', () => reject(problem)))
  })
}
