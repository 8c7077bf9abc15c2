// Requests that the hub makes of the client. Each hub counts its ids from the start, so the ids of all but the first hub are
// renamed: an answer that comes after a restart must not reach the new hub's question of the same number.
import type { Lang } from '#contract/errors.ts'
import { cancelLine, errorLine, type Id, INVALID_REQUEST, isId, keyOf } from './message.ts'
import { sentences } from './sentences.ts'

export class HubQuestions {
  readonly #lang: Lang
  /** Open ones: by the id that the client sees, the ids on both sides. */
  readonly #open = new Map<string, { shown: Id; own: Id }>()
  #hubs = 0

  constructor(lang: Lang) {
    this.#lang = lang
  }

  nextHub(): void {
    this.#hubs++
  }

  /** The line for the client. */
  ask(text: string, own: Id): string {
    const shown = this.#shown(own)
    this.#open.set(keyOf(shown), { shown, own })
    return JSON.stringify({ ...parse(text), id: shown })
  }

  /** The line for the hub, or undefined when no hub waits for this answer any more. */
  answer(line: string, id: Id | null): string | undefined {
    const question = this.#open.get(keyOf(id))
    if (!question) return undefined
    this.#open.delete(keyOf(id))
    return question.own === question.shown ? line : withId(line, question.own)
  }

  /** The hub takes a question back: the line for the client. */
  withdraw(text: string, own: unknown): string {
    const notification = parse(text)
    const shown = isId(own) ? this.#shown(own) : own
    this.#open.delete(keyOf(shown))
    return JSON.stringify({ ...notification, params: { ...(notification['params'] as object), requestId: shown } })
  }

  /** The hub is gone and will read no answer: lines that say so to the client. */
  lost(): string[] {
    const lines = [...this.#open.values()].map(({ shown }) => cancelLine(shown, sentences.restarted[this.#lang]))
    this.#open.clear()
    return lines
  }

  #shown(own: Id): Id {
    return this.#hubs <= 1 ? own : `toryo.${this.#hubs}.${keyOf(own)}`
  }
}

function withId(line: string, id: Id): string {
  try {
    return JSON.stringify({ ...parse(line), id })
  } catch {
    // It can be parsed, but is nested too deeply to be written again.
    return errorLine(id, INVALID_REQUEST, 'The answer is nested too deeply.')
  }
}

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}
