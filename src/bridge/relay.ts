// Keeps one client connected to whichever hub serves it now: reads lines, holds the link, waits and tries again.
import { HubError, type Lang } from '#contract/errors.ts'
import { FRAME_BYTES } from '#contract/limits.ts'
import { LineSplitter } from '#system/line-splitter.ts'
import {
  type Closed,
  INCOMPATIBLE,
  type Link,
  type LinkEndpoint,
  TRY_AGAIN,
  UNAUTHORISED,
} from '#client/frame-link/link.ts'
import { type Hello, LinkRefused, openLink } from '#client/frame-link/open-link.ts'
import { Exchange } from './exchange.ts'
import type { HubSource } from './hub-source.ts'
import { decode, readMessage } from './message.ts'
import { sentences } from './sentences.ts'

export type RelayDeps = {
  source: HubSource
  hello: Hello
  lang: Lang
  /** Takes one line for the client, as bytes with its line break; false asks for a pause until resumeHub(). */
  toClient(line: string | Buffer): boolean
  pauseClient(paused: boolean): void
  note(sentence: string): void
  now(): number
}

/** So much is read of a line that is too long, for the sake of its id. */
const KEEP_BYTES = 16 * 1024 * 1024
const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 5000
const IDLE_POLL_MS = 1000
/** A hub that ended cleanly may be followed by another that a person starts on purpose. */
const SUCCESSOR_MS = 1500
const HANDSHAKE_MS = 10_000
const MAX_DENIALS = 3
/** A hub that is started again is there before; one that is not has ended for good. */
const MISSED_MS = 10_000
/** A client that is gone must not be outlived by two seconds. */
const LAST_ANSWERS_MS = 1500
/** Normal, going away, restarting: the hub took its leave. Anything else was a crash or a cut. */
const FAREWELLS = new Set([1000, 1001, 1012])
/** Answers that stay the same until a person has done something. */
const LASTING = ['HOST_NOT_ALLOWED', 'CERTIFICATE_REFUSED']

export class Relay {
  readonly #deps: RelayDeps
  readonly #exchange: Exchange
  readonly #lines: LineSplitter
  readonly #stop = new AbortController()
  readonly #ended: Promise<number>
  #resolveEnded: (code: number) => void = () => {}
  #exitCode: number | undefined
  #link: Link | undefined
  #openedAt = 0
  #wake = () => {}
  /** A hub is wanted even while no request waits: at first, and after a crash. */
  #eager = true
  #startNotBefore = 0
  /** Since when no hub could be reached; undefined when that was reported, or a hub is there. */
  #missing: number | undefined
  #failures = 0
  #denials = 0
  #heard = false
  #firstLine = true
  #noted = ''
  #finishing = false

  constructor(deps: RelayDeps) {
    this.#deps = deps
    this.#ended = new Promise(resolve => (this.#resolveEnded = resolve))
    this.#exchange = new Exchange(
      {
        toHub: frame => this.#link?.send(frame),
        toClient: line => {
          if (!deps.toClient(line)) this.#link?.pause()
        },
        handshakeRefused: answer => {
          this.#note(`The hub refuses the handshake: ${answer.slice(0, 500)}`)
          this.#link?.terminate()
        },
      },
      deps.lang,
      () => deps.now(),
    )
    this.#lines = new LineSplitter(FRAME_BYTES, KEEP_BYTES, {
      line: bytes => this.#line(bytes),
      oversize: (bytes, size) =>
        this.#exchange.oversize(readMessage(bytes.length === size ? decode(bytes) : undefined)),
    })
  }

  /** Resolves to the exit code, when the client has gone or trying again is pointless. */
  async run(): Promise<number> {
    const tick = setInterval(() => this.#tick(), 500).unref()
    // Not when the loop ends: it may be in the middle of a try that takes seconds.
    const code = await Promise.race([this.#ended, this.#loop()])
    clearInterval(tick)
    return code
  }

  fromClient(bytes: Buffer): void {
    this.#lines.push(bytes)
    if (this.#exchange.waiting > 0 && !this.#link) this.#wake()
  }

  /** The client reads again. */
  resumeHub(): void {
    this.#link?.resume()
  }

  /** The client sends nothing more. What it has asked already is still answered, if that is soon. */
  finish(): void {
    if (this.#exchange.waiting === 0) return this.end(0)
    this.#finishing = true
    setTimeout(() => this.end(0), LAST_ANSWERS_MS)
  }

  end(code: number, sentence?: string): void {
    if (this.#exitCode !== undefined) return
    this.#exitCode = code
    if (sentence !== undefined) {
      this.#note(sentence)
      this.#exchange.failAll(sentence)
    }
    this.#stop.abort()
    this.#link?.terminate()
    this.#resolveEnded(code)
  }

  async #loop(): Promise<never> {
    for (;;) {
      const link = await this.#connect()
      if (link) await this.#serve(link)
      await this.#rest()
    }
  }

  #line(bytes: Buffer): void {
    let text = decode(bytes)
    // Some Windows shells put a byte order mark in front of what they pipe.
    if (this.#firstLine) text = text?.replace(/^\uFEFF/, '')
    this.#firstLine = false
    if (text !== undefined && text.trim() === '') return
    this.#exchange.fromClient(text ?? '', readMessage(text))
  }

  async #connect(): Promise<Link | undefined> {
    try {
      const link = (await this.#toKnownHub()) ?? (await this.#toNewHub())
      // Where none of our processes starts one, waiting is all there is: ever more slowly.
      if (!link && !this.#deps.source.start) this.#failures++
      if (!link) this.#miss()
      return link
    } catch (cause) {
      this.#failures++
      this.#miss()
      if (!this.#stop.signal.aborted) this.#connectFailed(cause)
      return undefined
    }
  }

  #miss(): void {
    if (this.#missing === undefined || this.#deps.now() - this.#missing < MISSED_MS) return
    this.#missing = undefined
    this.#deps.source.missed?.()
  }

  async #toKnownHub(): Promise<Link | undefined> {
    const endpoint = this.#deps.source.find()
    if (!endpoint) return undefined
    try {
      return await this.#open(endpoint)
    } catch (cause) {
      if (cause instanceof LinkRefused || !this.#mayStart()) throw cause
      const isOlder = cause instanceof HubError && cause.code === 'HUB_OUTDATED'
      if (isOlder || (cause instanceof HubError && !this.#deps.source.start)) throw cause
      return undefined // Dead, deaf or a stranger: a new hub is wanted.
    }
  }

  async #toNewHub(): Promise<Link | undefined> {
    const { start } = this.#deps.source
    if (!start || !this.#mayStart()) return undefined
    return this.#open(await start(this.#stop.signal))
  }

  #open(endpoint: LinkEndpoint): Promise<Link> {
    return openLink(endpoint, this.#deps.hello, {
      frame: text => {
        this.#exchange.fromHub(text)
        this.#hear()
      },
      line: bytes => {
        const isTaken = this.#exchange.lineFromHub(bytes)
        if (isTaken) this.#hear()
        return isTaken
      },
      congested: yes => this.#deps.pauseClient(yes),
      errorForms: header => this.#exchange.learnErrors(header),
    })
  }

  #hear(): void {
    this.#heard = true
    if (this.#finishing && this.#exchange.waiting === 0) this.end(0)
  }

  #connectFailed(cause: unknown): void {
    if (cause instanceof LinkRefused) return this.#left(cause.closed)
    const sentence = sentenceOf(cause, this.#deps.lang)
    // A hub that has just been replaced is known by another token in a moment.
    if (cause instanceof HubError && cause.kind === 'unauthenticated')
      return this.#left({ code: UNAUTHORISED, reason: sentence })
    if (cause instanceof HubError && cause.kind === 'forbidden') return this.end(4, sentence)
    this.#note(sentence)
    // No hub there, or not yet: the client hears of it if that lasts.
    if (!(cause instanceof HubError) || (cause.retryable && !LASTING.includes(cause.code))) return
    this.#exchange.failAll(sentence)
    // It would refuse again. The next request is worth another try, the passing of time is not.
    this.#eager = false
    this.#startNotBefore = this.#deps.now() + BACKOFF_MIN_MS * 10
  }

  async #serve(link: Link): Promise<void> {
    if (this.#exitCode !== undefined) return link.terminate()
    this.#link = link
    this.#openedAt = this.#deps.now()
    this.#heard = false
    this.#exchange.attach()
    const closed = await link.closed
    this.#link = undefined
    this.#missing = this.#deps.now()
    this.#deps.pauseClient(false)
    const isFull = closed.code === TRY_AGAIN && !this.#heard
    this.#exchange.detach(this.#deps.now() - this.#openedAt, isFull ? closed.reason : undefined)
    this.#failures = this.#heard ? 0 : this.#failures + 1
    if (this.#heard) {
      this.#denials = 0
      this.#noted = ''
    }
    if (this.#exitCode === undefined) this.#left(closed)
  }

  #left({ code, reason }: Closed): void {
    if (code === INCOMPATIBLE) return this.end(1, reason || sentences.incompatible[this.#deps.lang])
    if (code === UNAUTHORISED && ++this.#denials >= MAX_DENIALS)
      return this.end(4, reason || sentences.denied[this.#deps.lang])
    if (code === TRY_AGAIN) this.#note(reason)
    this.#eager = !FAREWELLS.has(code)
    if (!this.#eager) this.#startNotBefore = this.#deps.now() + SUCCESSOR_MS
  }

  #mayStart(): boolean {
    return (this.#eager || this.#exchange.waiting > 0) && this.#deps.now() >= this.#startNotBefore
  }

  /** With jitter, or all the bridges of a hub that ended would knock at the same moment. */
  async #rest(): Promise<void> {
    const idle = !this.#eager && this.#exchange.waiting === 0
    const backoff = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** this.#failures)
    const ms = (idle ? IDLE_POLL_MS : backoff) * (0.5 + Math.random() / 2)
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        // A request ends the idle wait at once; a wait after failures it must not shorten, or a busy client would spin.
        if (!idle) return
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }

  /** Once, however often it is tried again. */
  #note(sentence: string): void {
    if (sentence !== this.#noted) this.#deps.note(sentence)
    this.#noted = sentence
  }

  #tick(): void {
    this.#exchange.expire()
    const stuck = this.#link && !this.#exchange.ready && this.#deps.now() - this.#openedAt > HANDSHAKE_MS
    if (stuck) this.#link?.terminate()
  }
}

/** A sentence for people in whatever was thrown. A connection's error often has only a code. */
function sentenceOf(cause: unknown, lang: Lang): string {
  if (cause instanceof HubError) return cause.text[lang]
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause)
}
