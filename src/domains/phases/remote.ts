// Prompts of another hub or service. Owns what was fetched and for how long it is good; stores nothing.
import { z } from 'zod'
import { HubError, type Lang } from '#contract/errors.ts'
import { type Phase, PhaseError, type SourceFault } from '#contract/phases.ts'
import type { Clock } from '#kernel/clock.ts'
import { type Fetched, fetchJson } from '#kernel/fetch-json.ts'
import type { Log } from '#kernel/log.ts'
import { refusePortability } from '#kernel/portable.ts'
import { parsePrompt } from './front-matter.ts'
import { type NewPrompt, sha256 } from './model.ts'
import type { SourceSettings } from './ports.ts'

export type Fetching = { readonly prompt: NewPrompt; readonly cached: boolean; readonly fetchedAt: number }

export const PROMPT_BYTES = 256 * 1024
const BODY_BYTES = 1024 * 1024
/** While a kept copy serves, a source that failed is left alone for so many times what its failure cost. */
const REST = 4

const Answer = z.object({ phase: z.string(), version: z.int().min(0).max(2_147_483_647), content: z.string().min(1) })

type Entry = { prompt: NewPrompt; fetchedAt: number; since: number }

export class RemotePrompts {
  readonly #deps: { settings: () => SourceSettings; clock: Clock; log: Log }
  readonly #entries = new Map<string, Entry>()
  readonly #running = new Map<string, Promise<Entry>>()
  readonly #failures = new Map<string, { at: number; took: number }>()

  constructor(deps: { settings: () => SourceSettings; clock: Clock; log: Log }) {
    this.#deps = deps
  }

  /** Names the source without revealing its address. */
  get source(): string | undefined {
    const { url } = this.#deps.settings()
    return url === undefined ? undefined : sha256(url).slice(0, 16)
  }

  get ttlMs(): number {
    return this.#deps.settings().ttlMs
  }

  isResting(phase: Phase, lang: Lang): boolean {
    const failure = this.#failures.get(this.#key(phase, lang))
    return failure !== undefined && this.#deps.clock.monotonic() - failure.at < failure.took * REST
  }

  /** `again`: fetches again even if what was fetched before is still fresh. */
  async fetch(phase: Phase, lang: Lang, again = false): Promise<Fetching> {
    const key = this.#key(phase, lang)
    const known = this.#entries.get(key)
    if (!again && known && this.#deps.clock.monotonic() - known.since < this.ttlMs) return { ...known, cached: true }
    let running = this.#running.get(key)
    if (!running) {
      running = this.#load(key, phase, lang).finally(() => this.#running.delete(key))
      this.#running.set(key, running)
    }
    return { ...(await running), cached: false }
  }

  async #load(key: string, phase: Phase, lang: Lang): Promise<Entry> {
    const { clock, log } = this.#deps
    const began = clock.monotonic()
    try {
      const prompt = await this.#ask(phase, lang)
      const entry = { prompt, fetchedAt: prompt.at, since: clock.monotonic() }
      this.#entries.set(key, entry)
      this.#failures.delete(key)
      return entry
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      const at = clock.monotonic()
      this.#failures.set(key, { at, took: at - began })
      log.warn(
        { err: error.cause, code: error.code, fault: error.details['fault'], phase },
        'no prompt from the source',
      )
      throw error
    }
  }

  async #ask(phase: Phase, lang: Lang): Promise<NewPrompt> {
    const { clock, settings } = this.#deps
    const { url, timeoutMs, token, proven } = settings()
    const source = this.source ?? ''
    const address = addressOf(url ?? '', phase)
    if (!address) throw failed(phase, 'misconfigured')
    const secret = isPrivate(address) ? await readToken(token, phase) : undefined
    const headers = {
      accept: 'application/json',
      'accept-language': lang,
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    }
    const get = secret === undefined ? undefined : proven?.(secret)
    const fetched = await fetchJson(address, headers, { timeoutMs, bytes: BODY_BYTES }, get)
    const { version, content } = answerOf(fetched, phase)
    return {
      source,
      phase,
      language: lang,
      version,
      content,
      sha256: sha256(content),
      author: 'source',
      at: clock.now(),
    }
  }

  #key(phase: Phase, lang: Lang): string {
    return `${this.source} ${phase} ${lang}`
  }
}

function addressOf(url: string, phase: Phase): URL | undefined {
  if (!URL.canParse(url)) return undefined
  const address = new URL(url)
  if (!/^https?:$/.test(address.protocol) || address.username || address.password) return undefined
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/prompts/${phase}`
  return address
}

/** A token crosses no network in clear text. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

async function readToken(token: SourceSettings['token'], phase: Phase): Promise<string | undefined> {
  let secret: string | undefined
  try {
    secret = await token()
  } catch (cause) {
    throw failed(phase, 'misconfigured', cause)
  }
  if (secret !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(secret)) throw failed(phase, 'misconfigured')
  return secret
}

function answerOf(fetched: Fetched, phase: Phase): { version: number; content: string } {
  if ('fault' in fetched) throw failed(phase, faultOf(fetched), fetched.cause)
  if (fetched.status === 404) throw PhaseError.PROMPT_NOT_FOUND({ phase })
  if (fetched.status !== 200) throw failed(phase, 'refused', new Error(`status ${fetched.status}`))
  const answer = Answer.safeParse(fetched.value)
  if (!answer.success || answer.data.phase !== phase) throw failed(phase, 'broken', answer.error)
  const { version, content } = answer.data
  if (Buffer.byteLength(content) > PROMPT_BYTES) throw failed(phase, 'too_large')
  const problem = refusePortability(content)
  if (problem) throw failed(phase, 'broken', problem)
  try {
    parsePrompt(content)
  } catch (cause) {
    throw failed(phase, 'broken', cause)
  }
  return { version, content }
}

function faultOf({ fault, cause }: Extract<Fetched, { fault: unknown }>): SourceFault {
  // What goes wrong on the way is not our error; that it is not the hub which the token belongs to is one.
  if (cause instanceof HubError) return 'unproven'
  return fault === 'not_json' ? 'broken' : fault
}

function failed(phase: Phase, fault: SourceFault, cause?: unknown): HubError {
  return PhaseError.CLOUD_API_ERROR({ phase, fault }, cause)
}
