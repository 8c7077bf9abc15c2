import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { HubLink } from '#client/hub-link.ts'
import type { SourceSettings } from '#domains/phases/ports.ts'
import type { Config } from '#contract/config.ts'
import type { Get } from '#kernel/fetch-json.ts'

/** The hub's environment goes before the configuration. */
export type PromptEnv = {
  readonly PROMPT_API_URL?: string | undefined
  readonly PROMPT_API_TOKEN?: string | undefined
  /** Milliseconds. */
  readonly CACHE_TTL?: string | undefined
  /** Milliseconds until a source counts as down. */
  readonly PROMPT_API_TIMEOUT?: string | undefined
}

const TTL_MS = 3_600_000
const TIMEOUT_MS = 5_000
/** The operator's token of a hub. Other services have tokens of their own, and know no proof. */
const OF_A_HUB = /^(?:hub|opr)_/

export function promptSource(env: PromptEnv, config: Config['prompts']): SourceSettings {
  const url = env.PROMPT_API_URL || config.url
  return {
    url,
    ttlMs: milliseconds(env.CACHE_TTL, TTL_MS),
    timeoutMs: Math.min(milliseconds(env.PROMPT_API_TIMEOUT, TIMEOUT_MS), 60_000),
    token: async () => env.PROMPT_API_TOKEN || (config.tokenFile && tokenIn(await readFile(config.tokenFile, 'utf8'))),
    proven: token => (url !== undefined && OF_A_HUB.test(token) ? provenGet(url, token) : undefined),
  }
}

/** The same connection carries the proof and then the request. */
function provenGet(source: string, token: string): Get {
  return async (url, { headers, signal }) => {
    const link = new HubLink(source, token)
    const drop = () => link.dispose()
    signal.addEventListener('abort', drop, { once: true })
    try {
      const answer = await link.request(url.href, { method: 'GET', headers, signal })
      answer.once('close', drop)
      const { location } = answer.headers
      const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>
      return new Response(body, { status: answer.statusCode ?? 0, headers: location === undefined ? {} : { location } })
    } catch (problem) {
      drop()
      throw problem
    }
  }
}

function milliseconds(text: string | undefined, usual: number): number {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : usual
}

/** A bare token, or the state file of the hub that is the source: that one changes with each start of its hub. */
function tokenIn(text: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return text.trim()
  const { token } = JSON.parse(text) as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}
