// What a scripted model hears and what it does next, whichever protocol carries it. Each protocol's file translates.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

export type Heard = {
  protocol: 'anthropic' | 'responses' | 'chat' | 'gemini'
  model: string
  /** The credential that came along. */
  key: string
  /** Everything that was said to the model as a person, in order, without what programs add by themselves. */
  said: string[]
  /** The last of it. */
  prompt: string
  /** What the tools called since then have answered. */
  results: string[]
  /** Those offered; a request without any is the program's own, for a title or the like. */
  tools: string[]
}

export type Step =
  /** A tool of an MCP server: of ours, unless another is named. */
  | { call: string; args: Record<string, unknown>; server?: string }
  /** Asks for the names of all tools. Codex alone does not list them in its request. */
  | { listTools: true }
  /** A tool of the program itself. */
  | { write: string; content: string }
  | { edit: string; from: string; to: string }
  | { shell: string }
  /** The last word of this turn. */
  | { say: string }
  /** An error of the service. */
  | { refuse: number; message: string; headers?: Record<string, string>; body?: unknown }
  /** No answer, ever. */
  | { silence: true }
  /** Begins to answer, then the line is cut. */
  | { cut: string }

/** What is said in the answer itself. */
export type Spoken = Exclude<Step, { silence: true } | { refuse: number }>

/** A tool that is used; where a request names all tools, there is no need to ask for them. */
export type Use = Exclude<Spoken, { say: string } | { cut: string }>

/** Sent with every request: all that it must remember is in the request. */
export type Script = (heard: Heard) => Step

export type Json = Record<string, unknown>

export type Request = { path: string; headers: IncomingHttpHeaders; body: Json }

export interface Protocol {
  /** Undefined: not a question to the model. */
  hear(request: Request): Heard | undefined
  /** Everything but `silence`. */
  answer(response: ServerResponse, step: Exclude<Step, { silence: true }>, request: Request): void
}

/** Every answer costs the same, so that sums can be checked. */
export const COST = { input: 100, output: 20 }

export const MCP_NAME = 'toryo'

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

/** A text, or a list of parts with texts. */
export function words(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map(part => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

/** What was said and answered, as a request repeats it. Words of the person begin a turn: what tools answered before counts no more. */
export class Turns {
  readonly #said: string[] = []
  #results: string[] = []

  /** A text, or a list of parts with texts, in the person's name. */
  person(content: unknown): void {
    this.say(ofPerson(words(content)))
  }

  say(text: string): void {
    if (text === '') return
    this.#said.push(text)
    this.#results = []
  }

  answer(result: string): void {
    this.#results.push(result)
  }

  get heard(): Pick<Heard, 'said' | 'prompt' | 'results'> {
    return { said: this.#said, prompt: this.#said.at(-1) ?? '', results: this.#results }
  }
}

/** Programs put words of their own between the person's, in tags or brackets. */
function ofPerson(text: string): string {
  const plain = text.replace(/<(system-reminder|session_context)>[\s\S]*?<\/\1>/g, '').trim()
  return plain.startsWith('[Request interrupted') ? '' : plain
}

let count = 0
export function newId(prefix: string): string {
  count += 1
  return `${prefix}_${process.pid.toString(36)}${Date.now().toString(36)}${count.toString(36).padStart(6, '0')}`
}

export function sse(response: ServerResponse, events: readonly (Json | string)[], named = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const event of events) {
    const name = named && typeof event === 'object' ? `event: ${String(event['type'])}\n` : ''
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }
}

/** The rest of a stream whose events have names. */
export function endNamed(response: ServerResponse, events: readonly Json[]): void {
  for (const event of events) response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** The words in two pieces, as a stream brings them; never through the middle of a character. */
export function pieces(text: string): string[] {
  const all = Array.from(text)
  const half = Math.ceil(all.length / 2)
  return [all.slice(0, half).join(''), all.slice(half).join('')].filter(piece => piece !== '')
}
