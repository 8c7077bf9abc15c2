// The conversation between one client and the hub, across hubs that come and go: what is unanswered, and what a new hub must
// hear first. Owns no stream and no timer; knows of MCP only what makes up a connection's state, and no tool.
import type { Lang } from '#contract/errors.ts'
import { ErrorForms } from './error-forms.ts'
import { HubQuestions } from './hub-questions.ts'
import {
  errorLine,
  HUB_ABSENT,
  type Id,
  idOfResult,
  INVALID_REQUEST,
  keyOf,
  type Message,
  notificationLine,
  readHubMessage,
  refusalLine,
} from './message.ts'
import { sentences } from './sentences.ts'

export type Outputs = {
  toHub(frame: string): void
  /** Text without its line break, or a line of the hub with it. */
  toClient(line: string | Buffer): void
  /** The new hub refuses the handshake that an earlier one accepted: this link is of no use. */
  handshakeRefused(answer: string): void
}

type Request = Extract<Message, { kind: 'request' }>
type Notification = Extract<Message, { kind: 'notification' }>

/** An unanswered request, or a notification that no hub has got yet. */
type Entry = {
  /** The same at every delivery: by it the hub distinguishes a replay from a new call. */
  readonly n: number
  readonly line: string
  readonly message: Request | Notification
  readonly since: number
  delivery: 'none' | 'earlier' | 'now'
  /** The hub that has it now is the first. */
  isNew: boolean
  cancelled: boolean
  /** Deliveries in a row after which the hub was soon gone. */
  strikes: number
}

export const PATIENCE_MS = 30_000
const MAX_WAITING_CHARS = 32 * 1024 * 1024
const SOON_MS = 10_000
const MAX_STRIKES = 25
const CR = 0x0d

export class Exchange {
  readonly #outputs: Outputs
  readonly #lang: Lang
  readonly #now: () => number
  readonly #questions: HubQuestions
  readonly #errors = new ErrorForms()
  #n = 0
  /** In the order in which the client sent them. */
  readonly #entries = new Map<number, Entry>()
  readonly #byId = new Map<string, Entry>()
  #chars = 0
  #handshake: Entry | undefined
  #initialized: Entry | undefined
  readonly #subscriptions = new Map<string, Entry>()
  /** What was only repeated for a new hub: the client has had its answer. */
  readonly #swallow = new Map<string, Entry>()
  /** The client has a list of tools. */
  #listed = false
  #absentSince: number | undefined
  /** What that was before the hub that is there now. */
  #absentBefore = 0

  constructor(outputs: Outputs, lang: Lang, now: () => number) {
    this.#outputs = outputs
    this.#lang = lang
    this.#now = now
    this.#questions = new HubQuestions(lang)
    this.#absentSince = now()
  }

  /** A hub is there and has heard all that it must hear first. */
  get ready(): boolean {
    return this.#absentSince === undefined
  }

  /** How many requests are unanswered. */
  get waiting(): number {
    return this.#byId.size
  }

  fromClient(line: string, message: Message): void {
    if (message.kind === 'invalid')
      return this.#outputs.toClient(errorLine(message.id, message.code, message.why[this.#lang]))
    if (message.kind === 'response') {
      const answer = this.#questions.answer(line, message.id)
      if (answer !== undefined) this.#outputs.toHub(`${++this.#n} ${answer}`)
      return
    }
    if (message.kind === 'request') return this.#request(line, message)
    if (message.method === 'notifications/cancelled') return this.#cancel(line, message)
    const entry = this.#remember(line, message)
    if (message.method === 'notifications/initialized') this.#initialized = entry
    if (this.ready) this.#deliver(entry)
  }

  /** A message that may not be sent on. Its waiting caller gets an error. */
  oversize(message: Message): void {
    const why = sentences.oversize[this.#lang]
    if (message.kind === 'response' && message.id !== null) {
      const answer = this.#questions.answer(errorLine(message.id, INVALID_REQUEST, why), message.id)
      if (answer !== undefined) this.#outputs.toHub(`${++this.#n} ${answer}`)
    }
    if (message.kind === 'request' || message.kind === 'invalid')
      this.#outputs.toClient(errorLine(message.id, INVALID_REQUEST, why))
  }

  fromHub(text: string): void {
    const message = readHubMessage(text)
    if (message.kind === 'invalid') return
    if (message.kind === 'response') return this.#answered(text, message.id, message.failed)
    if (message.kind === 'request') return this.#outputs.toClient(this.#questions.ask(text, message.id))
    this.#outputs.toClient(
      message.method === 'notifications/cancelled'
        ? this.#questions.withdraw(text, message.params['requestId'])
        : oneLine(text),
    )
  }

  /** The same for a line as it came, with its break: an answer is passed on without being read. False: it is for `fromHub`. */
  lineFromHub(line: Buffer): boolean {
    const id = this.#swallow.size > 0 ? undefined : idOfResult(line)
    const entry = id === undefined ? undefined : this.#byId.get(id)
    if (!entry || line.includes(CR)) return false
    this.#forget(entry)
    this.#learn(entry)
    this.#outputs.toClient(line)
    return true
  }

  /** How a hub says that a call has failed, for the time when none is there. */
  learnErrors(header: string): void {
    this.#errors.learn(header)
  }

  attach(): void {
    this.#questions.nextHub()
    this.#absentBefore = this.#absentSince ?? this.#now()
    if (!this.#handshake) return this.#deliverAll()
    this.#swallow.set(idKey(this.#handshake), this.#handshake)
    this.#repeat(this.#handshake)
  }

  /** The hub is gone. With `turnedAway`, it took nothing and said this: a request that no hub ever got fails with these words. */
  detach(livedMs: number, turnedAway?: string): void {
    this.#absentSince ??= turnedAway === undefined ? this.#now() : this.#absentBefore
    this.#swallow.clear()
    for (const line of this.#questions.lost()) this.#outputs.toClient(line)
    for (const entry of this.#entries.values()) {
      if (entry.cancelled) this.#forget(entry)
      if (turnedAway !== undefined) {
        if (entry.delivery === 'now') entry.delivery = entry.isNew ? 'none' : 'earlier'
        if (entry.delivery === 'none') this.#fail(entry, turnedAway)
        continue
      }
      if (entry.delivery !== 'now') continue
      entry.delivery = 'earlier'
      entry.strikes = livedMs < SOON_MS ? entry.strikes + 1 : 0
      if (entry.strikes >= MAX_STRIKES) this.#fail(entry, sentences.fatal[this.#lang])
    }
  }

  /** Gives up on what has waited too long while there was no hub. */
  expire(): void {
    if (this.#absentSince === undefined) return
    const limit = this.#now() - PATIENCE_MS
    if (this.#absentSince > limit) return
    for (const entry of this.#entries.values())
      if (entry.since <= limit)
        this.#fail(entry, (entry.delivery === 'none' ? sentences.absent : sentences.uncertain)[this.#lang])
  }

  /** No hub is to be expected. */
  failAll(sentence: string): void {
    for (const entry of this.#entries.values()) this.#fail(entry, sentence)
  }

  #request(line: string, message: Request): void {
    const known = this.#byId.get(keyOf(message.id))
    if (known?.cancelled) this.#forget(known)
    if (known && !known.cancelled)
      return this.#outputs.toClient(errorLine(message.id, INVALID_REQUEST, sentences.idInUse[this.#lang]))
    if (this.#chars + line.length > MAX_WAITING_CHARS)
      return this.#outputs.toClient(this.#failure(message, sentences.crowded[this.#lang]))
    const entry = this.#remember(line, message)
    if (this.ready) this.#deliver(entry)
  }

  /** What the hub has not got is taken back here; else the hub must know. Either way no later hub gets it. */
  #cancel(line: string, message: Notification): void {
    const entry = this.#byId.get(keyOf(message.params['requestId']))
    if (entry && entry.delivery !== 'now') return this.#forget(entry)
    if (entry) entry.cancelled = true
    if (this.ready) this.#outputs.toHub(`${++this.#n} ${line}`)
  }

  #answered(text: string, id: Id | null, failed: boolean): void {
    const key = keyOf(id)
    const repeated = this.#swallow.get(key)
    this.#swallow.delete(key)
    if (repeated && repeated === this.#handshake) return failed ? this.#outputs.handshakeRefused(text) : this.#resume()
    // Changes during the time without updates are unknown.
    if (repeated)
      return this.#outputs.toClient(notificationLine('notifications/resources/updated', uriOf(repeated.message)))
    // About a message that the hub could not read so far as its id.
    if (id === null) return this.#outputs.toClient(oneLine(text))
    const entry = this.#byId.get(key)
    if (!entry) return // Answered already: by an earlier hub, or by us when we gave up.
    this.#forget(entry)
    if (!failed) this.#learn(entry)
    this.#outputs.toClient(oneLine(text))
  }

  #learn(entry: Entry): void {
    const { method, params } = entry.message
    if (method === 'initialize') this.#handshake = entry
    if (method === 'tools/list') this.#listed = true
    if (method === 'resources/subscribe') this.#subscriptions.set(keyOf(params['uri']), entry)
    if (method === 'resources/unsubscribe') this.#subscriptions.delete(keyOf(params['uri']))
  }

  /** The new hub has accepted the handshake. */
  #resume(): void {
    if (this.#initialized) {
      this.#forget(this.#initialized)
      this.#repeat(this.#initialized)
    }
    for (const subscription of this.#subscriptions.values()) {
      this.#swallow.set(idKey(subscription), subscription)
      this.#repeat(subscription)
    }
    this.#deliverAll()
    // Another hub may be of another version, and a sign-in may have ended meanwhile.
    if (this.#listed) this.#outputs.toClient(notificationLine('notifications/tools/list_changed'))
  }

  #deliverAll(): void {
    this.#absentSince = undefined
    for (const entry of this.#entries.values()) {
      this.#deliver(entry)
      // A client that does not wait for the answer to its handshake: the hub that got both is gone.
      const again = entry.message.method === 'initialize' ? this.#initialized : undefined
      if (again && again.n > entry.n && !this.#entries.has(again.n)) this.#repeat(again)
    }
  }

  #deliver(entry: Entry): void {
    entry.isNew = entry.delivery === 'none'
    entry.delivery = 'now'
    if (entry.message.kind === 'notification') this.#forget(entry)
    this.#repeat(entry)
  }

  #repeat(entry: Entry): void {
    this.#outputs.toHub(`${entry.n} ${entry.line}`)
  }

  #remember(line: string, message: Request | Notification): Entry {
    const since = this.#now()
    const state = { delivery: 'none', isNew: true, cancelled: false, strikes: 0 } as const
    const entry: Entry = { n: ++this.#n, line, message, since, ...state }
    this.#entries.set(entry.n, entry)
    if (message.kind === 'request') this.#byId.set(keyOf(message.id), entry)
    this.#chars += line.length
    return entry
  }

  #forget(entry: Entry): void {
    if (!this.#entries.delete(entry.n)) return
    this.#chars -= entry.line.length
    if (this.#byId.get(idKey(entry)) === entry) this.#byId.delete(idKey(entry))
  }

  #fail(entry: Entry, sentence: string): void {
    this.#forget(entry)
    const { message } = entry
    if (message.kind === 'request' && !entry.cancelled) this.#outputs.toClient(this.#failure(message, sentence))
  }

  /** A call fails in a way that a model can read, as its tool does; any other request fails as JSON-RPC has it. */
  #failure({ id, method, params }: Request, sentence: string): string {
    if (method !== 'tools/call') return errorLine(id, HUB_ABSENT, sentence)
    return refusalLine(id, this.#errors.bodyFor(params['name'], sentence))
  }
}

function uriOf({ params }: Entry['message']): { uri: unknown } {
  return { uri: params['uri'] }
}

function idKey(entry: Entry): string {
  return entry.message.kind === 'request' ? keyOf(entry.message.id) : ''
}

/** stdio has one message a line; a hub that writes its JSON on several must not break that. */
function oneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? JSON.stringify(JSON.parse(text)) : text
}
