// HTTP to one hub, which proves itself on every connection before it is shown the token there.
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
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
  readonly #token: string
  readonly #certificate: string | undefined
  /** Proven and unused. Each carries one request at a time; a caller that finds none opens another. */
  readonly #idle: Proven[] = []
  readonly #all = new Set<http.Agent>()

  /** `certificate`: the fingerprint of the one that the hub must show, if its state file names one. */
  constructor(url: string, token: string, certificate?: string) {
    this.#url = url
    this.#token = token
    this.#certificate = certificate
  }

  readonly fetch: Fetch = async (url, init) => {
    const answer = await this.request(url, init)
    return { status: answer.statusCode ?? 0, text: () => text(answer) }
  }

  async request(url: string, { method, headers, body, signal }: LinkRequest): Promise<http.IncomingMessage> {
    const agent = this.#take() ?? (await this.#connect())
    try {
      const answer = await send(url, { method, headers, agent, ...(signal ? { signal } : {}) }, body)
      const { socket } = answer
      answer.once('close', () => this.#giveBack({ agent, socket }))
      return answer
    } catch (problem) {
      this.#drop(agent)
      throw problem
    }
  }

  dispose(): void {
    for (const agent of this.#all) agent.destroy()
    this.#all.clear()
  }

  #take(): http.Agent | undefined {
    for (let proven = this.#idle.pop(); proven; proven = this.#idle.pop()) {
      if (isOpen(proven)) return proven.agent
      this.#drop(proven.agent)
    }
    return undefined
  }

  #giveBack(proven: Proven): void {
    if (isOpen(proven) && this.#all.has(proven.agent)) this.#idle.push(proven)
    else this.#drop(proven.agent)
  }

  #drop(agent: http.Agent): void {
    agent.destroy()
    this.#all.delete(agent)
  }

  async #connect(): Promise<http.Agent> {
    const agent = singleConnection(this.#url, { certificate: this.#certificate })
    this.#all.add(agent)
    try {
      await askProof(this.#url, this.#token, agent, PROOF_MS)
      return agent
    } catch (problem) {
      this.#drop(agent)
      throw problem
    }
  }
}

type Proven = { readonly agent: http.Agent; readonly socket: Socket }

function isOpen({ socket }: Proven): boolean {
  return !socket.destroyed && socket.writable && socket.readable
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
    // A hub that refuses may answer before it has read everything; its answer says more than the broken pipe.
    pipeline(body, request).catch(problem => request.once('close', () => reject(problem)))
  })
}
