// A model on this machine that does what a test's script says. Speaks what the agent programs speak, and remembers what it heard.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './model/anthropic.ts'
import { chat } from './model/chat.ts'
import { type Heard, type Json, json, type Protocol, type Script } from './model/conversation.ts'
import { gemini } from './model/gemini.ts'
import { responses } from './model/responses.ts'

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini]

/** A prompt names its script by `SCRIPT=name`; one that names none gets the script called `usual`. */
const NAMED = /\bSCRIPT=([\w-]+)/

export class Model implements AsyncDisposable {
  readonly heard: Heard[] = []
  /** Requests that no protocol knows: method and path. */
  readonly strange: string[] = []
  readonly #scripts: Readonly<Record<string, Script>>
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  private constructor(scripts: Readonly<Record<string, Script>>) {
    this.#scripts = scripts
  }

  static async start(scripts: Readonly<Record<string, Script>>): Promise<Model> {
    const model = new Model(scripts)
    model.#server.listen(0, '127.0.0.1')
    await once(model.#server, 'listening')
    return model
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** What was asked by the person's wish, not by the program's own. */
  get asked(): Heard[] {
    return this.heard.filter(heard => !isAside(heard))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {}) // Programs that are killed do not say goodbye.
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    const body = parse(await read(request))
    const asked = { path, headers: request.headers, body }
    for (const protocol of PROTOCOLS) {
      const heard = request.method === 'POST' ? protocol.hear(asked) : undefined
      if (!heard) continue
      this.heard.push(heard)
      const step = this.#scriptFor(heard)(heard)
      if (!('silence' in step)) protocol.answer(response, step, asked)
      return
    }
    this.strange.push(`${request.method ?? ''} ${path}`)
    json(response, 404, { error: { message: 'not here', type: 'not_found' } })
  }

  #scriptFor(heard: Heard): Script {
    if (isAside(heard)) return () => ({ say: 'A title' })
    const [, name = 'usual'] = NAMED.exec(heard.prompt) ?? []
    return this.#scripts[name] ?? (() => ({ refuse: 400, message: `there is no script ${name}` }))
  }
}

/** For the title of a conversation, say. */
function isAside({ tools, prompt }: Heard): boolean {
  return tools.length === 0 || /^Generate a [^\n]*\btitle\b/.test(prompt)
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  try {
    for await (const part of request) parts.push(part as Buffer)
  } catch {
    return '' // The program went away while it spoke.
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
