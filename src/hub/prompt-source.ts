import { readFile } from 'node:fs/promises'
import type { SourceSettings } from '#domains/phases/ports.ts'
import type { Config } from '#kernel/config.ts'

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

export function promptSource(env: PromptEnv, config: Config['prompts']): SourceSettings {
  return {
    url: env.PROMPT_API_URL || config.url,
    ttlMs: milliseconds(env.CACHE_TTL, TTL_MS),
    timeoutMs: Math.min(milliseconds(env.PROMPT_API_TIMEOUT, TIMEOUT_MS), 60_000),
    token: async () => env.PROMPT_API_TOKEN || (config.tokenFile && tokenIn(await readFile(config.tokenFile, 'utf8'))),
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
