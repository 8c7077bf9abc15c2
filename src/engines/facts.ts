// What the output of a run says, whichever program wrote it: first as single facts, then summed up.
import { eachKind, isCost, isCount, TOKEN_KINDS, type Usage } from '#contract/usage-text.ts'
import { count } from './json.ts'

export type Change = 'created' | 'edited' | 'deleted'

export type End = {
  outcome: 'success' | 'error' | 'interrupted'
  /** The program's own word for it, such as `max_turns`. */
  reason: string
  /** For people. */
  message?: string | undefined
}

/** The account has nothing left. */
export type Quota = { message: string; resetsAt?: number | undefined }

export type Fact =
  | { kind: 'session'; id: string }
  | { kind: 'model'; model: string }
  | { kind: 'mcp'; connected: boolean; problem?: string | undefined }
  /** `about`: what it was called with, in one line. */
  | { kind: 'tool'; id: string; name: string; about?: string | undefined }
  /** What a call came back with, cut. For people who read along; nothing is counted by it. */
  | { kind: 'result'; id: string; text: string; failed: boolean }
  /** The program's own permissions refused a call. */
  | { kind: 'denied'; id: string; name: string }
  | { kind: 'file'; path: string; change: Change }
  /** `more`: goes on where the message before stopped. */
  | { kind: 'message'; text: string; more?: boolean }
  | { kind: 'usage'; usage: Usage; add?: boolean }
  | { kind: 'cost'; usd: number; add?: boolean }
  /** Not the end: the program may try again. */
  | { kind: 'trouble'; message: string }
  | ({ kind: 'quota' } & Quota)
  | { kind: 'started' }
  | ({ kind: 'end' } & End)

export type Facts = {
  session: string | undefined
  model: string | undefined
  /** Whether our MCP server was reached; undefined when the program does not say. */
  mcpConnected: boolean | undefined
  toolCalls: number
  /** Tool calls that the program's own permissions refused, and the names of those tools, each once. */
  denied: number
  deniedTools: readonly string[]
  /** Absolute where the program's folder is known. In the order of their first mention; a file made in this run is only here. */
  created: readonly string[]
  edited: readonly string[]
  deleted: readonly string[]
  usage: Usage | undefined
  costUsd: number | undefined
  lastMessage: string | undefined
  trouble: string | undefined
  /** Nothing has come of it since the last trouble: no word, no tool call, no file. */
  troubled: boolean
  quota: Quota | undefined
  end: End | undefined
  lines: number
  /** Lines that were not what the program should write: no JSON, no UTF-8, or cut. They are in the log. */
  badLines: number
  cutLines: number
}

/** More would only be an attempt to fill our memory. */
const MOST_FILES = 2000
const MOST_CALLS = 100_000
const MOST_TEXT = 64 * 1024
const MOST_DENIED = 1000
const MOST_NAME = 200

const PROGRESS = new Set<Fact['kind']>(['message', 'tool', 'file'])
const TROUBLE = new Set<Fact['kind']>(['trouble', 'quota'])

export class Sum {
  readonly #files = new Map<string, Change>()
  readonly #calls = new Set<string>()
  readonly #denied = new Map<string, string>()
  /** Of which a part was refused. A sum without that part would be a wrong one. */
  readonly #unknown = new Set<'usage' | 'costUsd'>()
  readonly #told: Omit<
    Facts,
    'toolCalls' | 'denied' | 'deniedTools' | 'created' | 'edited' | 'deleted' | 'lines' | 'badLines' | 'cutLines'
  > = {
    session: undefined,
    model: undefined,
    mcpConnected: undefined,
    usage: undefined,
    costUsd: undefined,
    lastMessage: undefined,
    trouble: undefined,
    troubled: false,
    quota: undefined,
    end: undefined,
  }

  facts(): Omit<Facts, 'lines' | 'badLines' | 'cutLines'> {
    const files = (change: Change) => [...this.#files].filter(([, now]) => now === change).map(([path]) => path)
    return {
      ...this.#told,
      toolCalls: this.#calls.size,
      denied: this.#denied.size,
      deniedTools: [...new Set(this.#denied.values())],
      created: files('created'),
      edited: files('edited'),
      deleted: files('deleted'),
    }
  }

  /** False for what was known already. */
  add(fact: Fact): boolean {
    const told = this.#told
    if (PROGRESS.has(fact.kind)) told.troubled = false
    if (TROUBLE.has(fact.kind)) told.troubled = true
    switch (fact.kind) {
      case 'session':
        return change(told, 'session', fact.id)
      case 'model':
        return change(told, 'model', fact.model)
      case 'mcp':
        return change(told, 'mcpConnected', fact.connected)
      case 'tool':
        return this.#addCall(fact.id)
      case 'result':
        return true
      case 'denied':
        return this.#addDenied(fact.id, fact.name)
      case 'file':
        return this.#addFile(fact.path, fact.change)
      case 'message':
        // What is cut off already would be copied again with every word that follows.
        if (fact.more && (told.lastMessage?.length ?? 0) > MOST_TEXT) return true
        told.lastMessage = clip((fact.more ? (told.lastMessage ?? '') : '') + fact.text)
        return true
      case 'usage':
        return this.#spent('usage', isUsage(fact.usage), sumWith(fact, told.usage), fact.add)
      case 'cost':
        return this.#spent('costUsd', isCost(fact.usd), (fact.add ? (told.costUsd ?? 0) : 0) + fact.usd, fact.add)
      case 'trouble':
        told.trouble = clip(fact.message)
        return true
      case 'quota':
        told.quota = { message: clip(fact.message), resetsAt: fact.resetsAt ?? told.quota?.resetsAt }
        return true
      case 'started':
        told.end = undefined
        return true
      // The last kind there is.
      default:
        if (fact.outcome === 'success') told.troubled = false
        told.end = { outcome: fact.outcome, reason: fact.reason, message: fact.message && clip(fact.message) }
        return true
    }
  }

  /** False for what cannot be: then nobody knows how much it was, nor what it is with more of it. */
  #spent<K extends 'usage' | 'costUsd'>(name: K, isSo: boolean, value: NonNullable<Facts[K]>, add = false): boolean {
    const isKnown = isSo && !(add && this.#unknown.has(name))
    if (isKnown) this.#unknown.delete(name)
    else this.#unknown.add(name)
    this.#told[name] = isKnown ? value : undefined
    return isKnown
  }

  #addCall(id: string): boolean {
    if (this.#calls.has(id) || this.#calls.size >= MOST_CALLS) return false
    this.#calls.add(id)
    return true
  }

  #addDenied(id: string, name: string): boolean {
    if (this.#denied.has(id) || this.#denied.size >= MOST_DENIED) return false
    this.#denied.set(id, name.slice(0, MOST_NAME))
    return true
  }

  #addFile(path: string, change: Change): boolean {
    const before = this.#files.get(path)
    if (before === undefined && this.#files.size >= MOST_FILES) return false
    if (before === 'created' && change === 'deleted') return this.#files.delete(path)
    const now = before === 'created' ? 'created' : before === 'deleted' && change === 'created' ? 'edited' : change
    if (now === before) return false
    this.#files.set(path, now)
    return true
  }
}

function change<T, K extends keyof T>(told: T, name: K, value: T[K]): boolean {
  if (told[name] === value) return false
  told[name] = value
  return true
}

function isUsage(usage: Usage): boolean {
  return TOKEN_KINDS.map(kind => usage[kind]).every(count => count === null || isCount(count))
}

function sumWith({ usage, add }: Extract<Fact, { kind: 'usage' }>, before: Usage | undefined): Usage {
  return add && before ? addUsage(before, usage) : usage
}

/** `add`: a part of it, not the whole so far. */
export function* costOf(value: unknown, add = false): Generator<Fact> {
  const usd = count(value)
  if (usd !== null) yield { kind: 'cost', usd, add }
}

/** What is unknown of one part is unknown of the whole. */
export function addUsage(a: Usage, b: Usage): Usage {
  const plus = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other)
  return eachKind(kind => plus(a[kind], b[kind]))
}

function clip(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}
