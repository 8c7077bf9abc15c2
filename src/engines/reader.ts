// Reads the output of a program as it comes and keeps the facts in it. Never fails on what it reads.
import { isAbsolute, resolve } from 'node:path'
import { type Fact, type Facts, Sum } from './facts.ts'
import type { Json } from './json.ts'
import { type Line, TextLines } from './lines.ts'
import { troubleOf } from './quota.ts'

export type ReaderOptions = {
  /** The program's folder: paths are reported absolute. */
  cwd?: string
  /** For programs that do not say whether a file they write is new: whether it was there when they began. */
  exists?: (path: string) => boolean
  /** For relative reset times. */
  now?: () => number
  /** Hears what is not believed, once for each kind; for the log of the run. */
  remark?: (line: string) => void
}

export interface Reader {
  /** What is new in these bytes. Of stderr only what some programs report nowhere else. */
  push(bytes: Uint8Array, from?: 'stdout' | 'stderr'): Fact[]
  /** No more will come: a last line without its end is read, too. */
  end(): Fact[]
  readonly facts: Facts
  /** The last of what it wrote in plain text where that is not its usual form: its own words, when it says nothing else. */
  readonly lastWords: string | undefined
}

/** One event of the program's output, as facts. May keep what it needs to understand the next. */
export type EventReader = (event: Json, options: ReaderOptions) => Iterable<Fact>

/** What went wrong, or a fact that is said nowhere else, in a line of stderr; undefined for all others. */
export type Complaint = (line: string) => string | Fact | undefined

class LinesReader implements Reader {
  readonly #splitter = new TextLines()
  readonly #errors = new TextLines()
  readonly #sum = new Sum()
  readonly #options: ReaderOptions
  readonly #read: (line: Line) => Iterable<Fact> | undefined
  readonly #complaint: Complaint | undefined
  readonly #words: LastWords
  readonly #remarked = new Set<Fact['kind']>()
  #lines = 0
  #bad = 0
  #cut = 0

  constructor(
    read: (line: Line) => Iterable<Fact> | undefined,
    options: ReaderOptions,
    complaint?: Complaint,
    notices?: RegExp,
  ) {
    this.#read = read
    this.#options = options
    this.#complaint = complaint
    this.#words = new LastWords(notices)
  }

  get facts(): Facts {
    return { ...this.#sum.facts(), lines: this.#lines, badLines: this.#bad, cutLines: this.#cut }
  }

  get lastWords(): string | undefined {
    return this.#words.text
  }

  push(bytes: Uint8Array, from: 'stdout' | 'stderr' = 'stdout'): Fact[] {
    return from === 'stdout' ? this.#take(this.#splitter.push(bytes)) : this.#heed(this.#errors.push(bytes))
  }

  end(): Fact[] {
    return [...this.#heed(this.#errors.end()), ...this.#take(this.#splitter.end())]
  }

  #heed(lines: Iterable<Line>): Fact[] {
    const fresh: Fact[] = []
    for (const { text } of lines) {
      this.#words.add(text)
      const said = this.#complaint?.(text)
      if (said === undefined) continue
      const facts = typeof said === 'string' ? troubleOf(said, (this.#options.now ?? Date.now)()) : [said]
      fresh.push(...[...facts].filter(fact => this.#sum.add(fact)))
    }
    return fresh
  }

  #take(lines: Iterable<Line>): Fact[] {
    const fresh: Fact[] = []
    for (const line of lines) {
      if (line.text.trim() === '') continue
      this.#lines++
      if (!line.whole) this.#cut++
      const facts = this.#read(line)
      if (facts === undefined || !line.whole || !line.valid) this.#bad++
      if (facts === undefined) this.#words.add(line.text)
      for (const fact of facts ?? []) {
        const settled = this.#settle(fact)
        if (this.#sum.add(settled)) fresh.push(settled)
        else this.#refused(settled)
      }
    }
    return fresh
  }

  #refused(fact: Fact): void {
    if ((fact.kind !== 'usage' && fact.kind !== 'cost') || this.#remarked.has(fact.kind)) return
    this.#remarked.add(fact.kind)
    const [what, said] =
      fact.kind === 'cost'
        ? ['cost', `${fact.usd}`]
        : ['tokens', Object.entries(fact.usage).map(([kind, tokens]) => `${kind} ${tokens ?? 'unknown'}`)]
    this.#options.remark?.(`[toryo] It gives its ${what} as ${String(said)}, which cannot be. They count as unknown.`)
  }

  #settle(fact: Fact): Fact {
    const { cwd } = this.#options
    if (fact.kind !== 'file' || cwd === undefined || isAbsolute(fact.path)) return fact
    return { ...fact, path: resolve(cwd, fact.path) }
  }
}

const WORDS_LINES = 3
const WORDS_CHARS = 300
/** Where a program was when it fell, its version, warnings, and what only decorates. */
const NO_WORDS = /^\s+at |^Node\.js v|^\(node:\d+\)|^\(Use `node|level=(?:INFO|WARN|DEBUG)|^[\s^~=*#{}[\](),;-]*$/

class LastWords {
  readonly #notices: RegExp | undefined
  #lines: string[] = []

  constructor(notices: RegExp | undefined) {
    this.#notices = notices
  }

  get text(): string | undefined {
    return this.#lines.length === 0 ? undefined : this.#lines.join(' ')
  }

  add(line: string): void {
    const words = line.slice(0, WORDS_CHARS)
    // Half an object is none of its words.
    if (NO_WORDS.test(words) || /^\s*[{[]/.test(words) || this.#notices?.test(words)) return
    this.#lines = [...this.#lines.slice(1 - WORDS_LINES), words.trim()]
  }
}

/**
 * For programs that write one JSON object a line. A cut line is not tried: half an object is none. `notices` are lines of stderr
 * that mean nothing.
 */
export function jsonReader(
  read: EventReader,
  options: ReaderOptions = {},
  complaint?: Complaint,
  notices?: RegExp,
): Reader {
  return new LinesReader(
    line => {
      const event = line.whole ? parse(line.text) : undefined
      return event && [...read(event, options)]
    },
    options,
    complaint,
    notices,
  )
}

/** For programs that write prose: the last lines are the message. */
export function textReader(options: ReaderOptions = {}): Reader {
  const last: string[] = []
  return new LinesReader(line => {
    last.push(line.text.slice(0, 2000))
    if (last.length > 40) last.shift()
    return [{ kind: 'message', text: last.join('\n') }]
  }, options)
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined // Counted; the line itself is in the log.
  }
}
